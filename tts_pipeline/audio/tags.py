"""What does a player show of a book, and under which names does it look for it?

The keys are FFmpeg's. In an MP4 they become title ©nam, artist ©ART, album_artist aART,
album ©alb, composer ©wrt, genre ©gen, date ©day, description desc, media_type stik (2 is an
audiobook), and grouping ©grp, which `atoms` turns into ©nrt. In an MP3 they become TIT2,
TPE1, TPE2, TALB, TCOM, TCON, TDRC or TYER, and TLAN. Vorbis comments, RIFF and ID3 in a WAV
are written by ourselves, under their own names. A narrator has no place that all agree on:
most players look for a composer, Apple's store for ©nrt, Vorbis has performers.
"""

from __future__ import annotations

from dataclasses import dataclass

from tts_pipeline.audio.languages import three_letters
from tts_pipeline.graphemes import fit

MOST_TITLE_BYTES = 255
"""The title of a chapter has one byte for its length in an MP4."""

_VORBIS = {
    "title": "title",
    "album": "album",
    "artist": "artist",
    "album_artist": "albumartist",
    "composer": "composer",
    "narrator": "performer",
    "genre": "genre",
    "date": "date",
    "description": "description",
    "language": "language",
}
_RIFF = {
    "title": "INAM",
    "album": "IPRD",
    "artist": "IART",
    "composer": "IMUS",
    "genre": "IGNR",
    "date": "ICRD",
    "description": "ICMT",
    "language": "ILNG",
}
_ID3 = {
    "title": "TIT2",
    "album": "TALB",
    "artist": "TPE1",
    "album_artist": "TPE2",
    "composer": "TCOM",
    "genre": "TCON",
    "date": "TYER",
    "language": "TLAN",
}


@dataclass(frozen=True)
class BookTags:
    """What is known of a book."""

    title: str
    author: str | None = None
    narrator: str | None = None
    language: str | None = None
    """As a BCP 47 tag."""
    genre: str = "Audiobook"
    year: str | None = None
    description: str | None = None
    cover: bytes | None = None
    """A picture of any usual kind."""

    @property
    def language_code(self) -> str:
        """The language in three letters."""
        return three_letters(self.language)

    def for_mp4(self) -> dict[str, str]:
        """Return what is written into an MP4."""
        return _lines(self._shared() | {"description": self.description, "media_type": "2", "grouping": self.narrator})

    def for_mp3(self) -> dict[str, str]:
        """Return what is written into an MP3."""
        return _lines(self._shared() | {"language": self.language_code})

    def for_vorbis(self) -> list[tuple[str, str]]:
        """Return what is written into an Opus or FLAC file."""
        return _renamed(self._described() | {"narrator": self.narrator}, _VORBIS)

    def for_riff(self) -> list[tuple[str, str]]:
        """Return what is written into a WAV's own list."""
        return _renamed(self._described(), _RIFF)

    def for_id3(self) -> list[tuple[str, str]]:
        """Return what is written into a WAV's ID3 tag."""
        return _renamed(self._described(), _ID3)

    def _described(self) -> dict[str, str | None]:
        return self._shared() | {"description": self.description, "language": self.language_code}

    def _shared(self) -> dict[str, str | None]:
        return {
            "title": self.title,
            "album": self.title,
            "artist": self.author,
            "album_artist": self.author,
            "composer": self.narrator,
            "genre": self.genre,
            "date": self.year,
        }


def chapter_title(text: str, number: int) -> str:
    """Return what stands at a chapter's mark: its title, or its number where it has none."""
    return fit(_line(text), MOST_TITLE_BYTES) or str(number)


def _renamed(tags: dict[str, str | None], names: dict[str, str]) -> list[tuple[str, str]]:
    return [(names[key], line) for key, line in _lines(tags).items() if key in names]


def _lines(tags: dict[str, str | None]) -> dict[str, str]:
    return {key: line for key, text in tags.items() if text and (line := _line(text))}


def _line(text: str) -> str:
    """Return it in one line that can be encoded."""
    return " ".join(text.replace("\0", " ").encode(errors="replace").decode().split())
