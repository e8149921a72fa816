"""What does every contender carry, and in which shape is it handed to them?"""

Payload = dict[str, str]


def payloads(count: int) -> list[Payload]:
    """Make `count` sentences, the size of a line of prose; made before any clock runs."""
    line = "Sentence {} of a book that nobody has to read aloud today."
    return [{"text": line.format(number)} for number in range(count)]


def do_nothing(_payload: object) -> None:
    """Be the no-op job of every contender."""
