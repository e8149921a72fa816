"""How do books lie in the database, beside the tasks that make them?

Times are integer UTC milliseconds, everything structured JSON text, as in the queue's own tables. A book's row
outlives its tasks, which the queue deletes some time after they ended.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
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
    text,
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
    Column("wording", Text, nullable=False),  # digest of the pronunciations and edits that the revision was made with
    Column("priority", Integer, nullable=False),  # of the tasks of its next revision, too
    Column("is_paused", Boolean, nullable=False),
    Column("told", Text),  # JSON: of which revision its ending was told to hooks last, and which it was
    UniqueConstraint("content", "settings"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("reason", Text, nullable=False),  # for people: why it was made
    Column("created_at", BigInteger, nullable=False),
    Column("sentence_count", Integer, nullable=False),
    Column("kept_count", Integer, nullable=False),  # sentences that need no rendering: the one before had them
    Column("spent_ms", BigInteger, nullable=False),  # by workers, written when the next one begins
    PrimaryKeyConstraint("book_id", "revision"),
)

edits = Table(
    "edits",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("number", Integer, nullable=False),  # of the edits of its book, from 0
    Column("edit", Text, nullable=False),  # JSON: wording.Edit
    PrimaryKeyConstraint("book_id", "number"),
)

watched = Table(
    "watched",
    metadata,
    Column("path", Text, primary_key=True),  # of a file or, for a series, of its folder
    Column("state", Text, nullable=False),  # what it looked like when it was taken in last, and with which settings
    Column("book_id", Text),  # none where it could not be read
    Column("problem", Text),  # why it could not be read
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
    Column("sentence_count", Integer, nullable=False),
    Column("task_id", Text),  # none where all of it was taken over from the revision before
    Column("rendered_count", Integer, nullable=False),
    Column("sample_count", BigInteger, nullable=False),
    Column("renditions", Text, nullable=False),  # JSON: one for each item, null where there is none
    Column("failures", Text, nullable=False),  # JSON: the sentences that failed in the last attempt
    Column("spent_ms", BigInteger, nullable=False, server_default="0"),  # by workers, on all attempts
    PrimaryKeyConstraint("book_id", "revision", "number"),
    Index("batches_of_chapter", "book_id", "revision", "chapter"),
    Index("batches_rendered", "book_id", "revision", "rendered_count"),  # all that a look at many books reads
)
_FAILED = text("failures != '[]'")
Index("batches_failed", batches.c.book_id, sqlite_where=_FAILED, postgresql_where=_FAILED)

encoded_chapters = Table(
    "encoded_chapters",
    metadata,
    Column("book_id", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("encoding", Text, nullable=False),  # how: formats that agree in it share their chapters
    Column("chapter", Integer, nullable=False),
    Column("key", Text),  # where it lies in the store, once it is encoded
    Column("missing", Text),  # JSON: the numbers of the items that are not in it
    Column("spent_ms", BigInteger, nullable=False, server_default="0"),
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
