"""Engines are found by name, and the best for a language is chosen from what is there."""

import pytest

from tests.tts_pipeline.engines.speaking import COMMAND, elsewhere
from tts_pipeline.engines import auto, available, engine
from tts_pipeline.errors import UnusableVoice

WITHOUT = """
import sys
for name in {0!r}:
    sys.modules[name] = None
from tts_pipeline.engines import auto, available
"""


def test_an_engine_is_made_once():
    assert engine("tone") is engine("tone")
    assert engine(COMMAND) is engine(COMMAND)


@pytest.mark.parametrize("name", ["nobody", "", "command", "command:", "command:no-such-program", "command:'"])
def test_a_name_that_means_nothing_is_refused(name):
    with pytest.raises(UnusableVoice):
        engine(name)


def test_all_of_ours_are_available_here():
    assert {name for name, reason in available() if reason is None} >= {"hibari", "pyttsx3", "espeak", "tone"}


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "hibari"), ("en-GB", "hibari"), ("EN_us", "hibari"), ("de", "pyttsx3"), ("pt-BR", "pyttsx3")],
)
def test_the_best_voice_for_a_language_is_chosen(language, name):
    assert auto(language).name == name


def test_a_language_that_nobody_speaks_is_refused_with_all_reasons():
    with pytest.raises(
        UnusableVoice, match=r"nothing here speaks 'xx' as asked \(pyttsx3, espeak: it speaks 1.. others"
    ):
        auto("xx")


def test_without_the_neural_voice_english_is_spoken_all_the_same():
    found = elsewhere(WITHOUT.format(["hibari"]) + "print(auto('en').name, dict(available())['hibari'])")
    assert found == "pyttsx3 hibari-tts is not installed: pip install 'tts-pipeline[neural]'"


def test_without_pyttsx3_the_library_is_called_directly():
    found = elsewhere(WITHOUT.format(["hibari", "pyttsx3"]) + "print(auto('de').name, dict(available())['pyttsx3'])")
    assert found.startswith("espeak its driver can't be opened: ")


def test_without_any_voice_it_is_said_what_is_missing():
    program = "\ntry:\n    auto('de')\nexcept Exception as error:\n    print(error)"
    found = elsewhere(WITHOUT.format(["hibari", "pyttsx3", "espeakng_loader"]) + program)
    assert "espeakng-loader is not installed" in found


def test_an_engine_of_another_package_is_found_by_its_entry_point(tmp_path, monkeypatch):
    (tmp_path / "parrot.py").write_text("from tts_pipeline.engines.tone import ToneEngine as Parrot")
    info = tmp_path / "parrot-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: parrot\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tts_pipeline.engines]\nparrot = parrot:Parrot\nbroken = parrot:Nobody\ngone = no_such_module:Engine\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert engine("parrot").voices()
    reasons = dict(available())
    assert reasons["parrot"] is None
    assert "Nobody" in reasons["broken"]
    assert "no_such_module" in reasons["gone"]
