"""What was decided about single sentences of a book?"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from tts_pipeline.shelf.schema import edits
from tts_pipeline.wording import Edit


def edits_of(connection: Connection, book_id: str) -> tuple[Edit, ...]:
    """Return the edits of a book, in the order in which they were made."""
    query = select(edits.c.edit).where(edits.c.book_id == book_id).order_by(edits.c.number)
    return tuple(Edit.model_validate_json(each) for each in connection.scalars(query))


def replace_edits(connection: Connection, book_id: str, wanted: Sequence[Edit]) -> None:
    """Write the edits of a book, instead of those that it had; those that change nothing are left out."""
    connection.execute(delete(edits).where(edits.c.book_id == book_id))
    rows = [
        {"book_id": book_id, "number": number, "edit": edit.model_dump_json()}
        for number, edit in enumerate(each for each in wanted if not each.is_idle)
    ]
    if rows:
        connection.execute(insert(edits), rows)
