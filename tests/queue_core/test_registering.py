"""Which functions can be tasks, and what registering one changes."""

import importlib
import sys
from collections.abc import Iterator

import pytest

import queue_core
from queue_core import InvalidRequest, Queue, TaskFunctions, UnknownTask
from queue_core import functions as module
from tests.queue_core.calls import worked


def render(text: str, times: int = 1) -> str:
    """Say it."""
    return text * times


def other(): ...


@pytest.fixture
def queue() -> Iterator[Queue]:
    with Queue.open("memory://") as opened:
        yield opened


@pytest.fixture
def functions(queue: Queue) -> TaskFunctions:
    made = TaskFunctions()
    made.configure(queue)
    made.task(render)
    return made


def test_a_decorated_function_is_what_it_was(functions):
    assert functions.task(render) is render
    assert functions.task(max_retries=5, timeout_seconds=30)(render) is render
    assert (render("a"), render.__doc__) == ("a", "Say it.")


def test_another_function_of_the_same_name_is_refused(functions):
    with pytest.raises(
        InvalidRequest, match=r"name: 'render' is .*test_registering.render already: it can't be .*other"
    ):
        functions.task(name="render")(other)


def test_a_module_that_is_imported_again_registers_again(tmp_path, monkeypatch, functions, queue):
    (tmp_path / "again.py").write_text("def shout(text: str) -> str:\n    return text.upper()\n")
    monkeypatch.syspath_prepend(tmp_path)
    again = importlib.import_module("again")
    before = functions.task(again.shout)
    after = functions.task(importlib.reload(again).shout)
    assert before is not after
    assert set(functions.handlers()) == {"render", "shout"}
    for each in (before, after):
        functions.submit_task(each, text="a")
        assert worked(queue, functions.handlers()).result == "A"
    del sys.modules["again"]


def test_a_script_that_is_imported_as_well_registers_again(functions):
    def as_if_of(name: str):
        def main(): ...

        main.__module__ = name
        return main

    functions.task(as_if_of("__main__"))
    functions.task(as_if_of("package.script"))


def test_a_cell_of_a_notebook_that_is_run_again_registers_again(functions):
    for cell in ("cell 1", "cell 2"):
        names = {"__name__": "__main__"}
        exec(compile("def shout(): ...", cell, "exec"), names)  # noqa: S102
        functions.task(names["shout"])


def test_lambdas_of_one_file_are_not_taken_for_each_other(functions):
    with pytest.raises(InvalidRequest, match="fn: a lambda has no name of its own: pass name="):
        functions.task(lambda: 1)
    functions.task(name="one")(lambda: 1)
    with pytest.raises(InvalidRequest, match="name: 'one' is"):
        functions.task(name="one")(lambda: 2)


async def stream():
    yield 1


class Caller:
    def __call__(self): ...

    def method(self, x: int) -> int:
        return x + 1


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda *parts: parts, "parts takes any number of arguments"),
        (lambda **parts: parts, "parts takes any keyword"),
        (lambda x, /: x, "x is positional-only"),
        (lambda priority: priority, "priority is submit_task's own: choose another name"),
        (lambda delay_seconds: 1, "delay_seconds is submit_task's own"),
        (lambda: (yield), "a generator has no value to keep"),
        (stream, "a generator has no value to keep"),
        (Caller(), "is no function"),
        (Caller, "is no function"),
        (len, "is no function"),
        ("render", "is no function"),
    ],
)
def test_what_can_not_be_a_task_is_refused_at_once(functions, function, why):
    with pytest.raises(InvalidRequest, match=why):
        functions.task(name="own")(function)


def test_a_hint_that_can_not_be_kept_is_refused_at_once(functions):
    def read(file: memoryview): ...

    with pytest.raises(InvalidRequest, match=r"fn: read: a type hint can't be kept as JSON: .*memoryview"):
        functions.task(read)


def test_only_the_options_of_submit_task_are_no_names_of_arguments(functions, queue):
    @functions.task
    def build(fn: int, name: int, needs: int, size: int) -> int:
        return fn + name + needs + size

    functions.submit_task(build, fn=1, name=2, needs=3, size=4)
    assert worked(queue, functions.handlers()).result == 10


@pytest.mark.parametrize(
    ("bad", "named"),
    [({"name": ""}, "name"), ({"name": "a\0"}, "name"), ({"size": 0}, "size"), ({"max_retries": -1}, "max_retries"),
     ({"timeout_seconds": 0}, "timeout_seconds"), ({"priority": 99}, "priority"), ({"needs": "gpu"}, "needs")],
    ids=str,
)  # fmt: skip
def test_a_bad_default_is_refused_at_once(functions, bad, named):
    with pytest.raises(InvalidRequest, match=f"^{named}: "):
        functions.task(**bad)(other)
    with pytest.raises(UnknownTask):
        functions.submit_task(other)


def test_a_method_of_an_object_can_be_a_task(functions, queue):
    caller = Caller()
    functions.task(caller.method)
    functions.submit_task(caller.method, x=1)
    assert worked(queue, functions.handlers()).result == 2


def test_the_packages_own_functions_are_of_one_registry():
    for name in ("configure", "task", "submit_task", "submit_task_async", "get_task", "list_tasks"):
        assert getattr(queue_core, name) == getattr(module.default, name) == getattr(module, name)
    assert module.handlers == module.default.handlers
