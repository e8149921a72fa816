"""How much of a new revision of a book was rendered for the one before?"""

from __future__ import annotations

from tts_pipeline.drafting import Draft, sound_of
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.manifest import read_all_items, read_manifest
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.store import Store


def kept_count(shelf: Shelf, store: Store, before: Book, drafted: Draft) -> int:
    """Return how many sentences have clips already, also in batches in which another one has changed."""
    try:
        manifest = read_manifest(store, before.manifest)
        items = read_all_items(store, manifest)
    except (NotStored, DamagedFile):
        return 0
    made = [rendition for batch in shelf.batches(before) for rendition in batch.renditions]
    roles, speech = manifest.cast, manifest.settings.speech
    clips = {sound_of(item, roles, speech) for item, rendition in zip(items, made, strict=False) if rendition}
    said = (item for _, of_chapter in drafted.chapters for item in of_chapter if item.text)
    return sum(sound_of(item, drafted.cast, drafted.speech) in clips for item in said)
