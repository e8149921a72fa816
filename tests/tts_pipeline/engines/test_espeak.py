"""What is heard of espeak-ng depends on the text and the settings, on nothing that was said before."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.tts_pipeline.engines.speaking import SENTENCE, elsewhere, print_of, speak
from tts_pipeline.audio.quality import check
from tts_pipeline.engines import VoiceSettings, engine
from tts_pipeline.engines.espeak import words_at
from tts_pipeline.errors import UnusableVoice

TEXTS = (SENTENCE, "Ah, oh no! 12, 1984?", "a", "Où êtes-vous? Привет. 你好.")
FAULTY = {"hyw"}
"""Western Armenian begins a lone question mark with what was left of the sound before."""


def test_it_promises_to_be_deterministic():
    assert engine("espeak").deterministic


def test_what_was_said_before_in_any_voice_is_not_heard():
    said = {}
    order = [(voice.name, text) for voice in engine("espeak").voices() for text in TEXTS] * 2
    random.Random(5).shuffle(order)
    for voice, text in order:
        language = "en" if voice.startswith("+") else None
        settings = {"voice": voice} | ({"language": language} if language else {})
        said.setdefault((voice, text), set()).add(print_of(speak("espeak", text, **settings)))
    unsteady = {voice for (voice, _), prints in said.items() if len(prints) > 1}
    assert {voice.split("/")[-1] for voice in unsteady} <= FAULTY


@pytest.mark.parametrize("before", ["zle/uk", "zle/be", "art/jbo", "+antonio", "+whisper", "+robosoft3"])
def test_a_voice_that_leaves_something_behind_does_not_spoil_a_fresh_comparison(before):
    speak("espeak", voice=before)
    assert print_of(speak("espeak")) == elsewhere("print(print_of(speak('espeak')))")


def test_it_says_the_same_beside_pyttsx3_which_works_with_a_library_of_its_own():
    clips = set()
    for _ in range(5):
        clips.add(print_of(speak("espeak")))
        check(speak("pyttsx3"), SENTENCE)
        check(speak("pyttsx3", "Guten Tag, wie geht es Ihnen?", language="de"), "Guten Tag, wie geht es Ihnen?")
    assert len(clips) == 1


def test_whichever_of_the_two_comes_first_each_finds_its_library():
    both = "print(len({{print_of(speak('espeak')) for name in ({0}) if speak(name)}}))"
    assert elsewhere(both.format("'espeak', 'pyttsx3', 'espeak'")) == "1"
    assert elsewhere(both.format("'pyttsx3', 'espeak', 'pyttsx3'")) == "1"


def test_several_threads_get_what_one_gets():
    with ThreadPoolExecutor(4) as pool:
        clips = set(pool.map(lambda _: print_of(speak("espeak")), range(40)))
    assert clips == {print_of(speak("espeak"))}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "« L'été s'achève », dit-il — déjà !"),
        ("ru", "Привет, как дела сегодня?"),
        ("en", "Mr. O'Neil paid $12.50 (or so) at 10:30, didn't he?"),
        ("en", "  Spaces\tbefore\nand  between. "),
        ("de", "🙂 Straßenbahnhaltestelle"),
    ],
)
def test_words_are_found_in_the_text_as_it_is_written(language, text):
    clip = speak("espeak", text, language=language)
    words = [word.text for word in clip.words]
    spoken = [word for word in text.split() if any(map(str.isalnum, word))]
    assert [word for word in words if word in spoken] == spoken
    assert [word.first for word in clip.words] == sorted({word.first for word in clip.words})


def test_what_the_library_takes_for_words_falls_on_the_word_that_holds_it():
    one = "one two-three"
    assert words_at(one, one, [(0, 0), (50, 3), (60, 4), (70, 8)]) == ((0, "one"), (60, "two-three"))
    assert words_at(" x", " x", [(5, 0), (9, 1)]) == ((9, "x"),)
    assert words_at("1 2", "one two", [(0, 0), (60, 4)]) == ((0, "1"), (60, "2"))


@pytest.mark.parametrize(("asked", "got"), [("en", "gmw/en"), ("en-US", "gmw/en-US"), ("en_gb", "gmw/en"),
                                            ("pt-BR", "roa/pt-BR"), ("pt", "roa/pt"), ("de-AT", "gmw/de"),
                                            ("zh", "sit/cmn"), ("no", "gmq/nb")])  # fmt: skip
def test_the_voice_is_the_best_for_the_language(asked, got):
    assert print_of(speak("espeak", language=asked)) == print_of(speak("espeak", voice=got))


def test_a_voice_has_several_names_and_variants():
    german = print_of(speak("espeak", language="de"))
    assert {print_of(speak("espeak", voice=name)) for name in ("gmw/de", "German", "de")} == {german}
    variant = print_of(speak("espeak", voice="de+f2"))
    assert variant != german
    assert print_of(speak("espeak", voice="+f2", language="de")) == variant


@pytest.mark.parametrize("settings", [{"language": "xx"}, {"voice": "+nobody"}, {"voice": "de+"}, {"voice": "+Reed"}])
def test_a_voice_that_is_not_there_is_refused(settings):
    if settings == {"voice": "de+"}:
        assert print_of(speak("espeak", **settings)) == print_of(speak("espeak", voice="de"))
    else:
        with pytest.raises(UnusableVoice):
            speak("espeak", **settings)


def test_a_higher_pitch_is_higher():
    def crossings(pitch):
        samples = engine("espeak").synthesize("aaaaa", VoiceSettings(pitch=pitch)).samples
        spectrum = np.abs(np.fft.rfft(samples))
        return (spectrum * np.arange(len(spectrum)))[:400].sum() / spectrum[:400].sum()

    assert crossings(0.6) < crossings(1.0) < crossings(1.8)


@pytest.mark.parametrize(
    ("voice", "told"),
    [
        ("gmw/dee", "voice gmw/dee: espeak-ng has no such voice: gmw/de"),
        ("Germann", "voice Germann: espeak-ng has no such voice: German"),
        ("qqqq", "voice qqqq: espeak-ng has no such voice: gmw/de perhaps?"),
        ("gmw/de+f22", r"voice \+f22: espeak-ng has no such voice: \+f2"),
    ],
)
def test_a_mistyped_voice_is_answered_with_those_that_may_be_meant(voice, told):
    with pytest.raises(UnusableVoice, match=told):
        speak("espeak", voice=voice, language="de")
