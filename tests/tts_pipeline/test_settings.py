"""Settings say what a book becomes, however they are written."""

import pytest

from queue_core.console.failed import BadSetting
from tts_pipeline.audio.codec import CodecName, CodecSettings, Effort
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
