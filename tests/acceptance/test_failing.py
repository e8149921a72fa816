"""A sentence that fails stops no other: it is listed with its reason, and comes back when the cause is gone."""

import numpy as np
import pytest

from tests.acceptance.reader import TONE, book, samples, sentence

BAD, WORSE = sentence(1, 4), sentence(2, 7)
QUICK = ("--attempts", "2", "--workers", "2")


@pytest.fixture
def broken(reader):
    """A book whose voice breaks at two sentences."""
    source = reader.writes("walk.txt", book(2, 9))
    reader.writes("fails.txt", f"{BAD}\n{WORSE}\n")
    reader.writes("tts-pipeline.toml", f"engine = {reader.speaker!r}\nretry-delay = 0.01\n")
    run = reader.types("run", source, *QUICK, exit_code=1)
    return reader, source, run


def test_they_are_told_and_listed_with_text_and_reason(broken):
    reader, _, run = broken
    assert run.stdout == ""
    assert BAD in run.stderr
    assert "my voice broke" in run.stderr
    assert "2 sentences missing" in run.stderr
    assert f"The Walk, sentence 7: {BAD!r}" in run.stderr
    assert f"sentence 7, {BAD!r}" in run.stderr, "as it is told when it happens"
    status = reader.told("status", "walk")
    assert status["state"] == "failed"
    assert [(each["text"], "my voice broke" in each["reason"]) for each in status["failed"]] == [
        (BAD, True),
        (WORSE, True),
    ]
    shown = reader.types("status", "walk").stdout
    assert BAD in shown
    assert "my voice broke" in shown


def test_all_others_are_rendered_once_and_kept(broken):
    reader, _, _ = broken
    asked = reader.asked()
    assert asked.count(BAD) == asked.count(WORSE) == 2
    others = [text for text in asked if text not in {BAD, WORSE}]
    assert len(others) == len(set(others)) == reader.told("status", "walk")["sentences"]["total"] - 2
    assert not list(reader.outputs.rglob("*.m4b"))


def test_resume_after_the_cause_is_gone_completes_the_book(broken):
    reader, _, _ = broken
    reader.writes("fails.txt", "")
    assert len(reader.told("resume", "walk")["resumed"]) == 2
    before = len(reader.asked())
    reader.types("work")
    assert sorted(reader.asked()[before:]) == sorted([BAD, WORSE])
    assert reader.told("status", "walk")["state"] == "published"
    reader.types("verify")
    assert reader.report()["totals"]["missing"] == 0


def test_run_tries_again_what_failed(broken):
    reader, source, _ = broken
    reader.types("run", source, *QUICK, exit_code=1)
    reader.writes("fails.txt", "")
    reader.types("run", source, *QUICK)
    assert reader.told("status", "walk")["failed"] == []


def test_resume_without_a_name_brings_everything_back(broken):
    reader, _, _ = broken
    reader.writes("fails.txt", "")
    assert "2 tasks resumed" in reader.types("resume").stdout
    reader.types("work")
    reader.types("verify")


def test_a_single_task_can_be_resumed(broken):
    reader, source, _ = broken
    reader.writes("fails.txt", f"{WORSE}\n")
    ids = reader.told("resume")["resumed"]
    reader.types("work", exit_code=1)
    assert [each["text"] for each in reader.told("status", "walk")["failed"]] == [WORSE]
    reader.types("resume", ids[0], exit_code=1)  # it is completed by now
    assert reader.told("resume", ids[1])["resumed"] == [ids[1]]
    reader.writes("walk.txt", book(2, 8))
    reader.types("run", source, *QUICK, exit_code=1)
    assert "superseded" in reader.types("resume", ids[1], exit_code=1).stderr


def test_with_leave_it_is_published_with_holes_that_are_listed(broken):
    reader, source, _ = broken
    reader.types("assemble", "walk", exit_code=1)
    assert not list(reader.outputs.rglob("*.m4b"))
    run = reader.types("assemble", "walk", "--allow-missing", exit_code=1)
    assert "2 sentences missing" in run.stderr
    report = reader.report()
    assert [each["text"] for each in report["missing"]] == [BAD, WORSE]
    assert all("my voice broke" in each["reason"] for each in report["missing"])
    assert len(samples(reader.published())) == report["totals"]["samples"]
    assert reader.told("status", "walk")["state"] == "incomplete"
    reader.types("verify", exit_code=1)
    reader.writes("fails.txt", "")
    reader.types("run", source, *QUICK)
    assert reader.report()["missing"] == []
    reader.types("verify")


def test_what_is_missing_for_one_reason_is_told_once_for_each_chapter(reader):
    source = reader.writes("walk.txt", book(3, 6))
    missing = [*(sentence(1, number) for number in range(2, 6)), sentence(3, 1)]
    reader.writes("fails.txt", "\n".join(missing))
    reader.writes("tts-pipeline.toml", f"engine = {reader.speaker!r}\nattempts = 1\n")
    reader.types("run", source, exit_code=1)
    reader.types("assemble", "--allow-missing", exit_code=1)
    run = reader.types("verify", exit_code=1)
    first, second = run.stderr.splitlines()
    assert "chapter 1: 4 of sentences 5 to 8 are missing: " in first
    assert f"is missing: {sentence(3, 1)!r}" in second
    assert [each["text"] for each in reader.told("verify", exit_code=1)[0]["missing"]] == missing


def test_a_hanging_sentence_costs_seconds_and_not_its_neighbours(reader):
    source = reader.writes("walk.txt", book(2, 9))
    reader.writes("hangs.txt", f"{BAD}\n")
    reader.writes("tts-pipeline.toml", f"engine = {reader.speaker!r}\nretry-delay = 0.01\nsentence-timeout = 0.8\n")
    reader.types("run", source, "--workers", "2", exit_code=1)
    (failed,) = reader.told("status", "walk")["failed"]
    assert failed["text"] == BAD
    assert "timed out" in failed["reason"]
    assert reader.asked().count(BAD) == 2
    sentences = reader.told("status", "walk")["sentences"]
    assert sentences["rendered"] == sentences["total"] - 1
    reader.writes("hangs.txt", "")
    reader.types("run", source, "--sentence-timeout", "30")
    reader.types("verify")


def test_another_voice_speaks_what_the_first_cannot(reader):
    source = reader.writes("walk.txt", book(2, 9))
    reader.writes("fails.txt", f"{BAD}\n")
    reader.writes("tts-pipeline.toml", f"engine = {reader.speaker!r}\nretry-delay = 0.01\n")
    reader.types("run", source, *QUICK, "--fallback-engine", "tone")
    engines = [line["engine"] for line in reader.report()["sentences"]]
    assert engines.count("tone") == 1
    assert len(engines) - 1 == engines.count(reader.speaker)
    reader.types("verify")


def test_the_voice_of_a_mended_book_is_what_it_would_have_been(reader, another):
    source = reader.writes("walk.txt", book(2, 9))
    reader.types("run", source, *TONE)
    other = another.writes("walk.txt", book(2, 9))
    another.types("ingest", other, *TONE)
    another.types("work", "--workers", "1", "--size", "1")
    assert np.array_equal(samples(reader.published()), samples(another.published()))
