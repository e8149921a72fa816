"""Which voices are there, and what do they sound like?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.failed import Refused
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_note, print_table
from tts_pipeline.cli.options import VOICE, setting_options
from tts_pipeline.cli.session import Session, pass_session

if TYPE_CHECKING:
    from tts_pipeline.engines import Clip, Voice

_COLUMNS = (
    Column("VOICE"),
    Column("ENGINE"),
    Column("LANGUAGES"),
    Column("GENDER", rank=1),
    Column("DESCRIPTION", is_text=True),
)
_ALL = "all"
_ANY_ENGINE = {None, "auto"}


@click.command(
    epilog=examples("tts-pipeline voices", "tts-pipeline voices --language de", "tts-pipeline voices --engine espeak")
)
@click.option("--engine", metavar="NAME", help="Only the voices of this engine.")
@click.option("--language", metavar="TAG", default="en", show_default=True, help="Only those that speak it; or all.")
@json_option
@pass_session
def voices(session: Session, engine: str | None, language: str, as_json: bool) -> None:  # noqa: ARG001
    """List the voices that are installed, for one language or all."""
    found = _voices(engine, language)
    if as_json:
        print_json([voice.model_dump() for voice in found])
        return
    if found:
        print_table(_COLUMNS, [_row(voice) for voice in found])
    if not found or (engine in _ANY_ENGINE and not any(_is_of(voice, language) for voice in found)):
        print_note(f"no voice {f'of {engine} ' if engine else ''}speaks {language}: --language all lists what there is")
    if engine in _ANY_ENGINE:
        _tell_absent()


def _is_of(voice: Voice, language: str) -> bool:
    """Say whether it speaks this language, rather than whatever there is."""
    from tts_pipeline.engines import ANY_LANGUAGE

    return language == _ALL or ANY_LANGUAGE not in voice.languages


def _voices(engine: str | None, language: str) -> list[Voice]:
    from tts_pipeline.engines import available
    from tts_pipeline.engines import engine as engine_of

    names = [each.name for each in available() if each.reason is None] if engine in _ANY_ENGINE else [str(engine)]
    return [voice for name in names for voice in engine_of(name).voices() if _speaks(voice, language)]


def _speaks(voice: Voice, language: str) -> bool:
    from tts_pipeline.documents.language import tag_of
    from tts_pipeline.engines.base import primary, speaks

    if language == _ALL:
        return True
    tag = tag_of(language)
    if tag is None:
        raise Refused(f"--language: {language!r} is no language")
    return speaks(map(primary, voice.languages), tag)


def _row(voice: Voice) -> tuple[str, ...]:
    return voice.name, voice.engine, ", ".join(voice.languages[:4]), voice.gender or "", voice.description


def _tell_absent() -> None:
    from tts_pipeline.engines import available

    for each in available():
        if each.reason is not None:
            print_note(f"{each.name} can't be used: {each.reason}")


@click.command(
    epilog=examples(
        'tts-pipeline say "Good evening."',
        'tts-pipeline say "Guten Abend." --language de --out abend.wav',
        'tts-pipeline say "Slowly, please." --engine espeak --voice en+f2 --rate 0.8',
    )
)
@click.argument("text")
@setting_options(VOICE)
@click.option("--language", metavar="TAG", help="The language of the text; else the configured one, or English.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("say.wav"),
    show_default=True,
    help="The file that is written: .wav or .flac.",
)
@pass_session
def say(session: Session, /, text: str, out: Path, **flags: Any) -> None:
    """Speak a text into a file, to hear what a voice sounds like."""
    if not text.strip():
        raise Refused("TEXT: there is nothing to say")
    session.lay_over(flags)
    clip, who = _spoken(session, text)
    _write(clip, out)
    click.echo(f"{out}  ({clip.seconds:.1f} s, {who})")


def _spoken(session: Session, text: str) -> tuple[Clip, str]:
    from tts_pipeline.casting import cast, voice_settings
    from tts_pipeline.engines.registry import engine

    settings = session.settings
    language, speech = settings.language or "en", settings.speech()
    role = cast([], language, speech)[language]
    return engine(role.engine).synthesize(text, voice_settings(role, speech)), role.engine


def _write(clip: Clip, out: Path) -> None:
    from tts_pipeline.audio.clips import Sound, to_flac
    from tts_pipeline.durable import whole

    if out.suffix.lower() not in {".wav", ".flac"}:
        raise Refused(f"--out: {out.name} is neither .wav nor .flac")
    with whole(out) as partial:
        if out.suffix.lower() == ".flac":
            partial.write_bytes(to_flac(Sound(clip.samples, clip.rate)))
        else:
            _write_wav(clip, partial)


def _write_wav(clip: Clip, path: Path) -> None:
    import wave

    with path.open("wb") as opened, wave.open(opened, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(clip.rate)
        file.writeframes(clip.samples.astype("<i2", copy=False).tobytes())
