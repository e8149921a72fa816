"""Handlers of functions are sent to worker processes by the names of the functions, and made anew there."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from queue_core import InvalidRequest, Queue, Task, TaskFunctions, TaskItem

SENT = TaskFunctions()


class Book(BaseModel):
    title: str


@SENT.task(name="shout", size=3, timeout_seconds=9, tags={"a": "1"}, needs=iter(["gpu"]))
def loud(book: Book) -> str:
    return book.title.upper()


@SENT.task
async def quiet(x: int) -> int:
    return x


class Voice:
    @staticmethod
    @SENT.task
    def speak(x: int) -> int:
        return x + 1


def run(handler: Any, **arguments: Any) -> Any:
    return handler.function(Task(items=[TaskItem(**arguments)]))


def test_handlers_come_back_whole():
    run(SENT.handlers()["shout"], book={"title": "a"})  # what it made for itself meanwhile is not sent
    handlers = pickle.loads(pickle.dumps(SENT.handlers()))  # noqa: S301 (our own)
    assert set(handlers) == {"shout", "quiet", "speak"}
    shout = handlers["shout"]
    assert run(shout, book={"title": "a"}) == "A"
    assert (shout.size, shout.timeout_seconds, shout.grace) == (3, 9, 0)
    assert handlers["quiet"].grace > 0
    assert run(handlers["speak"], x=1) == 2
    assert shout.function.__self__.defaults == SENT.handlers()["shout"].function.__self__.defaults


def test_a_registry_is_sent_without_its_queue():
    with Queue.open("memory://") as queue:
        SENT.configure(queue)
        handlers = pickle.loads(pickle.dumps(SENT.handlers))  # noqa: S301 (our own)
    assert run(handlers()["shout"], book={"title": "a"}) == "A"


def local() -> Callable[[], None]:
    def inner() -> None: ...

    return inner


def hidden() -> None: ...


registered_before_it_was_decorated, hidden = hidden, lambda: None


@pytest.mark.parametrize(
    "function", [local(), registered_before_it_was_decorated, lambda: None], ids=lambda f: f.__qualname__
)
def test_a_function_that_has_no_place_of_its_own_is_named(function):
    functions = TaskFunctions()
    functions.task(name="f")(function)
    with pytest.raises(InvalidRequest) as caught:
        pickle.dumps(functions.handlers())
    assert f"{__name__}.{function.__qualname__} can't be found by its name in another process" in str(caught.value)
    assert "define it at the top of a module" in str(caught.value)


SCRIPT = """
import multiprocessing
from queue_core import Task, TaskItem, functions, task

@task
def double(x: int) -> int:
    return 2 * x

def child(handlers, pipe):
    pipe.send(handlers["double"].function(Task(items=[TaskItem(x=21)])))

if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        here, there = context.Pipe()
        process = context.Process(target=child, args=(functions.handlers(), there))
        process.start()
        there.close()
        print(here.recv())
        process.join()
"""


def test_functions_of_a_script_reach_its_child_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["42", "42"]


def test_functions_typed_into_an_interpreter_are_refused():
    code = f"import pickle{SCRIPT.partition('def child')[0]}\npickle.dumps(functions.handlers())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert "__main__.double can't be found by its name in another process: put it into a file" in done.stderr
