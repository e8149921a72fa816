"""How do books lie in the database, beside the tasks that make them?

Times are integer UTC milliseconds, everything structured JSON text, as in the queue's own tables. A book's row
outlives its tasks, which the queue deletes some time after they ended.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    inspect,
    select,
)

from tts_pipeline.errors import ShelfTooNew

VERSION = 1

metadata = MetaData()

shelf_version = Table("shelf_version", metadata, Column("version", Integer, primary_key=True))

books = Table(
    "books",
    metadata,
    Column("id", Text, primary_key=True),
    Column("content", Text, nullable=False),  # SHA-256 of the source file
    Column("settings", Text, nullable=False),  # digest of what was asked for
    Column("revision", Integer, nullable=False),
    Column("manifest", Text, nullable=False),  # where the revision lies in the store
    Column("title", Text, nullable=False),
    Column("author", Text),
    Column("language", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("folder", Text, nullable=False, unique=True),  # where it is published; no two books share one
    Column("chapter_count", Integer, nullable=False),
    Column("sentence_count", Integer, nullable=False),
    Column("expected_ms", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    UniqueConstraint("content", "settings"),
)

sources = Table(
    "sources",
    metadata,
    Column("path", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("book_id", Text, nullable=False),
    PrimaryKeyConstraint("path", "settings"),
    Index("sources_of_book", "book_id"),
)

batches = Table(
    "batches",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("chapter", Integer, nullable=False),
    Column("digest", Text, nullable=False),  # of what is spoken in it, and by whom
    Column("sentence_count", Integer, nullable=False),
    Column("task_id", Text),  # none where all of it was taken over from the revision before
    Column("rendered_count", Integer, nullable=False),
    Column("sample_count", BigInteger, nullable=False),
    Column("renditions", Text, nullable=False),  # JSON: one for each item, null where there is none
    Column("failures", Text, nullable=False),  # JSON: the sentences that failed in the last attempt
    PrimaryKeyConstraint("book_id", "revision", "number"),
    Index("batches_of_chapter", "book_id", "revision", "chapter"),
)

encoded_chapters = Table(
    "encoded_chapters",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("encoding", Text, nullable=False),  # how: formats that agree in it share their chapters
    Column("chapter", Integer, nullable=False),
    Column("key", Text),  # where it lies in the store, once it is encoded
    Column("missing", Text),  # JSON: the numbers of the items that are not in it
    PrimaryKeyConstraint("book_id", "revision", "encoding", "chapter"),
)

publications = Table(
    "publications",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("place", Integer, nullable=False),  # among the formats of its book, from 0
    Column("wanted", Text, nullable=False),  # JSON: how it is encoded
    Column("published_revision", Integer),
    Column("published_at", BigInteger),
    Column("file", Text),
    Column("seconds", Integer),
    Column("missing_count", Integer),
    PrimaryKeyConstraint("book_id", "format"),
)


def is_prepared(connection: Connection) -> bool:
    """Say whether the tables are there; raises ShelfTooNew where a newer version of this code was at work."""
    if not inspect(connection).has_table(shelf_version.name):
        return False
    found: Any = connection.scalar(select(shelf_version.c.version))
    if found is not None and found > VERSION:
        raise ShelfTooNew(found, VERSION)
    return found is not None


def prepare(connection: Connection) -> None:
    """Make the tables where there are none; the caller holds the shelf's lock."""
    if not is_prepared(connection):
        metadata.create_all(connection)
        connection.execute(shelf_version.insert().values(version=VERSION))
