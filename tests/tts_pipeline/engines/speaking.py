"""What the tests of engines share: the engines, what they say, and how clips are compared."""

import hashlib
import shlex
import subprocess
import sys
from pathlib import Path

from tts_pipeline.engines import Clip, VoiceSettings, engine

PROGRAM = Path(__file__).with_name("program.py")
COMMAND = f"command:{shlex.quote(sys.executable)} {shlex.quote(str(PROGRAM))} {{rate}}"
ENGINES = ("hibari", "pyttsx3", "espeak", "tone", COMMAND)
SENTENCE = "The quick brown fox jumps over the lazy dog, and then it sleeps for a while."


def speak(name: str, text: str = SENTENCE, **settings: object) -> Clip:
    return engine(name).synthesize(text, VoiceSettings(**settings))


def print_of(clip: Clip) -> str:
    """Return what is the same for the same sound only."""
    return f"{clip.rate} {hashlib.sha256(clip.samples.tobytes()).hexdigest()}"


def elsewhere(program: str) -> str:
    """Run a few lines in another process, and return what they print; it must print nothing else, and end well."""
    lines = f"from tests.tts_pipeline.engines.speaking import *\n{program}"
    run = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout.strip()
