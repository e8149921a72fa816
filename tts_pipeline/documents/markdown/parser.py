"""Which marks and words are in a text of Markdown, and where within its block does each of them stand?

The parser tells the lines of a block, but not where in it a word is, so its state is taught to note that:
in the `map` of what is inside of a block, which it leaves empty.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from tts_pipeline.documents.refusal import Refused

_MARKS = re.compile(r"[\\`*_\[\]<&~]|  \n")
"""What may be more than a character: most blocks have none of it, and are quicker read as they are."""
Environment = MutableMapping[str, Any]


def parsed(text: str, nesting: int) -> tuple[list[Token], Environment]:
    """Return what is in a text, and the notes within its lines; raises Refused where it is nested too deep."""
    too_deep = Refused(f"its lists and quotations are nested more than {nesting} deep")
    environment: Environment = {}
    try:
        tokens = _parser(nesting).parse(text, environment)
    except RecursionError:
        raise too_deep from None
    # What lies deeper than it may is left out by the parser without a word.
    if any(token.level + 2 >= nesting for token in tokens):
        raise too_deep
    return tokens, environment


def _parser(nesting: int) -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.inline = _Inline(MarkdownIt("commonmark"))
    parser.configure("commonmark", options_update={"maxNesting": nesting})
    footnote_plugin(parser, move_to_end=False)
    parser.enable(["table", "strikethrough", "footnote_def", "footnote_inline", "footnote_ref"])
    return parser.disable(["text_join", "fragments_join"])  # what is joined has one place only


class _State(StateInline):
    """What is known while the words of a block are read."""

    base = 0
    """Where a part of a block that is read by itself begins in it."""
    _begun_at = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._begun_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802 (it overrides)
        token = super().pushPending()
        token.map = [self.base + self._begun_at] * 2
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.map = [self.base + self.pos] * 2
        return token


class _Inline(ParserInline):
    """The words of blocks, where a note in the middle of a line is read by itself."""

    def __init__(self, usual: MarkdownIt) -> None:
        super().__init__()
        usual.inline = self
        self._usual = usual
        """Brackets lie in each other no deeper than is usual: time grows with what may be."""
        self._open: list[_State] = []

    def parse(self, src: str, _md: MarkdownIt, env: Environment, tokens: list[Token]) -> list[Token]:
        if not _MARKS.search(src):
            tokens.append(Token("text", "", 0, content=src, map=[0, 0]))
            return tokens
        state = _State(src, self._usual, env, tokens)
        if self._open:
            around = self._open[-1]
            state.base = around.base + max(around.src.find(src, around.pos), around.pos)
        self._open.append(state)
        try:
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
        finally:
            self._open.pop()
        return state.tokens
