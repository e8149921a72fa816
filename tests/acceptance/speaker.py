"""A program that speaks, and fails or hangs where it is told to: its argument is a folder with what it obeys.

What is in fails.txt, a text a line, ends it with an error; what is in hangs.txt keeps it for ever. It notes every text
that it was asked for in asked.txt.
"""

import io
import os
import signal
import sys
import wave
from pathlib import Path

RATE = 24_000
HALF_WAVE = 40


def listed(folder: Path, name: str) -> list[str]:
    file = folder / name
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def main() -> None:
    folder, text = Path(sys.argv[1]), sys.stdin.buffer.read().decode()
    note = os.open(folder / "asked.txt", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(note, f"{text}\n".encode())  # in one write: others note theirs at the same time
    if text in listed(folder, "hangs.txt"):
        signal.pause()
    if text in listed(folder, "fails.txt"):
        sys.exit("my voice broke")
    length = RATE * 6 * len(text) // 100
    wave_of = b"\x20\x1f" * HALF_WAVE + b"\xe0\xe0" * HALF_WAVE
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes((wave_of * (length // HALF_WAVE))[: 2 * length])
    sys.stdout.buffer.write(file.getvalue())


if __name__ == "__main__":
    main()
