"""The neural voice: English, seeded, and honest about what it can't read."""

import pytest

from tests.tts_pipeline.engines.speaking import SENTENCE, elsewhere, print_of, speak
from tts_pipeline.engines import engine
from tts_pipeline.errors import SpeechFailed, UnusableVoice


def test_it_promises_to_be_deterministic():
    assert engine("hibari").deterministic
    assert speak("hibari").rate == 24_000


def test_the_take_is_its_seed():
    assert print_of(speak("hibari", take=1)) != print_of(speak("hibari", take=0))
    assert print_of(speak("hibari", take=1)) == elsewhere("print(print_of(speak('hibari', take=1)))")


def test_words_that_it_would_leave_out_silently_are_named():
    with pytest.raises(SpeechFailed, match="it can't read '你好'"):
        speak("hibari", "He said 你好 to me.")


def test_a_link_is_read_with_what_it_leads_to():
    assert speak("hibari", "See [one](two three four five).").seconds > speak("hibari", "See one.").seconds * 1.8


def test_one_thread_computes_it():
    threads = "speak('hibari'); import os; print(len(os.listdir('/proc/self/task')))"
    assert int(elsewhere(threads)) == int(
        elsewhere("import onnxruntime, os; print(len(os.listdir('/proc/self/task')))")
    )


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"language": "de"}, "English only"),
        ({"pitch": 1.5}, "pitch"),
        ({"voice": "nobody"}, "hibari has heart"),
        ({"voice": "emma"}, "fetch it once"),
    ],
)
def test_what_it_has_not_is_refused_with_the_reason(settings, reason, tmp_path, monkeypatch):
    monkeypatch.setenv("HIBARI_HOME", str(tmp_path))
    with pytest.raises(UnusableVoice, match=reason):
        speak("hibari", SENTENCE, **settings)


def test_british_english_is_read_by_the_voice_that_is_there():
    assert print_of(speak("hibari", language="en-GB")) == print_of(speak("hibari"))
