"""What tests of the lexicon write down."""

from tts_pipeline.lexicon import Entry, Lexicon


def words(language: str | None = None, /, **said: str) -> Lexicon:
    """Return a lexicon of words."""
    return lexicon(*(word(written, say, language=language) for written, say in said.items()))


def word(written: str, say: str = "X", **options) -> Entry:
    """Return an entry for a word."""
    return Entry(written=written, say=say, **options)


def pattern(written: str, say: str = "X", **options) -> Entry:
    """Return an entry for a regular expression."""
    return Entry(written=written, say=say, pattern=True, **options)


def lexicon(*entries: Entry) -> Lexicon:
    """Return a lexicon of entries that hold for every book."""
    return Lexicon(layers=(entries,))


def said(written: str, text: str, language: str = "en", **options) -> str:
    """Return a text where X is said for a word."""
    return lexicon(word(written, **options)).spoken(text, language)
