"""What every engine does, whatever its voice: real sound, from every engine that is installed."""

from contextlib import suppress

import numpy as np
import pytest

from tests.tts_pipeline.engines.speaking import ENGINES, SENTENCE, elsewhere, print_of, speak
from tts_pipeline.audio.quality import check
from tts_pipeline.engines import VoiceSettings, available, engine
from tts_pipeline.engines.base import speaks
from tts_pipeline.errors import SpeechFailed, UnusableVoice

pytestmark = pytest.mark.parametrize("name", ENGINES, ids=lambda name: name.partition(":")[0])

ODD = {
    "empty": "",
    "whitespace": " \t\n\u00a0\u3000",
    "emoji": "🙂🚀👩‍👩‍👧",
    "one letter": "a",
    "one sign": "?",
    "dots": "…",
    "two thousand characters": "word after word, " * 118,
    "no spaces": "a" * 300,
    "NUL in the middle": "before\0after",
    "NUL alone": "\0",
    "controls": "a\x01b\x1b[0m\x7f",
    "half a pair": "a \ud83d b",
    "right to left": "שלום עולם, مرحبا بالعالم",
    "mixed scripts": "Он сказал hello, 你好, γειά, नमस्ते!",
    "markup": "<speak>a & b</speak> [[x]] [one](/two/) {text} {out} $HOME `id` %s",
    "numbers": "1234567890 3.14 1/2 €5 10:30",
    "an option": "--help",
}
SENTENCES = {
    "en": SENTENCE,
    "de": "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
    "fr": "Voyez le brick géant que j'examine près du wharf, où l'été s'achève.",
    "es": "El veloz murciélago hindú comía feliz cardillo y kiwi, mañana también.",
    "it": "Pranzo d'acqua fa volti sghembi, perché così è la vita in città.",
    "pt": "À noite, vovô Kowalsky vê o ímã cair no pé do pinguim, e não diz nada.",
}


def test_a_clip_is_a_good_recording_of_its_text(name):
    clip = speak(name)
    assert clip.samples.dtype == np.int16
    assert clip.samples.ndim == 1
    check(clip, SENTENCE)


def test_words_are_those_of_the_text_in_order_or_not_told(name):
    clip = speak(name)
    rest = iter(SENTENCE.split())
    assert all(word.text in rest for word in clip.words)  # some speak two as one: "for a"
    assert not clip.words or len(clip.words) > 12
    firsts = [word.first for word in clip.words]
    assert firsts == sorted(set(firsts))
    assert all(0 <= first < len(clip.samples) for first in firsts)


def test_the_same_again_is_the_same_where_that_is_promised(name):
    clips = {print_of(speak(name)) for _ in range(3)}
    if engine(name).deterministic:
        assert len(clips) == 1
        assert elsewhere(f"print(print_of(speak({name!r})))") in clips


def test_a_higher_rate_is_shorter_and_a_lower_one_longer(name):
    slow, usual, fast = (speak(name, rate=rate).seconds for rate in (0.7, 1.0, 1.5))
    assert slow > usual * 1.2
    assert fast < usual * 0.85


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_an_odd_text_is_spoken_or_refused_and_nothing_is_printed(name, text, capfd):
    with suppress(SpeechFailed):
        clip = speak(name, text)
        assert clip.samples.any()
        assert clip.seconds < 400
    assert capfd.readouterr().out == ""
    check(speak(name), SENTENCE)


@pytest.mark.parametrize("language", SENTENCES)
def test_each_language_is_spoken_or_refused_for_good(name, language):
    text = SENTENCES[language]
    if speaks(engine(name).languages, language):
        check(speak(name, text, language=language), text)
    else:
        with pytest.raises(UnusableVoice):
            speak(name, text, language=language)


def test_an_unknown_voice_is_refused(name):
    with pytest.raises(UnusableVoice):
        speak(name, voice="nobody")


def test_every_voice_has_a_name_of_its_own(name):
    voices = engine(name).voices()
    assert voices
    assert len({voice.name for voice in voices}) == len(voices)


def test_the_first_voice_speaks_when_asked_for(name):
    voice = next((voice for voice in engine(name).voices() if "en" in str(voice.languages)), None)
    if voice is not None:
        check(speak(name, voice=voice.name), SENTENCE)


def test_volume_makes_it_softer(name):
    try:
        soft = np.abs(speak(name, volume=0.3).samples.astype(int)).max()
    except UnusableVoice:
        return  # it says that it can't
    assert 0 < soft < 0.6 * np.abs(speak(name).samples.astype(int)).max()


def test_the_fingerprint_is_the_same_in_another_process(name):
    assert engine(name).fingerprint() == elsewhere(f"print(engine({name!r}).fingerprint())")


def test_the_settings_left_alone_do_not_matter(name):
    engine(name).synthesize(SENTENCE, VoiceSettings(take=3))
    check(speak(name), SENTENCE)


def test_it_is_listed_as_available_or_is_a_program(name):
    assert name.startswith("command:") or (name, None) in available()
