"""What does a sentence cost with each voice, and what does pyttsx3 add to the call that it makes?"""

import argparse
import contextlib
import io
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.measure import interleaved
from benchmarks.report import Row, Table, Target
from tts_pipeline.engines import VoiceSettings, available, engine, espeak, libespeak
from tts_pipeline.errors import SpeechFailed

SENTENCES = (
    "The harbour was empty.",
    "She folded the letter twice, put it back into its envelope, and did not read it again that day.",
    "It was the third winter in which the lamp on the pier had not been lit.",
    "\u201cYou will not find him there,\u201d said the old man, \u201cfor he left before the tide.\u201d",
    "Nobody spoke.",
    "They walked along the sea wall until the rain began, and then, without a word, turned back towards the town.",
    "Of all the things that were lost that night, the clock is the only one that anyone still asks about.",
    "By morning the water had gone.",
)
MOST = 1.3
"""How many times the direct call pyttsx3 may take."""
_SETTINGS = VoiceSettings()

Say = Callable[[str], float]
"""Speaks a sentence, and returns how many seconds it lasts."""


def voices(round_count: int) -> Table:
    """Speak every sentence with every voice in turn."""
    table = Table(
        title="Voices: one sentence, milliseconds (median over the rounds, mean over the sentences)",
        columns=("voice", "ms", "x real time"),
        judged="x direct call",
        notes=(
            "direct call: espeak_Synth alone, its voice loaded once, into memory.",
            "pyttsx3, bare: save_to_file and runAndWait in a process without our changes; it may return too early.",
        ),
    )
    sayers = _sayers()
    costs = _costs(sayers, round_count) | {"pyttsx3, bare": _elsewhere(_bare, round_count)}
    direct = costs["direct call"][0]
    for name, (milliseconds, speed) in costs.items():
        target = Target("<=", MOST) if name == "pyttsx3" else None
        table.rows.append(Row((name, milliseconds, speed or None), milliseconds / direct, target))
    return table


def _sayers() -> dict[str, Say]:
    names = [name for name, reason in available() if reason is None]
    return {"direct call": _direct(), **{name: _engine(name) for name in names}}


def _direct() -> Say:
    library = espeak._library()
    chosen = espeak._voices().choose("en", None)

    def ready() -> None:
        library._set(chosen, _SETTINGS)

    def say(text: str) -> float:
        library._chunks, library._events = [], []
        said = text.encode()
        library._c.espeak_Synth(said, len(said) + 1, 0, 1, 0, libespeak.UTF8_ENDPAUSE, None, None)
        return sum(map(len, library._chunks)) / 2 / library.rate

    ready()
    return say


def _engine(name: str) -> Say:
    speaker = engine(name)
    return lambda text: speaker.synthesize(text, _SETTINGS).seconds


def _costs(sayers: dict[str, Say], round_count: int) -> dict[str, tuple[float, float]]:
    """Return milliseconds per sentence, and how many times faster than real time that is."""
    took: dict[tuple[str, str], list[float]] = {}
    lasted: dict[str, float] = {}
    for name, say in sayers.items():
        lasted[name] = sum(map(say, SENTENCES))
    for name in interleaved(sayers, round_count):
        for text in SENTENCES:
            at = time.perf_counter()
            sayers[name](text)
            took.setdefault((name, text), []).append(time.perf_counter() - at)
    spent = {name: sum(median(took[name, text]) for text in SENTENCES) for name in sayers}
    return {name: (spent[name] * 1000 / len(SENTENCES), lasted[name] / spent[name]) for name in sayers}


def _bare(round_count: int) -> tuple[float, float]:
    """Use pyttsx3 as its documentation says."""
    with espeak_in_its_way(), tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        import pyttsx3

        driver = pyttsx3.init("espeak")
        path = str(Path(folder, "clip.wav"))

        def say(text: str) -> float:
            driver.save_to_file(text, path)
            driver.runAndWait()
            return 0.0

        return _costs({"bare": say}, round_count)["bare"]


@contextlib.contextmanager
def espeak_in_its_way():
    """Load the library, and say where its data is."""
    import os

    os.environ["ESPEAK_DATA_PATH"] = str(libespeak.data_path())
    libespeak.shared()
    yield


def _elsewhere(work: Callable[[int], tuple[float, float]], round_count: int) -> tuple[float, float]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, (round_count,))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.voices", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40)
    try:
        table = voices(parser.parse_args(arguments).rounds)
    except SpeechFailed as error:
        sys.exit(str(error))
    print("\n".join(table.lines()))
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
