"""All that is known of a book is shown, as far as it is known."""

from pathlib import Path

from sqlalchemy import update

from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.bench import M4B, MP3
from tts_pipeline.portrait import ChapterState, portrait
from tts_pipeline.shelf.edits import replace_edits
from tts_pipeline.shelf.schema import batches, encoded_chapters
from tts_pipeline.wording import Edit


def test_a_published_book_is_shown_with_its_chapters_files_and_sources(bench):
    made = bench.run(bench.write(book(2, 3)), None, M4B, MP3)
    other = bench.write(book(2, 3), "other.txt")
    bench.ingest(other)
    seen = portrait(bench.shelf, bench.store, made)
    assert seen.chapters == (
        ChapterState(1, "CHAPTER 1", sentences=6, rendered=6, failed=0, encoded=True),
        ChapterState(2, "CHAPTER 2", sentences=4, rendered=4, failed=0, encoded=True),
    )
    assert {path.name for path in seen.files} >= {"The Walk.m4b", "The Walk.mp3", "report.json", "report.mp3.json"}
    assert all(path.is_file() for path in seen.files)
    assert set(seen.sources) == {made.path, str(other)}
    assert seen.voices == ("tone",)


def test_a_chapter_that_is_to_be_encoded_in_another_way_is_not_all_encoded(bench):
    made = bench.run(bench.write(book(2, 3)))
    bench.ingest(Path(made.path), None, M4B, MP3)
    assert not any(chapter.encoded for chapter in portrait(bench.shelf, bench.store, made).chapters)
    bench.complete(bench.claim("encode"))
    seen = portrait(bench.shelf, bench.store, made)
    assert [chapter.encoded for chapter in seen.chapters] == [True, False]


def test_failures_have_their_text_and_reason(bench, moody):
    moody.fails.add(sentence(2, 2))
    made = bench.run(bench.write(book(2, 3)), bench.settings(engine="moody"))
    seen = portrait(bench.shelf, bench.store, made)
    assert [(each.text, each.reason) for each in seen.failures] == [(sentence(2, 2), "not in the mood")]
    assert [chapter.failed for chapter in seen.chapters] == [0, 1]


def test_revisions_tell_why_they_were_made_what_they_kept_and_how_long_they_took(bench):
    made = bench.run(bench.write(book(2, 3)))
    with bench.shelf.changing() as connection:
        connection.execute(update(batches).values(spent_ms=700))
        connection.execute(update(encoded_chapters).values(spent_ms=50))
    count = len(bench.shelf.batches(made))
    second = bench.ingest(bench.write(book(2, 3).replace(sentence(2, 2), "Nobody counted."))).book
    first_seen, second_seen = portrait(bench.shelf, bench.store, second).revisions
    assert (first_seen.reason, first_seen.kept_count) == ("first read", 0)
    assert first_seen.spent_ms == count * 700 + 2 * 50
    assert second_seen.reason == "its file or its settings changed"
    assert 0 < second_seen.kept_count < second_seen.sentence_count
    assert portrait(bench.shelf, bench.store, second).spent_ms == first_seen.spent_ms


def test_edits_are_shown(bench):
    made = bench.ingest(bench.write(book(1, 3))).book
    edit = Edit(text=sentence(1, 2), before="", after="", nth=0, say="Say something else.")
    with bench.shelf.changing() as connection:
        replace_edits(connection, made.id, [edit])
    assert portrait(bench.shelf, bench.store, made).edits == (edit,)


def test_a_book_that_the_store_has_lost_is_shown_without_its_chapters(bench):
    made = bench.ingest(bench.write(book(1, 3))).book
    bench.store.delete(made.manifest)
    seen = portrait(bench.shelf, bench.store, made)
    assert (seen.chapters, seen.voices) == ((), ())
    assert seen.overview.book == made
