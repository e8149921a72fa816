"""Settings say what a book becomes, however they are written."""

import io

import numpy as np
import pytest

from queue_core.console.failed import BadSetting, Refused
from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecName, CodecSettings, Effort
from tts_pipeline.audio.encode import Piece, encode_chapter
from tts_pipeline.settings import LAYERS, Settings


def found(tmp_path, text: str = "", **flags: object) -> Settings:
    file = tmp_path / "tts-pipeline.toml"
    file.write_text(text, encoding="utf-8")
    return LAYERS.look_up(file, flags).settings


@pytest.mark.parametrize("written", ['format = ["mp3", "M4B"]', 'format = "mp3, m4b"', 'format = ".mp3,m4b,mp3"'])
def test_formats_are_a_list_or_names_with_commas_each_once(tmp_path, written):
    assert [each.format for each in found(tmp_path, written).publishings()] == ["mp3", "m4b"]


@pytest.mark.parametrize("flag", ["ogg", "m4b,ogg", "", "m4b,,mp3"])
def test_an_unknown_format_is_refused_with_those_that_there_are(tmp_path, flag):
    with pytest.raises(BadSetting, match=r"--format: .* is not one of m4b, mp3, mp3-chapters, opus, flac, wav"):
        found(tmp_path, format=flag)


def test_each_format_takes_the_bit_rate_of_its_codec_unless_one_is_given(tmp_path):
    def rates(**flags: object) -> list[int]:
        wanted = found(tmp_path, format="m4b,opus,flac", **flags).publishings()
        return [each.encoding.codec_settings(24_000).bit_rate for each in wanted]

    assert rates() == [64_000, 32_000, 0]
    assert rates(bit_rate="96000") == [96_000, 96_000, 0]


@pytest.mark.parametrize(
    ("formats", "bit_rate"), [("opus", 256_001), ("m4b,opus", 320_000), ("opus,flac", 257_000), ("mp3,opus", 300_000)]
)
def test_a_bit_rate_that_one_of_the_formats_has_not_is_refused(tmp_path, formats, bit_rate):
    with pytest.raises(Refused, match=f"^opus has bit rates from 8000 to 256000, not {bit_rate}$"):
        found(tmp_path, f"bit-rate = {bit_rate}", format=formats)


@pytest.mark.parametrize(("formats", "bit_rate"), [("m4b,mp3", 320_000), ("opus,wav", 256_000), ("flac,wav", 320_000)])
def test_the_highest_bit_rate_of_each_codec_encodes(tmp_path, formats, bit_rate):
    sound = Sound((np.sin(np.arange(24_000) / 10) * 8000).astype(np.int16), 24_000)
    for each in found(tmp_path, format=formats, bit_rate=bit_rate).publishings():
        settings = each.encoding.codec_settings(24_000)
        assert encode_chapter([Piece(sound, 0)], settings, io.BytesIO()).sample_count == 24_000


def test_how_chapters_are_encoded_is_set_for_all_formats(tmp_path):
    (wanted,) = found(tmp_path, 'format = "mp3"\nencoding = "thorough"\nnormalize = false').publishings()
    assert not wanted.normalize
    assert wanted.encoding.codec_settings(22_050) == CodecSettings(
        codec=CodecName.MP3, rate=22_050, bit_rate=64_000, effort=Effort.THOROUGH
    )


def test_what_does_not_change_the_chapters_does_not_encode_them_again(tmp_path):
    mp3, tracks, flac, wav = found(tmp_path, format="mp3,mp3-chapters,flac,wav", bit_rate=48_000).publishings()
    assert mp3.encoding == tracks.encoding
    assert flac.encoding == wav.encoding == found(tmp_path, format="wav").publishings()[0].encoding
    assert mp3.encoding.key != found(tmp_path, format="mp3").publishings()[0].encoding.key
