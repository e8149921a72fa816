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


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("It was −5 degrees.", "It was minus 5 degrees."),
        ("So 7 − 3 is 4.", "So 7 minus 3 is 4."),
        ("Then x ≠ 3.", "Then x not equal to 3."),
        ("It costs ₽50 there.", "It costs ruble 50 there."),
        ("It costs 5 € here.", "It costs €5 here."),
        ("A co\u2011op of 5\u2010year plans.", "A co-op of 5-year plans."),
    ],
)
def test_a_sign_is_spoken_and_not_dropped(written, said):
    assert print_of(speak("hibari", written)) == print_of(speak("hibari", said))


def test_no_sign_of_arithmetic_or_money_is_silent():
    """Whatever it knows by itself: of some 900 it knows 20."""
    without = speak("hibari", "1 2, so.").seconds
    for sign in "−∓±×÷√∞∑∂≈≠≤≥∈∀∧\u2044\u2215¬←→⇒‰₽₿₩₺￥\uff0b":
        assert speak("hibari", f"1 {sign} 2, so.").seconds > without + 0.05, sign
    without = speak("hibari", "It costs 5, so.").seconds
    for sign in "€£$¥₹":
        assert speak("hibari", f"It costs 5{sign}, so.").seconds > without + 0.05, sign


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
