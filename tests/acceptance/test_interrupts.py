"""Ctrl-C at any moment ends a command with 130 and nothing else: no traceback, nothing left behind."""

import os
import signal
import subprocess
import sys

import pytest

from tests.acceptance.reader import TONE, book, environment, wait_until

MOMENTS = ("click.core", "sqlalchemy.sql.base", "queue_core.supervisor", "multiprocessing.popen_forkserver")
"""Modules, of which Python tells when it has imported them."""
IN_CHILDREN = (("multiprocessing.forkserver", 2), ("queue_core.child", 2), ("tts_pipeline.stages.publishing", 1))
"""The second time it is not this process that imports them."""


def interrupted(reader, *words: object, module: str, nth: int = 1) -> subprocess.CompletedProcess[str]:
    """Type Ctrl-C at a command, and so at all that it started, when a module is imported somewhere for the nth time."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "tts_pipeline", *map(str, words)],
        cwd=reader.folder,
        env={**environment(), "PYTHONPROFILEIMPORTTIME": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr
    said = []
    for line in process.stderr:
        said.append(line)
        nth -= line.rpartition("|")[2].strip() == module
        if not nth:
            break
    assert not nth, f"it never imported {module}: {''.join(said)}"
    os.killpg(process.pid, signal.SIGINT)
    out, rest = process.communicate(timeout=60)
    wait_until(lambda: not is_any_left(process.pid), "the end of all that it started")
    words = "".join(line for line in [*said, *rest.splitlines(keepends=True)] if not line.startswith("import time:"))
    return subprocess.CompletedProcess(process.args, process.returncode, out, words)


def is_any_left(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("module", MOMENTS)
def test_while_it_starts(reader, module):
    run = interrupted(reader, "run", reader.writes("walk.txt", book(1, 3)), *TONE, "--workers", "1", module=module)
    assert (run.returncode, "Traceback" in run.stderr) == (130, False), run.stderr


@pytest.mark.parametrize(("module", "nth"), IN_CHILDREN)
def test_while_its_children_start(reader, module, nth):
    source = reader.writes("walk.txt", book(1, 3))
    run = interrupted(reader, "run", source, *TONE, "--workers", "2", module=module, nth=nth)
    assert (run.returncode, "Traceback" in run.stderr) == (130, False), run.stderr


def test_a_command_in_the_background_of_a_script_is_not_interrupted(reader):
    shell = 'trap "" INT; echo ready; exec "$0" -m tts_pipeline voices --language de'
    with subprocess.Popen(
        ["/bin/sh", "-c", shell, sys.executable],
        cwd=reader.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert "gmw/de" in process.communicate(timeout=60)[0]
    assert process.returncode == 0
