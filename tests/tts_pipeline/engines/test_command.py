"""Any program can be a voice; how it fails is told, and no text is ever taken for a command."""

import os
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.tts_pipeline.engines.speaking import COMMAND, PROGRAM, speak
from tts_pipeline.audio.quality import check
from tts_pipeline.engines import VoiceSettings, engine
from tts_pipeline.engines.command import CommandEngine
from tts_pipeline.errors import SpeechFailed, UnusableVoice

USUAL = VoiceSettings()


def python(program: str, *arguments: str) -> CommandEngine:
    return CommandEngine([sys.executable, "-c", program, *arguments])


def test_its_exit_code_and_its_last_words_are_in_the_reason():
    with pytest.raises(SpeechFailed, match="exit code 1: I will not say that"):
        speak(COMMAND, "refuse this")


def test_its_death_is_told():
    with pytest.raises(SpeechFailed, match="killed by SIGKILL"):
        python("import os; os.kill(os.getpid(), 9)").synthesize("a", USUAL)


@pytest.mark.parametrize("program", ["", "print('no sound')", "import sys; sys.stdout.write('RIFF0000WAVEfmt ')"])
def test_what_is_no_sound_is_refused(program):
    with pytest.raises(SpeechFailed, match="sound"):
        python(program).synthesize("a", USUAL)


def test_a_file_is_read_where_it_is_written():
    program = f"import sys, subprocess; open(sys.argv[1], 'wb').write(subprocess.run([sys.executable, {str(PROGRAM)!r}, '1'], input=sys.argv[2].encode(), capture_output=True).stdout)"  # noqa: E501
    clip = python(program, "{out}", "{text}").synthesize("x" * 50, USUAL)
    assert clip.seconds == pytest.approx(3.0)


def test_a_text_is_one_argument_whatever_is_in_it():
    text = "a b; $(touch x) `id` 'q' \"r\" {out} {rate} | & > \\"
    program = "import sys; sys.exit(repr(sys.argv[1:]))"
    with pytest.raises(SpeechFailed) as caught:
        python(program, "<{text}>", "{unknown}", "{rate}").synthesize(text, USUAL)
    assert caught.value.reason == f"exit code 1: {[f'<{text}>', '{unknown}', '1.0']!r}"


def test_a_program_that_does_not_read_its_input_is_no_error_of_its_own():
    with pytest.raises(SpeechFailed, match="exit code 3"):
        python("raise SystemExit(3)").synthesize("word " * 100_000, USUAL)


@pytest.mark.parametrize("setting", [{"rate": 1.5}, {"pitch": 1.5}, {"volume": 0.5}, {"voice": "x"}])
def test_a_setting_without_a_place_is_refused(setting):
    with pytest.raises(UnusableVoice, match=f"put {{{next(iter(setting))}}} among its arguments"):
        python("").synthesize("a", VoiceSettings(**setting))


@pytest.mark.parametrize("command", [[], ["no-such-program"], ["/"]])
def test_a_program_that_is_not_there_is_refused(command):
    with pytest.raises(UnusableVoice):
        CommandEngine(command)


NAMING = ["{}", "--model={}", "model={}", "-m{}"]


@pytest.mark.parametrize("argument", NAMING)
def test_its_fingerprint_changes_with_a_file_that_it_names(argument, tmp_path):
    model = tmp_path / "voice.model"
    model.write_text("one")
    speaker = CommandEngine([sys.executable, argument.format(model)])
    before = speaker.fingerprint()
    assert speaker.fingerprint() == before
    model.write_text("two")
    assert speaker.fingerprint() != before
    model.unlink()
    assert speaker.fingerprint() != before
    model.write_text("one")
    assert speaker.fingerprint() == before


def test_its_fingerprint_changes_with_its_program_and_its_arguments(tmp_path):
    program = tmp_path / "speaker"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o700)
    prints = [CommandEngine([str(program), *arguments]).fingerprint() for arguments in ([], ["--fast"])]
    newer = tmp_path / "newer"
    newer.write_text("#!/bin/sh\nexit 2\n")
    newer.chmod(0o700)
    newer.replace(program)
    prints.append(CommandEngine([str(program)]).fingerprint())
    assert len(set(prints)) == 3


def test_its_fingerprint_changes_with_the_file_of_the_voice_that_is_asked_for(tmp_path):
    for name in ("anna", "bert"):
        (tmp_path / f"{name}.model").write_text(name)
    speaker = CommandEngine([sys.executable, f"--model={tmp_path}/{{voice}}.model"])
    before = {name: speaker.fingerprint_for(VoiceSettings(voice=name)) for name in ("anna", "bert")}
    (tmp_path / "anna.model").write_text("hoarse")
    assert speaker.fingerprint_for(VoiceSettings(voice="anna")) != before["anna"]
    assert speaker.fingerprint_for(VoiceSettings(voice="bert")) == before["bert"]


def test_a_large_file_is_not_read_to_see_whether_it_changed(tmp_path):
    model = tmp_path / "large.model"
    with model.open("wb") as file:
        file.truncate(1 << 40)
    speaker = CommandEngine([sys.executable, str(model)])
    before = speaker.fingerprint()
    with model.open("wb") as file:
        file.truncate((1 << 40) + 1)
    assert speaker.fingerprint() != before


@pytest.mark.parametrize("text", ["--help", "-5 degrees.", "-", "--"])
def test_a_text_that_begins_with_a_dash_is_no_option(text):
    program = (
        "import argparse, sys; p = argparse.ArgumentParser(); p.add_argument('text'); sys.exit(p.parse_args().text)"
    )
    with pytest.raises(SpeechFailed) as caught:
        python(program, "{text}").synthesize(text, USUAL)
    assert caught.value.reason == f"exit code 1: {text}"


def test_on_its_input_a_text_is_as_it_is():
    with pytest.raises(SpeechFailed, match="exit code 1: -5 degrees"):
        python("import sys; sys.exit(sys.stdin.read())").synthesize("-5 degrees.", USUAL)


ENDLESS = "while True: print('x' * 100_000)"
ENDLESS_FILE = "import sys, time\nwith open(sys.argv[1], 'wb') as file: file.truncate(10**12)\ntime.sleep(600)"


@pytest.mark.parametrize(("program", "arguments"), [(ENDLESS, []), (ENDLESS_FILE, ["{out}"]), (ENDLESS, ["{out}"])])
def test_a_program_that_writes_for_ever_is_killed(program, arguments):
    with pytest.raises(SpeechFailed, match="killed when it had written more than 200 MB"):
        python(program, *arguments).synthesize("a", USUAL)


def test_a_program_that_complains_without_end_is_heard_at_its_end():
    program = "import sys; sys.stderr.write('x' * 5_000_000 + 'no voice'); sys.exit(2)"
    with pytest.raises(SpeechFailed) as caught:
        python(program).synthesize("a", USUAL)
    assert caught.value.reason.startswith("exit code 2: xxx")
    assert caught.value.reason.endswith("xxx" + "no voice")
    assert len(caught.value.reason) < 600


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [([], "it ended well, but printed no sound: no model"), (["{out}"], "it ended well, but wrote no sound to {out}")],
)
def test_where_no_sound_is_there_what_it_said_is_the_reason(arguments, reason):
    with pytest.raises(SpeechFailed) as caught:
        python("import sys; sys.stderr.write('no model')", *arguments).synthesize("a", USUAL)
    assert caught.value.reason.startswith(reason)


def test_a_name_need_not_be_utf_8(tmp_path):
    program = os.fsdecode(os.fsencode(tmp_path) + b"/sp\xe9aker")
    Path(program).write_bytes(f"#!{sys.executable}\n".encode() + PROGRAM.read_bytes())
    Path(program).chmod(0o700)
    name = "command:" + shlex.join([program, "1"])
    check(engine(name).synthesize("It speaks.", USUAL), "It speaks.")
    assert engine(name).fingerprint().isascii()
    Path(program).chmod(0o600)
    with pytest.raises(SpeechFailed, match="can't be started"):
        engine(name).synthesize("It speaks.", USUAL)


@pytest.mark.parametrize("codec", ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le"])
@pytest.mark.parametrize("layout", ["mono", "stereo"])
def test_any_wav_becomes_one_channel_of_sixteen_bits(codec, layout, tmp_path):
    path = write(tmp_path / "clip.wav", codec, layout)
    clip = CommandEngine(
        [sys.executable, "-c", f"import sys; sys.stdout.buffer.write(open({str(path)!r}, 'rb').read())"]
    ).synthesize("a", USUAL)
    assert clip.rate == 16_000
    assert clip.seconds == pytest.approx(1.0, abs=0.01)
    assert 7_500 < np.abs(clip.samples.astype(int)).max() < 8_500


def test_a_head_without_a_length_is_read_to_its_end(tmp_path):
    path = write(tmp_path / "clip.wav", "pcm_s16le", "mono")
    data = bytearray(path.read_bytes())
    at = data.index(b"data") + 4
    data[at : at + 4] = b"\xff\xff\xff\xff"
    data[4:8] = b"\xff\xff\xff\xff"
    path.write_bytes(bytes(data))
    program = f"import sys; sys.stdout.buffer.write(open({str(path)!r}, 'rb').read())"
    assert python(program).synthesize("a", USUAL).seconds == pytest.approx(1.0, abs=0.01)


def test_an_aiff_is_read_too(tmp_path):
    path = write(tmp_path / "clip.aiff", "pcm_s16be", "mono")
    program = f"import sys; sys.stdout.buffer.write(open({str(path)!r}, 'rb').read())"
    assert python(program).synthesize("a", USUAL).seconds == pytest.approx(1.0, abs=0.01)


def test_a_line_is_split_as_a_shell_would():
    assert shlex.quote(sys.executable) in COMMAND


def write(path, codec, layout):
    """Write a second of a tone with PyAV."""
    import av

    tone = (8000 * np.sin(np.arange(16_000) / 10)).astype(np.int16)
    channels = 2 if layout == "stereo" else 1
    frame = av.AudioFrame.from_ndarray(np.repeat(tone, channels).reshape(1, -1), "s16", layout)
    frame.rate = 16_000
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=16_000, layout=layout)
        resampler = av.AudioResampler(stream.format.name, layout, 16_000)
        for part in resampler.resample(frame):
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))
    return path
