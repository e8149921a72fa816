"""Which lists of a text of Markdown are its table of contents?"""

from __future__ import annotations

from collections.abc import Iterator

from markdown_it.token import Token

from tts_pipeline.documents.plain.words import CONTENTS

_FEWEST = 3
_FEWEST_IF_SURE = 2
"""Where they are announced, or where there is nothing before them but headings."""
_PLACEHOLDERS = frozenset({"[toc]", "[[toc]]", "[[_toc_]]", "{:toc}", "{{toc}}"})


def without_contents(tokens: list[Token]) -> Iterator[Token]:
    """Leave out the list of links to other places that begins a text or is announced, and marks where one goes."""
    left_out = _lists(tokens) | _placeholders(tokens)
    return (token for at, token in enumerate(tokens) if at not in left_out)


def _lists(tokens: list[Token]) -> set[int]:
    found: set[int] = set()
    start = heading_count = text_count = 0
    for at, token in enumerate(tokens):
        heading_count += token.type == "heading_open"
        text_count += token.type == "paragraph_open" and token.level == 0
        if token.level == 0 and token.type in {"bullet_list_open", "ordered_list_open"}:
            start = at
        elif token.level == 0 and token.type in {"bullet_list_close", "ordered_list_close"}:
            lines = [each for each in tokens[start : at + 1] if each.type == "inline"]
            begin = _with_heading(tokens, start)
            is_announced = begin < start
            fewest = _FEWEST_IF_SURE if is_announced or not text_count else _FEWEST
            if (heading_count <= 1 or is_announced) and len(lines) >= fewest and all(map(_is_link, lines)):
                found.update(range(begin, at + 1))
    return found


def _with_heading(tokens: list[Token], start: int) -> int:
    """Return where a table begins: at the heading or the line that announces it."""
    announcement = tokens[start - 2].content if start >= 3 and tokens[start - 2].type == "inline" else ""
    return start - 3 if announcement.strip("*_ .:").casefold() in CONTENTS else start


def _placeholders(tokens: list[Token]) -> set[int]:
    return {
        at
        for at, token in enumerate(tokens)
        if token.type == "inline" and "".join(token.content.split()).lower() in _PLACEHOLDERS
    }


def _is_link(token: Token) -> bool:
    """Return whether a line has no words outside of links to a place in this text or to a file beside it."""
    depth = 0
    is_linked = False
    for child in token.children or ():
        depth += child.nesting if child.type in {"link_open", "link_close"} else 0
        if child.type == "link_open":
            href = str(child.attrs.get("href", ""))
            is_linked = href.startswith("#") or (
                "://" not in href and href.split("#", maxsplit=1)[0].endswith((".md", ".html"))
            )
            if not is_linked:
                return False
        elif not depth and any(map(str.isalnum, child.content)):
            return False
    return is_linked
