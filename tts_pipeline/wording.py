"""In which words are the sentences of a book given to its voice?

As the document has them, unless the lexicon knows how a word of them is spoken, or somebody edited a sentence. An edit
stays with its sentence from one revision of the book to the next: it is known by its words and by those around it.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from tts_pipeline.book import Item
from tts_pipeline.lexicon import Lexicon


class Edit(BaseModel):
    """What somebody decided about one sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    """The sentence, as the document has it."""
    before: str
    after: str
    """What stands around it."""
    nth: int = Field(ge=0)
    """How many sentences of these words stand before it in the book."""
    say: str | None = None
    """What is spoken instead; None: what the lexicon says."""
    take: int = 0
    """How often another rendering was asked for."""

    @classmethod
    def of(cls, items: Sequence[Item], number: int) -> Self:
        """Return an edit that changes nothing yet, for the sentence at a place of a book."""
        text = items[number].text
        before, after = _around(items, number)
        return cls(text=text, before=before, after=after, nth=sum(item.text == text for item in items[:number]))

    @property
    def is_idle(self) -> bool:
        """Whether it changes nothing."""
        return self.say is None and not self.take


@dataclass(frozen=True)
class Wording:
    """The pronunciations and the edits that hold for a book."""

    lexicon: Lexicon = field(default_factory=Lexicon)
    edits: tuple[Edit, ...] = ()

    @property
    def digest(self) -> str:
        """What is the same for the same words."""
        parts = [self.lexicon.dump(), [edit.model_dump() for edit in self.edits]]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def applied(self, items: Sequence[Item]) -> list[Item]:
        """Return the items of a whole book with what is spoken of each."""
        edited = places(self.edits, items)
        return [self._worded(item, edited.get(at)) for at, item in enumerate(items)]

    def _worded(self, item: Item, edit: Edit | None) -> Item:
        said = edit.say if edit and edit.say is not None else self.lexicon.spoken(item.text, item.language)
        spoken = None if said == item.text else said if any(map(str.isalnum, said)) else ""
        take = edit.take if edit else 0
        return (
            item
            if (spoken, take) == (item.spoken, item.take)
            else item.model_copy(update={"spoken": spoken, "take": take})
        )


def places(edits: Sequence[Edit], items: Sequence[Item]) -> dict[int, Edit]:
    """Return which sentences edits are about, by their place; of equal ones, that which stands most as it stood.

    An edit whose sentence is not there any more has no place. No two edits share one.
    """
    of_text: dict[str, list[int]] = defaultdict(list)
    wanted = {edit.text for edit in edits}
    for at, item in enumerate(items):
        if item.text in wanted:
            of_text[item.text].append(at)
    fits = [
        (-_likeness(edit, items, at), abs(nth - edit.nth), number, at)
        for number, edit in enumerate(edits)
        for nth, at in enumerate(of_text[edit.text])
    ]
    found: dict[int, Edit] = {}
    placed: set[int] = set()
    for _, _, number, at in sorted(fits):  # the best ones first: none takes the place that is another's own
        if number not in placed and at not in found:
            found[at] = edits[number]
            placed.add(number)
    return found


def _likeness(edit: Edit, items: Sequence[Item], at: int) -> int:
    before, after = _around(items, at)
    return (before == edit.before) + (after == edit.after)


def _around(items: Sequence[Item], at: int) -> tuple[str, str]:
    before = items[at - 1].text if at else ""
    after = items[at + 1].text if at + 1 < len(items) else ""
    return before, after
