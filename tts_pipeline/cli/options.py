"""Which settings does a command take as flags?

A flag is checked by the settings themselves, like what a file or a variable says: here are only their names. The
help texts stand here once more, since the settings import all that they are about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

VOICE = {
    "engine": ("NAME", "Who speaks: auto, hibari, pyttsx3, espeak, or command:PROGRAM."),
    "voice": ("NAME", "One of the engine's voices; see tts-pipeline voices."),
    "rate": ("NUMBER", "How fast: 2 is twice as fast."),
    "pitch": ("NUMBER", "How high: 2 is an octave above."),
    "volume": ("NUMBER", "How loud the voice speaks, up to 1."),
}
BOOK = {
    **VOICE,
    "fallback_engine": ("NAME", "Speaks the sentences that the engine can't."),
    "language": ("TAG", "The language, whatever the document says: en, pt-BR, French."),
    "notes": ("skip|inline|end", "What becomes of footnotes."),
    "verse": ("line|couplet", "How much of a poem is spoken in one go."),
    "longest": ("CHARACTERS", "The longest that is spoken in one go."),
    "pause_clause": ("MS", "Silence inside of a sentence that was too long."),
    "pause_sentence": ("MS", "Silence after a sentence."),
    "pause_line": ("MS", "Silence after a line of verse or code."),
    "pause_paragraph": ("MS", "Silence after a paragraph."),
    "pause_heading": ("MS", "Silence after a heading."),
    "pause_scene": ("MS", "Silence for a change of scene."),
    "pause_chapter": ("MS", "Silence after a chapter."),
    "sample_rate": ("HERTZ", "Samples a second."),
    "format": ("NAME[,NAME]...", "What a book becomes: m4b, mp3, mp3-chapters, opus, flac, wav."),
    "bit_rate": ("NUMBER", "Bits a second; else what the codec needs."),
    "encoding": ("quick|thorough", "Whether encoders take their time."),
    "normalize": ("", "Whether every chapter is brought to one loudness."),
    "outputs": ("FOLDER", "Where audiobooks are published."),
    "batch": ("NUMBER", "Sentences in a task at most."),
    "attempts": ("NUMBER", "How often a task is tried."),
    "sentence_timeout": ("TIME", "How long one sentence may take to be spoken."),
}
EFFORT = {
    "fallback_engine": BOOK["fallback_engine"],
    "attempts": BOOK["attempts"],
    "sentence_timeout": BOOK["sentence_timeout"],
}
WORK = {
    **EFFORT,
    "workers": ("NUMBER", "Worker processes; else one for each core."),
    "size": ("NUMBER", "How many tasks a worker claims at a time."),
}


def setting_options(settings: Mapping[str, tuple[str, str]]) -> Callable[[F], F]:
    """Give a command flags for settings; they arrive as keywords, as text, None where nothing was said.

    Without a metavar, a flag takes no value: it turns something on or, with `no-` before its name, off.
    """

    def decorate(command: F) -> F:
        for name, (metavar, about) in reversed(list(settings.items())):
            key = name.replace("_", "-")
            if metavar:
                command = click.option(f"--{key}", name, metavar=metavar, help=about)(command)
            else:
                command = click.option(f"--{key}/--no-{key}", name, default=None, help=about)(command)
        return command

    return decorate


PATHS = click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
BOOKS = click.argument("names", metavar="[BOOK]...", nargs=-1)
SOME_BOOKS = click.argument("names", metavar="BOOK...", nargs=-1, required=True)
