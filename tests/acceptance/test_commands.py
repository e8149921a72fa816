"""Every command says what it does, takes settings from everywhere, and refuses nonsense in one line."""

import os
import shutil
import subprocess
import sys
import wave
from pathlib import Path

import pytest

from tests.acceptance.reader import TONE, book, environment, killed, wait_until
from tts_pipeline.cli.main import cli

COMMANDS = sorted(cli.commands)


def test_the_commands_are_those_that_people_were_promised():
    assert {"run", "ingest", "work", "resume", "assemble", "status", "voices", "say", "doctor", "verify"} <= {*COMMANDS}


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "config"])
def test_every_help_text_has_examples(command):
    assert f"tts-pipeline {command}" in (cli.commands[command].epilog or "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained(command):
    for option in cli.commands[command].params:
        assert option.param_type_name == "argument" or option.help, option.name


def test_help_loads_nothing_heavy(reader):
    program = (
        "import sys\nfrom tts_pipeline.cli.main import cli\n"
        "try:\n    cli(['run', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('av', 'numpy', 'sqlalchemy', 'lxml', 'rich', 'obstore') if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"


def test_what_tells_of_books_loads_no_codecs_and_no_readers():
    """It is typed again and again while a book is made."""
    program = (
        "import sys\nimport tts_pipeline.overview, tts_pipeline.problems, tts_pipeline.shelf.finding\n"
        "print([name for name in ('av', 'numpy', 'lxml', 'rich', 'obstore') if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_ingest_tells_what_became_of_a_file_and_work_does_the_rest(reader):
    source = reader.writes("walk.txt", book(2, 6))
    (told,) = reader.told("ingest", source, *TONE)
    assert (told["title"], told["chapters"], told["sentences"]) == ("The Walk", 2, 16)
    assert told["tasks"] == 2 + 2 + 1
    assert 20 < told["expected_seconds"] < 120
    assert told["book"] in reader.types("ingest", source, *TONE).stdout
    (status,) = reader.told("status")
    assert (status["state"], status["sentences"]["rendered"]) == ("queued", 0)
    done = reader.types("work", "--size", "5", "--workers", "1")
    assert "The Walk.m4b" in done.stdout
    assert reader.told("status")[0]["state"] == "published"
    assert reader.types("work").stdout == ""


def test_a_flag_counts_more_than_a_variable_and_that_more_than_the_file(reader):
    reader.writes("tts-pipeline.toml", "engine = 'espeak'\nrate = 0.5\npause-paragraph = 10\n")
    (reader.folder / "walk.txt").write_text(book(1, 3), encoding="utf-8")
    told = reader.told("config", "list", variables={"TTS_PIPELINE_RATE": "1.5"})
    values = {each["key"]: (each["value"], each["origin"]) for each in told["settings"]}
    assert values["engine"] == ("espeak", "file")
    assert values["rate"] == (1.5, "environment")
    assert values["pitch"] == (1.0, "default")
    reader.types("run", "walk.txt", "--engine", "tone", "--rate", "2")
    speech = reader.report()["settings"]["speech"]
    assert (speech["engine"], speech["rate"]) == ("tone", 2.0)
    assert reader.report()["settings"]["splitting"]["pauses"]["paragraph"] == 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run"], "PATH"),
        (["run", "walk.txt", "--rate", "9"], "--rate: must be at most 2"),
        (["run", "walk.txt", "--format", "ogg9"], "--format"),
        (["run", "walk.txt", "--format", "m4b,opus", "--bit-rate", "300000"], "opus has bit rates from 8000 to 256000"),
        (["run", "walk.txt", "--language", "klingonish tongue"], "--language"),
        (["run", "walk.txt", "--sentence-timeout", "soon"], "--sentence-timeout"),
        (["--database", "nonsense", "status"], "--database"),
        (["--config", "absent.toml", "status"], "absent.toml"),
        (["frobnicate"], "frobnicate"),
        (["run", "walk.txt", "--engine", "nobody"], "there is no engine 'nobody'"),
        (["run", "walk.txt", "--engine", "tone", "--fallback-engine", "nobody"], "there is no engine 'nobody'"),
        (["work", "--fallback-engine", "nobody"], "there is no engine 'nobody'"),
        (["assemble", "--fallback-engine", "nobody"], "there is no engine 'nobody'"),
        (["say", "Hello.", "--engine", "nobody"], "there is no engine 'nobody'"),
        (["run", "walk.txt", "--engine", "tone", "--fallback-engine", "auto"], "there is no engine 'auto'"),
        (["say", "Hello.", "--out", "hello.ogg"], "--out"),
        (["say", " "], "TEXT: there is nothing to say"),
    ],
)
def test_wrong_use_is_told_in_a_line_and_exits_with_2(reader, words, said):
    reader.writes("walk.txt", book(1, 3))
    run = reader.types(*words, exit_code=2)
    assert said in run.stderr
    assert "Traceback" not in run.stderr
    assert not (reader.folder / "data").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_can_learn_to_complete(reader, shell):
    script = reader.types("completion", shell).stdout
    assert "_TTS_PIPELINE_COMPLETE" in script
    assert "tts-pipeline" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "found"), [("as", {"assemble"}), ("run --fall", {"--fallback-engine"}), ("completion z", {"zsh"})]
)
def test_bash_completes_commands_and_options(reader, words, found):
    script = reader.writes("completion.sh", reader.types("completion", "bash").stdout)
    typed = ["tts-pipeline", *words.split()]
    program = (
        f"source {script}; COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}; "
        f'_tts_pipeline_completion tts-pipeline; printf "%s\n" "${{COMPREPLY[@]}}"'
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        [shutil.which("bash"), "--norc", "-c", program],
        env={**environment(), "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(run.stdout.split()) == found


def test_a_mistyped_setting_is_told_by_name(reader):
    reader.writes("tts-pipeline.toml", "engin = 'tone'\n")
    assert "engin in tts-pipeline.toml: there is no such setting: engine perhaps?" in (
        reader.types("status", exit_code=2).stderr
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "absent.txt"], "there is no such file"),
        (["run", "walk.txt", "--engine", "espeak", "--voice", "nobody"], "nobody"),
        (["run", "walk.txt", "--engine", "hibari", "--language", "de"], "does not speak 'de'"),
        (["run", "walk.txt", "--engine", "command:true"], "it failed at a word of trial, 'One.': it ended well, but"),
        (["say", "Hello.", "--voice", "nobody"], "nothing here speaks 'en' as asked (hibari: hibari has heart"),
        (["say", "Hello.", "--language", "xx"], "voices --language all"),
        (["status"], "there are no books"),
        (["resume"], "there are no books"),
        (["verify"], "there are no books"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line_and_exits_with_1(reader, words, said):
    reader.writes("walk.txt", book(1, 3))
    run = reader.types(*words, exit_code=1)
    assert said in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_a_book_nobody_knows_is_told(reader):
    reader.types("ingest", reader.writes("walk.txt", book(1, 3)), *TONE)
    for words in (["status", "sail"], ["verify", "sail"], ["resume", "sail"], ["assemble", "sail"]):
        assert "there is no book 'sail'" in reader.types(*words, exit_code=1).stderr


def test_verify_finds_what_was_done_to_a_published_file(reader):
    source = reader.writes("walk.txt", book(2, 6))
    reader.types("run", source, *TONE)
    folder = reader.published().parent
    assert "good" in reader.types("verify", folder).stdout
    moved = folder.rename(reader.folder / "moved")
    (told,) = reader.told("verify", moved)
    assert told["is_good"]
    data = bytearray((moved / "The Walk.m4b").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 200] = bytes(200)
    (moved / "The Walk.m4b").write_bytes(data)
    run = reader.types("verify", moved, exit_code=1)
    assert "chapter 2" in run.stderr
    (moved / "The Walk.m4b").unlink()
    assert "can't be read" in reader.types("verify", moved, exit_code=1).stderr


def test_a_command_is_judged_by_the_formats_that_it_was_asked_for(reader):
    source = reader.writes("walk.txt", book(1, 3))
    reader.writes("tts-pipeline.toml", "engine = 'tone'\nretry-delay = 0.01\nattempts = 1\n")
    in_the_way = reader.outputs / "Nobody Inparticular/The Walk/The Walk.m4b"
    reader.types("run", source, "--format", "mp3")
    in_the_way.mkdir()
    run = reader.types("run", source, "--format", "m4b", exit_code=1)
    assert "publish" in run.stderr
    assert "The Walk.mp3" not in run.stdout
    run = reader.types("run", source, "--format", "mp3")
    assert "The Walk.mp3" in run.stdout
    assert "publish" not in run.stderr
    in_the_way.rmdir()
    assert "The Walk.m4b" in reader.types("run", source, "--format", "mp3,m4b").stdout


def test_voices_are_listed_by_language(reader):
    english = reader.told("voices")
    assert {"hibari", "espeak", "pyttsx3"} <= {voice["engine"] for voice in english}
    german = reader.told("voices", "--language", "German", "--engine", "espeak")
    assert [voice["name"] for voice in german] == ["gmw/de"]
    assert "gmw/de" in reader.types("voices", "--language", "de").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--language", "xx"], "no voice speaks xx"),
        (["--language", "de", "--engine", "hibari"], "no voice of hibari speaks de"),
    ],
)
def test_where_no_voice_is_listed_it_is_told_where_there_are(reader, words, said):
    assert f"{said}: --language all lists what there is" in reader.types("voices", *words).stderr
    assert said not in reader.types("voices", "--engine", "tone").stderr


@pytest.mark.parametrize("engine", ["hibari", "espeak", "pyttsx3", "tone"])
def test_say_writes_what_can_be_heard(reader, engine):
    run = reader.types("say", "Good evening, and welcome.", "--engine", engine, "--out", "evening.wav")
    assert engine in run.stdout
    with wave.open(str(reader.folder / "evening.wav")) as file:
        assert 0.8 < file.getnframes() / file.getframerate() < 4
        heard = file.readframes(file.getnframes())
    assert max(heard[1::2]) > 0


def test_doctor_tries_everything_that_a_book_needs(reader):
    told = {each["name"]: each for each in reader.told("doctor")}
    for name in ("engine hibari", "engine pyttsx3", "engine espeak", "codec aac", "codec mp3", "outputs folder"):
        assert told[name]["verdict"] == "good", told[name]
    assert "spoke for" in told["engine espeak"]["words"]
    assert told["sqlite"]["verdict"] in {"good", "doubtful"}
    assert "GiB free" in told["store space"]["words"]
    assert told["clock"]["verdict"] == "good"


def test_doctor_says_what_is_bad(reader):
    reader.writes("outputs", "no folder")
    run = reader.types("doctor", exit_code=1)
    (line,) = [line for line in run.stdout.splitlines() if "outputs folder" in line]
    assert line.startswith("bad")


def test_doctor_looks_into_the_database(reader):
    reader.types("ingest", reader.writes("walk.txt", book(1, 3)), *TONE)
    (good,) = [each for each in reader.told("doctor") if each["name"] == "database"]
    assert good["words"] == "1 book"
    (reader.folder / "data/queue.db").write_bytes(b"no database" * 1000)
    (bad,) = [each for each in reader.told("doctor", exit_code=1) if each["name"] == "database"]
    assert bad["verdict"] == "bad"
    assert "not a database" in bad["words"]


def test_verify_checks_all_books_whatever_is_wrong_with_one(reader):
    reader.types("run", *(reader.writes(f"{name}.txt", book(1, 3, name)) for name in ("walk", "sail")), *TONE)
    next(reader.outputs.rglob("The Sail.m4b")).with_name("report.json").unlink()
    told = reader.told("verify", exit_code=1)
    assert sorted(each["is_good"] for each in told) == [False, True]
    reader.types("run", reader.folder / "sail.txt", *TONE)
    assert [each["is_good"] for each in reader.told("verify")] == [True, True]


def test_workers_can_wait_for_books_that_come_later(reader):
    waiting = reader.begins("work", "--forever", "--workers", "1")
    try:
        wait_until((reader.folder / "data/queue.db").exists, "a database")
        reader.types("ingest", reader.writes("walk.txt", book(1, 3)), *TONE)
        wait_until(lambda: reader.told("status", "walk")["state"] == "published", "a book")
    finally:
        killed(waiting)
    reader.types("verify")


def test_run_and_assemble_tell_programs_where_books_are(reader):
    (told,) = reader.told("run", reader.writes("walk.txt", book(1, 3)), *TONE)
    assert (told["state"], told["sentences"]["failed"]) == ("published", 0)
    assert all(Path(file["path"]).exists() for file in told["files"])
    assert [each["book"] for each in reader.told("assemble")] == [told["book"]]
