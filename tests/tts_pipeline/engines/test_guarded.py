"""Whatever an engine of somebody else does, it comes out as UnusableVoice or SpeechFailed, under its name."""

import numpy as np
import pytest

from tts_pipeline.engines import Clip, Voice, VoiceSettings, registry
from tts_pipeline.engines.guarded import Guarded
from tts_pipeline.errors import SpeechFailed, UnusableVoice

USUAL = VoiceSettings()
GOOD = np.ones(100, np.int16)


class Stranger:
    """Gives what it is told to give, and raises what is an exception."""

    name = "ours"

    def __init__(self, given):
        self.given = given

    @property
    def deterministic(self):
        return self._answer()

    @property
    def languages(self):
        return self._answer()

    def voices(self):
        return self._answer()

    def synthesize(self, text, settings):
        return self._answer()

    def fingerprint(self):
        return self._answer()

    def _answer(self):
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


class Knowing(Stranger):
    """Knows of settings and languages."""

    def fingerprint_for(self, settings):
        return f"for {settings.voice}"

    def usual_voice(self, language):
        return self._answer()


ASK = {
    "deterministic": lambda engine: engine.deterministic,
    "languages": lambda engine: engine.languages,
    "voices": lambda engine: engine.voices(),
    "fingerprint": lambda engine: engine.fingerprint(),
    "usual voice": lambda engine: engine.usual_voice("en"),
}


@pytest.mark.parametrize("error", [RuntimeError("no card"), KeyError("x"), MemoryError(), OSError(28, "No space")])
@pytest.mark.parametrize("what", ASK)
def test_any_error_of_a_question_is_an_unusable_voice_with_what_was_asked(what, error):
    with pytest.raises(UnusableVoice, match=f"voice stranger: asked for its {what}, it failed: {type(error).__name__}"):
        ASK[what](Guarded("stranger", Knowing(error)))


@pytest.mark.parametrize("error", [RuntimeError("no\ncard"), ValueError(), UnicodeDecodeError("utf-8", b"", 0, 1, "x")])
def test_any_error_of_speaking_is_a_failure_at_that_text(error):
    with pytest.raises(SpeechFailed, match=f"stranger failed at 'Hello': {type(error).__name__}") as caught:
        Guarded("stranger", Stranger(error)).synthesize("Hello", USUAL)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is error
    assert caught.value.can_retry


@pytest.mark.parametrize("error", [UnusableVoice("x", "never"), SpeechFailed("x", "y", "z", can_retry=False)])
def test_what_was_said_in_our_words_stays_as_it_is(error):
    with pytest.raises(type(error)) as caught:
        Guarded("stranger", Stranger(error)).synthesize("Hello", USUAL)
    assert caught.value is error


def test_an_interrupt_is_no_failure():
    with pytest.raises(KeyboardInterrupt):
        Guarded("stranger", Stranger(KeyboardInterrupt())).synthesize("Hello", USUAL)


@pytest.mark.parametrize(
    ("clip", "reason"),
    [
        (None, "it gave NoneType, which is no Clip"),
        ((GOOD, 8000), "which is no Clip"),
        (Clip(GOOD.astype(np.float32), 8000), "float32 samples"),
        (Clip(np.full(9, np.nan), 8000), "float64 samples"),
        (Clip(np.stack([GOOD, GOOD]), 8000), r"in the shape \(2, 100\)"),
        (Clip(GOOD.tolist(), 8000), "list samples"),
        (Clip(None, 8000), "NoneType samples"),
        (Clip(GOOD[:0], 8000), "no sound"),
        *((Clip(GOOD, rate), "samples a second") for rate in (0, -8000, 8000.5, float("nan"), None, "8000", 10**9)),
    ],
)
def test_what_is_no_row_of_samples_at_a_rate_is_refused(clip, reason):
    with pytest.raises(SpeechFailed, match=f"stranger failed at 'Hello': .*{reason}"):
        Guarded("stranger", Stranger(clip)).synthesize("Hello", USUAL)


@pytest.mark.parametrize("rate", [8000, np.int64(8000)])
def test_a_good_clip_is_passed_on(rate):
    clip = Clip(GOOD, rate)
    assert Guarded("stranger", Stranger(clip)).synthesize("Hello", USUAL) is clip


@pytest.mark.parametrize(("what", "given"), [("voices", ["Anna"]), ("fingerprint", b"1"), ("languages", None)])
def test_an_answer_of_another_kind_is_refused(what, given):
    with pytest.raises(UnusableVoice, match="stranger"):
        ASK[what](Guarded("stranger", Stranger(given)))


def test_good_answers_are_passed_on():
    anna = Voice(name="anna", languages=("en",), engine="stranger")
    assert Guarded("stranger", Stranger([anna])).voices() == (anna,)
    assert Guarded("stranger", Stranger({"en"})).languages == {"en"}
    assert Guarded("stranger", Stranger("1")).fingerprint() == "1"


def test_what_an_engine_need_not_have_is_asked_only_where_it_is():
    assert Guarded("stranger", Stranger("1")).fingerprint_for(USUAL) == "1"
    assert Guarded("stranger", Stranger("1")).usual_voice("en") is None
    assert Guarded("stranger", Knowing("anna")).fingerprint_for(VoiceSettings(voice="anna")) == "for anna"
    assert Guarded("stranger", Knowing("anna")).usual_voice("en") == "anna"


def broken() -> Stranger:
    raise ZeroDivisionError("broken")


def test_an_engine_that_cannot_be_made_is_unusable_for_whatever_reason(monkeypatch):
    monkeypatch.setitem(registry._OURS, "stranger", f"{__name__}:broken")
    with pytest.raises(UnusableVoice, match="voice stranger: it can't be loaded: ZeroDivisionError: broken"):
        registry.engine("stranger")
    assert "ZeroDivisionError" in str(dict(registry.available())["stranger"])
