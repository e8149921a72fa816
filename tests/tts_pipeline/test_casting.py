"""Who was asked for speaks, having proved able; `auto` is the best that does."""

import shlex
import sys

import pytest

from tests.tts_pipeline.moody import TARGET, TRIAL, MoodyEngine
from tts_pipeline.book_settings import Speech
from tts_pipeline.casting import cast
from tts_pipeline.engines import registry
from tts_pipeline.engines.registry import best
from tts_pipeline.errors import SpeechFailed, UnusableVoice


class Broken(MoodyEngine):
    """Can be made, and says nothing."""

    def synthesize(self, text, settings):
        raise OSError("its library is gone")


@pytest.fixture
def replace(monkeypatch):
    """Put another engine in the place of one of ours."""

    def do(name: str, target: str = f"{__name__}:Broken") -> None:
        monkeypatch.setitem(registry._OURS, name, target)
        monkeypatch.setattr(registry, "entry_points", lambda group: [])
        registry.engine.cache_clear()

    yield do
    monkeypatch.undo()
    registry.engine.cache_clear()


def engines(languages=(), main="en", **speech):
    return {tag: role.engine for tag, role in cast(languages, main, Speech(**speech)).items()}


def test_auto_passes_over_an_engine_that_fails_at_a_word_of_trial(replace):
    replace("hibari")
    assert engines({"de"}) == {"en": "pyttsx3", "de": "pyttsx3"}
    replace("pyttsx3")
    assert engines({"de"}) == {"en": "espeak", "de": "espeak"}


def test_auto_passes_over_an_engine_that_cannot_be_made(replace):
    replace("hibari", "no_such_module:Engine")
    assert engines() == {"en": "pyttsx3"}


def test_auto_takes_the_best_that_can_do_what_is_asked():
    assert engines() == {"en": "hibari"}
    assert engines(pitch=1.2) == {"en": "pyttsx3"}
    assert engines(voice="gmw/en-US") == {"en": "pyttsx3"}


def test_where_nothing_works_one_line_has_every_reason(replace):
    for name in ("hibari", "pyttsx3", "espeak"):
        replace(name)
    with pytest.raises(UnusableVoice) as caught:
        cast([], "en", Speech())
    told = str(caught.value)
    assert "\n" not in told
    assert "hibari, pyttsx3, espeak: it failed at a word of trial, 'One.': OSError: its library is gone" in told


def test_who_was_asked_for_by_name_is_not_replaced_and_is_named(replace):
    replace("espeak")
    with pytest.raises(UnusableVoice, match=r"voice low \(espeak\): it failed at a word of trial, 'One.'"):
        cast([], "en", Speech(engine="espeak", voice="low"))


def test_a_language_that_it_does_not_speak_is_answered_with_those_that_it_speaks():
    with pytest.raises(UnusableVoice, match="voice hibari: it does not speak 'de': it speaks en"):
        cast([], "de", Speech(engine="hibari"))
    with pytest.raises(UnusableVoice, match=r"it does not speak 'xx': it speaks 1.. others, see tts-pipeline voices"):
        cast([], "xx", Speech(engine="espeak"))


def test_a_program_proves_that_it_speaks_before_anything_is_queued():
    line = f"command:{shlex.quote(sys.executable)} -c 'raise SystemExit(\"no model\")'"
    with pytest.raises(UnusableVoice, match="exit code 1: no model"):
        cast([], "en", Speech(engine=line))


def test_a_passage_that_nobody_can_speak_stays_with_the_books_voice(replace):
    replace("pyttsx3")
    replace("espeak")
    assert engines({"de"}) == {"en": "hibari", "de": "hibari"}


def test_a_voice_proves_itself_once_in_a_process(monkeypatch):
    said = []

    class Counting(MoodyEngine):
        def synthesize(self, text, settings):
            said.append(text)
            return super().synthesize(text, settings)

    monkeypatch.setattr("tests.tts_pipeline.moody.Counting", Counting, raising=False)
    monkeypatch.setitem(registry._OURS, "counting", TARGET.replace("MoodyEngine", "Counting"))
    for _ in range(3):
        cast([], "en", Speech(engine="counting"))
    assert said == [TRIAL]
    cast([], "en", Speech(engine="counting", rate=1.5))
    assert said == [TRIAL, TRIAL]


def test_the_usual_voice_of_hibari_is_written_down():
    """What another version of it takes by itself changes no book that is on the shelf."""
    roles = cast({"en-GB", "de"}, "de", Speech())
    assert (roles["en-GB"].engine, roles["en-GB"].voice) == ("hibari", "heart")
    assert roles["de"].voice is None
    assert cast([], "en", Speech())["en"].voice == "heart"


def test_best_asks_the_next_where_one_fails_in_its_use():
    asked = []

    def use(found):
        asked.append(found.name)
        if found.name != "espeak":
            raise SpeechFailed(found.name, "a", "not today")
        return "good"

    assert best("en", use) == "good"
    assert asked == ["hibari", "pyttsx3", "espeak"]
