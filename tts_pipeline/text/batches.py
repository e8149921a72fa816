"""Which items make one task?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tts_pipeline.book import Item

Batch = tuple[Item, ...]


def batches(items: Sequence[Item], size: int = 24) -> list[Batch]:
    """Divide items into tasks of at most `size`: cut at ends of chapters and blocks, and where a block is longer."""
    if size < 1:
        raise ValueError(f"a task has at least one item, not {size}")
    made: list[Batch] = []
    for block in _blocks(items):
        fits = made and made[-1][-1].chapter == block[0].chapter and len(made[-1]) + len(block) <= size
        if fits:
            made[-1] += block
        else:
            made.extend(block[at : at + size] for at in range(0, len(block), size))
    return made


def _blocks(items: Sequence[Item]) -> Iterator[Batch]:
    start = 0
    for at, item in enumerate(items):
        is_last = at + 1 == len(items)
        if is_last or item.ends_block or items[at + 1].chapter != item.chapter:
            yield tuple(items[start : at + 1])
            start = at + 1
