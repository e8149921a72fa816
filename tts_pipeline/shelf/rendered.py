"""What of a revision need not be rendered again, since the revision before has it?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from tts_pipeline.book import Item
from tts_pipeline.casting import Role
from tts_pipeline.shelf.rows import Rendition

Said = tuple[str, int, Role]
"""The words that the voice is given, in which take, and whose voice it is."""


@dataclass(frozen=True)
class Rendered:
    """Renditions, by what is said in them."""

    renditions: Mapping[Said, Rendition] = field(default_factory=dict)

    @classmethod
    def by(cls, cast: Mapping[str, Role], pairs: Iterable[tuple[Item, Rendition | None]]) -> Self:
        """Return what a cast has rendered of these items."""
        return cls({_said(item, cast): made for item, made in pairs if made is not None})

    def of(self, item: Item, cast: Mapping[str, Role]) -> Rendition | None:
        """Return the rendition of an item in the voice that a cast has for it."""
        return self.renditions.get(_said(item, cast)) if item.is_heard else None


def _said(item: Item, cast: Mapping[str, Role]) -> Said:
    return item.said, item.take, cast[item.language]
