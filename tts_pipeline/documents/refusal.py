"""How does a part of a reader say that a file can't be read, without knowing which file it is?"""

from __future__ import annotations


class Refused(Exception):
    """The reason, in one sentence; `read` adds the path and raises UnreadableDocument."""
