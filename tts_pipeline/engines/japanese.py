"""How is Japanese written so that a voice can read it that knows no kanji?

espeak-ng says "Chinese letter" for each. With the extra `japanese`, Janome, a dictionary and a tagger in pure Python,
tells how a text is pronounced; without it, the text stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from tts_pipeline.engines.base import primary

MISSING = "espeak-ng reads no kanji: pip install 'tts-pipeline[japanese]'"
VERSION = 1
"""Raised when a text is written otherwise."""
_WORD = re.compile(r"\S+")
_JAPANESE = re.compile("[\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def is_there() -> bool:
    """Say whether kanji can be read."""
    return find_spec("janome") is not None


def in_kana(text: str, language: str) -> str:
    """Return a text in Japanese as it is pronounced; its words, as far as there is space between them, stay apart."""
    if primary(language) != "ja" or not _JAPANESE.search(text) or not is_there():
        return text
    return _WORD.sub(lambda word: "".join(map(_sound, _tokenizer().tokenize(word[0]))), text)


def reader(language: str) -> str:
    """Return what a fingerprint has to have beside the voice's own, since it reads the text to the voice."""
    if primary(language) != "ja" or not is_there():
        return ""
    return f", janome {version('janome')}, kana {VERSION}"


def _sound(token: Any) -> str:
    """Return how a word is pronounced; what is not in the dictionary stays as it is written."""
    return str(token.surface if token.phonetic in {"*", ""} else token.phonetic)


@cache
def _tokenizer() -> Any:
    from janome.tokenizer import Tokenizer

    return Tokenizer()
