"""Kanji are read as what they are pronounced as; without the dictionary all stays as it was."""

import pytest

from tests.tts_pipeline.engines.speaking import elsewhere, print_of, speak
from tts_pipeline.engines import VoiceSettings, engine
from tts_pipeline.engines.japanese import in_kana
from tts_pipeline.engines.registry import fingerprint

TEXT = "私は東京へ行きました。"
SAID = "ワタシワトーキョーエイキマシタ。"
JAPANESE = VoiceSettings(language="ja")
ESPEAKS = pytest.mark.parametrize("name", ["espeak", "pyttsx3"])
WITHOUT = "import sys\nsys.modules['janome'] = None\nfrom tts_pipeline.engines.registry import fingerprint\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT, SAID),
        ("やかんが台所で歌っていた。", "ヤカンガダイドコロデウタッテイタ。"),
        ("人々は「今日は」と言った。", "ヒトビトワ「キョーワ」トイッタ。"),
        ("iPhoneと本、3冊", "iPhoneトホン、3サツ"),
        ("東京\u3000 大学", "トーキョー\u3000 ダイガク"),
        ("Hello, 2024.", "Hello, 2024."),
        ("", ""),
        ("𠮟る", "𠮟ル"),
    ],
)
def test_it_is_written_as_it_is_pronounced_and_spaces_stay(text, said):
    assert in_kana(text, "ja") == in_kana(text, "ja-JP") == said


@pytest.mark.parametrize("language", ["zh", "en", "jam"])
def test_other_languages_stay_as_they_are(language):
    assert in_kana(TEXT, language) == TEXT


def test_kanji_sound_as_the_kana_of_what_they_say():
    assert print_of(speak("espeak", TEXT, language="ja")) == print_of(speak("espeak", SAID, language="ja"))
    kanji, kana = (speak("pyttsx3", text, language="ja").seconds for text in (TEXT, SAID))
    assert kanji == pytest.approx(kana, rel=0.05)  # it is not deterministic


def test_words_keep_the_letters_of_the_text():
    clip = speak("espeak", "私は 東京へ 行きました。", language="ja")
    assert [word.text for word in clip.words] == ["私は", "東京へ", "行きました。"]


@ESPEAKS
def test_without_the_dictionary_it_is_spoken_as_before(name):
    program = f"{WITHOUT}print(speak({name!r}, {TEXT!r}, language='ja').seconds)"
    assert float(elsewhere(program)) > speak(name, TEXT, language="ja").seconds * 1.5


@ESPEAKS
def test_the_fingerprint_changes_with_the_dictionary_for_japanese_alone(name):
    for language, changes in (("ja", True), ("de", False)):
        program = f"{WITHOUT}print(fingerprint({name!r}, VoiceSettings(language={language!r})))"
        here = fingerprint(name, VoiceSettings(language=language))
        assert (elsewhere(program) != here) is changes
        assert ("janome" in here) is changes
    assert engine("tone").fingerprint_for(JAPANESE) == engine("tone").fingerprint()
