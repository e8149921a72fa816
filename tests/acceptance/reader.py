"""Somebody who makes audiobooks: types commands in a folder, and looks at what they leave."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np

from tests.tts_pipeline.moody import TRIAL

COMMAND = Path(sys.executable).with_name("tts-pipeline")
SPEAKER = Path(__file__).with_name("speaker.py")
SOON = 60.0
TONE = ("--engine", "tone")


@dataclass(frozen=True)
class Reader:
    """A folder to work in."""

    folder: Path

    def types(
        self, *words: str | Path, exit_code: int = 0, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, and check how it ended."""
        run = subprocess.run(
            [COMMAND, *map(str, words)],
            cwd=self.folder,
            env={**environment(), **(variables or {})},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert run.returncode == exit_code, f"{run.returncode}\n{run.stdout}\n{run.stderr}"
        return run

    def told(self, *words: str | Path, **how: Any) -> Any:
        """Run a command that prints JSON, and read it."""
        return json.loads(self.types(*words, "--json", **how).stdout)

    def begins(self, *words: str | Path, variables: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start a command, as a shell does: what is typed at its terminal reaches it and its children."""
        return subprocess.Popen(
            [COMMAND, *map(str, words)],
            cwd=self.folder,
            env={**environment(), **(variables or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def writes(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def published(self, ending: str = ".m4b") -> Path:
        """Return the one sound file that was published."""
        (found,) = self.outputs.rglob(f"*{ending}")
        return found

    @property
    def outputs(self) -> Path:
        return self.folder / "outputs"

    def report(self, name: str = "report.json") -> dict[str, Any]:
        (found,) = self.outputs.rglob(name)
        return json.loads(found.read_text(encoding="utf-8"))

    def stored(self, kind: str) -> dict[str, tuple[int, int]]:
        """Return what is in a folder of the store: which file each is, and when it was written."""
        files = (path for path in (self.folder / "data/store" / kind).rglob("*") if path.is_file())
        return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    @property
    def speaker(self) -> str:
        """Return the engine that obeys files in this folder."""
        return "command:" + shlex.join([sys.executable, str(SPEAKER), str(self.folder)])

    def asked(self) -> list[str]:
        """Return what the speaker was asked to say, beside the word of trial."""
        file = self.folder / "asked.txt"
        asked = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [text for text in asked if text != TRIAL]


def environment() -> dict[str, str]:
    """Return the environment without what would be settings, and without a terminal's size: readline leaves one."""
    names = (name for name in os.environ if not name.startswith("TTS_PIPELINE_") and name not in {"COLUMNS", "LINES"})
    return {name: os.environ[name] for name in names}


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline, f"still waiting for {what}"
        time.sleep(0.005)


def killed(process: subprocess.Popen[str]) -> None:
    """End a command as a power cut does, with all that it started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def samples(path: Path) -> np.ndarray:
    """Decode a file."""
    with av.open(str(path)) as container:
        return np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])


def loudness(sound: np.ndarray, first: int, end: int) -> float:
    return float(np.sqrt(np.mean(np.square(sound[first:end], dtype=np.float64))))


def book(chapters: int = 3, sentences: int = 12, name: str = "walk") -> str:
    """Write a book in which no sentence is like another."""
    parts = [f"THE {name.upper()}\n\nby Nobody Inparticular\n"]
    for chapter in range(1, chapters + 1):
        parts.append(f"\nCHAPTER {chapter}\n")
        for at in range(1, sentences + 1, 3):
            lines = [sentence(chapter, number, name) for number in range(at, min(at + 3, sentences + 1))]
            parts.append(" ".join(lines) + "\n")
    return "\n".join(parts)


def sentence(chapter: int, number: int, name: str = "walk") -> str:
    return f"On day {chapter} of the {name} there were {number * 7 + chapter} steps to count."
