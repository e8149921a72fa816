"""Every script goes through: its sentences end where its own marks say, and come out as speech of plausible length."""

from pathlib import Path

import pytest

from tests.tts_pipeline.documents.epubs import Epub, page
from tts_pipeline.manifest import read_manifest
from tts_pipeline.report.proof import prove
from tts_pipeline.report.published import read_report

TEXTS = {
    "en": ["The kettle sang in the kitchen.", "Who had put it on?", "Nobody knew!"],
    "fr": ["La bouilloire chantait dans la cuisine.", "Qui l'avait mise en marche ?", "Personne ne le savait !"],
    "de": ["Der Kessel sang in der Küche.", "Wer hatte ihn aufgesetzt?", "Niemand wusste es!"],
    "es": ["La tetera cantaba en la cocina.", "¿Quién la había puesto?", "¡Nadie lo sabía!"],
    "it": ["Il bollitore cantava in cucina.", "Chi l'aveva messo sul fuoco?", "Nessuno lo sapeva!"],
    "pt": ["A chaleira cantava na cozinha.", "Quem a tinha posto ao lume?", "Ninguém sabia!"],
    "ru": ["Чайник пел на кухне.", "Кто его поставил?", "Никто этого не знал!"],
    "el": ["Ο βραστήρας τραγουδούσε στην κουζίνα.", "Ποιος τον είχε ανάψει;", "Κανείς δεν ήξερε!"],
    "ar": ["كانت الغلاية تغني في المطبخ.", "من الذي وضعها على النار؟", "لم يكن أحد يعرف!"],
    "hi": ["रसोई में केतली गा रही थी।", "उसे किसने चढ़ाया था?", "कोई नहीं जानता था!"],
    "zh": ["水壶在厨房里唱歌。", "是谁把它放上去的？", "没有人知道！"],
    "ja": ["やかんが台所で歌っていた。", "だれが火にかけたのだろう？", "だれも知らなかった！"],
}
SPACELESS = {"zh", "ja"}


def spoken(bench, language: str, text: str, **settings: object):
    made = bench.run(
        bench.write(text, f"{language}.txt"),
        bench.settings(engine="espeak").model_copy(update={"language": language, "title": "Kettle", **settings}),
    )
    return made, read_report(Path(made.folder) / "report.json")


@pytest.mark.parametrize("language", TEXTS)
def test_its_sentences_are_told_apart_and_spoken(bench, language):
    sentences = TEXTS[language]
    made, report = spoken(bench, language, ("" if language in SPACELESS else " ").join(sentences) + "\n")
    assert len(report.sentences) == len(sentences)
    assert report.book.language == language
    assert {line.engine for line in report.sentences} == {"espeak"}
    captions = (Path(made.folder) / "Kettle.srt").read_text(encoding="utf-8")
    for text, line in zip(sentences, report.sentences, strict=True):
        seconds = (line.end - line.first) / report.file.codec.rate
        assert 0.3 < seconds < 12, text
        said = text.replace("’", "'")
        assert "".join(said.split()) in "".join(captions.split()), "captions keep the order in which it is written"
    assert prove(Path(made.folder) / "report.json").is_good


@pytest.mark.parametrize("language", [tag for tag in TEXTS if tag not in {"en", "fr", "de", "es", "it", "pt"}])
def test_a_script_of_its_own_tells_the_language_by_itself(bench, language):
    text = ("" if language in SPACELESS else " ").join(TEXTS[language])
    made = bench.ingest(bench.write(text, "unknown.txt"), bench.settings(engine="espeak")).book
    assert made.language == language


def test_a_paragraph_in_another_language_has_the_splitter_and_the_voice_of_its_own(bench):
    body = '<p>He read the note.</p><p xml:lang="zh">水壶在唱歌。没有人知道！</p><p>Nobody spoke.</p>'
    path = Epub({"one.xhtml": page(body)}).write(bench.folder / "note.epub")
    made = bench.run(path, bench.settings(engine="espeak"))
    report = read_report(Path(made.folder) / "report.json")
    assert len(report.sentences) == 4
    manifest = read_manifest(bench.store, made.manifest)
    assert {tag: role.language for tag, role in manifest.cast.items()} == {"en": "en", "zh": "zh"}
