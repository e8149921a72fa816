"""Any program can be a voice; how it fails is told, and no text is ever taken for a command."""

import shlex
import sys

import numpy as np
import pytest

from tests.tts_pipeline.engines.speaking import COMMAND, PROGRAM, speak
from tts_pipeline.engines import VoiceSettings
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


def test_its_fingerprint_changes_with_the_command_and_with_the_files_that_it_names(tmp_path):
    model = tmp_path / "voice.model"
    model.write_text("one")
    prints = {CommandEngine([sys.executable, str(model)]).fingerprint() for _ in range(2)}
    prints.add(CommandEngine([sys.executable, str(model), "--fast"]).fingerprint())
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "voice.model"
    other.write_text("two")
    prints.add(CommandEngine([sys.executable, str(other)]).fingerprint())
    assert len(prints) == 3


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
