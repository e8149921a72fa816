"""What do the tasks of these tests do, in whatever process they run?

A job tells what it does through files in the folder that its task names, and waits for files there.
"""

from __future__ import annotations

import fcntl
import itertools
import logging
import multiprocessing
import os
import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

from queue_core import Queue, Task, TaskItem, TaskState
from queue_core.errors import QueueError
from queue_core.outcomes import Cancel, Discard, Snooze
from queue_core.running import begin_step, is_draining, report_progress


class Folder:
    """Where jobs and tests meet."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def task(self, name: str, **fields: Any) -> Task:
        item = TaskItem(folder=str(self.path), **fields.pop("item", {}))
        return Task(name=name, items=[item], **fields)

    def note(self, name: str, text: str = "") -> None:
        """Write a file as a whole."""
        hidden = self.path / f".{name}-{os.getpid()}-{time.monotonic_ns()}"
        hidden.write_text(text)
        hidden.rename(self.path / name)

    def noted(self, name: str) -> str | None:
        file = self.path / name
        return file.read_text() if file.exists() else None

    def runs(self) -> list[str]:
        """The ids of the tasks that began, in order."""
        file = self.path / "runs"
        return file.read_text().split() if file.exists() else []

    def add_run(self, task_id: str) -> None:
        with (self.path / "runs").open("a") as runs:
            runs.write(f"{task_id}\n")

    def await_note(self, name: str, seconds: float = 30) -> str:
        deadline = time.monotonic() + seconds
        while (text := self.noted(name)) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"nobody noted {name}")
            time.sleep(0.005)
        return text


def _here(task: Task) -> Folder:
    folder = Folder(task.items[0].folder)
    folder.add_run(task.id)
    return folder


def quick(task: Task) -> dict[str, int]:
    _here(task)
    return {"pid": os.getpid()}


def held(task: Task) -> str:
    """Run until the test lets it go."""
    folder = _here(task)
    folder.note(f"began-{task.id}", str(os.getpid()))
    folder.await_note("go")
    return "let go"


def told(task: Task) -> None:
    """Report progress until somebody stops it."""
    folder = _here(task)
    for step in itertools.count():
        report_progress(step, note="still here")
        folder.note(f"began-{task.id}", str(os.getpid()))
        time.sleep(0.01)


def draining(task: Task) -> None:
    """Run until its worker wants to stop, then come back later."""
    folder = _here(task)
    folder.note(f"began-{task.id}", str(os.getpid()))
    while not is_draining():
        time.sleep(0.005)
    raise Snooze(0)


def asleep(task: Task) -> None:
    _here(task).note(f"began-{task.id}", str(os.getpid()))
    time.sleep(1000)


def stuck_in_c(task: Task) -> None:
    """Never come back from a C function that holds the interpreter's lock."""
    _here(task).note(f"began-{task.id}", str(os.getpid()))
    re.match(r"(a+)+$", "a" * 60 + "b")


def held_at_step(task: Task) -> str:
    """Run until the test lets it go, at the step that its item names."""
    begin_step(0)
    begin_step(task.items[0].step)
    return held(task)


def hang_at_step_3(task: Task) -> None:
    """Hang at a step that may take so many seconds, after others that took longer."""
    _here(task)
    for step in (1, 2):
        begin_step(step, timeout_seconds=1000)
        until = time.monotonic() + task.items[0].seconds
        while time.monotonic() < until:
            time.sleep(0.005)
    begin_step(3, timeout_seconds=task.items[0].seconds)
    time.sleep(1000)


def segfault_at_step_2(task: Task) -> None:
    begin_step(1)
    begin_step(2)
    segfault(task)


def segfault(task: Task) -> None:
    _here(task)
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def leave(task: Task) -> None:
    _here(task)
    os._exit(3)


def forks(task: Task) -> bool:
    """Say whether a process of its own can be ended as usual."""
    forked = multiprocessing.get_context("fork").Process(target=time.sleep, args=(1000,))
    forked.start()
    forked.terminate()
    forked.join(10)
    is_ended = not forked.is_alive()
    forked.kill()
    return is_ended


def lingers(task: Task) -> None:
    """Leave a thread behind that would keep its process alive."""
    threading.Thread(target=time.sleep, args=(1000,)).start()


def chatters(task: Task) -> None:
    """Say more than anybody could write down, for longer than it may run."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        logging.getLogger("queue_core.chatter").warning("and another thing")


def fail(task: Task) -> None:
    _here(task)
    raise ValueError(f"no luck with attempt {task.attempt_count}")


class Hopeless(QueueError):
    """Trying again can't help."""


def hopeless(task: Task) -> None:
    _here(task)
    raise Hopeless("not even once")


def cancel(task: Task) -> None:
    raise Cancel("nobody wants it")


def discard(task: Task) -> Discard:
    return Discard("it is no good")


def snooze_once(task: Task) -> str:
    if task.due_at == task.created_at:
        raise Snooze(0.05)
    return f"attempt {task.attempt_count}"


def look_around(task: Task) -> dict[str, Any]:
    """Return how the tasks of the queue stand while this one runs."""
    with Queue.open(task.items[0].url) as queue:
        tasks = queue.list(limit=100)
    running = [each for each in tasks if each.state is TaskState.PROCESSING]
    return {
        "held": len(running),
        "started": [each.id for each in running if each.attempted_at],
        "completed": sum(each.state is TaskState.COMPLETED for each in tasks),
    }


def planned(task: Task) -> str:
    """Do what its plan says for this attempt; see that no other live process does it too."""
    item = task.items[0]
    folder = Folder(item.folder)
    lock = os.open(folder.path / "locks" / task.id, os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        folder.note(f"overlap-{task.id}")
        raise
    try:
        os.write(lock, b".")
        _DEEDS[item.plan[min(task.attempt_count, len(item.plan)) - 1]](task)
    finally:
        os.close(lock)
    return "done"


_DEEDS = {
    "ok": lambda task: None,
    "fail": lambda task: (_ for _ in ()).throw(ValueError("as planned")),
    "hang": lambda task: time.sleep(1000),
    "die": lambda task: os.kill(os.getpid(), signal.SIGKILL),
}

HANDLERS = {
    job.__name__: job
    for job in (
        quick, held, told, draining, asleep, stuck_in_c, segfault, leave, fail, hopeless, cancel, discard, snooze_once,
        look_around, planned, forks, lingers, chatters, held_at_step, hang_at_step_3, segfault_at_step_2,
    )
}  # fmt: skip
