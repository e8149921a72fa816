"""Arguments become JSON by their type hints, and what they were again."""

from contextlib import contextmanager
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from queue_core import InvalidRequest, Task, TaskExecutionError, TaskItem
from queue_core.arguments import Arguments
from tests.queue_core.shapes import (
    ID,
    NOON,
    Book,
    Colour,
    Fields,
    Pair,
    Point,
    Raw,
    Renamed,
    of,
    read,
    reasons,
)


@pytest.mark.parametrize(
    ("hint", "given", "stored"),
    [
        (int, 5, 5),
        (str, "é\n", "é\n"),
        (bool, True, True),
        (None, None, None),
        (float, 0.1, 0.1),
        (float, 1e300, 1e300),
        (bytes, b"\xff\x00", "_wA="),
        (Path, Path("a/b"), "a/b"),
        (datetime, NOON, "2026-01-02T12:00:00Z"),
        (date, date(2026, 1, 2), "2026-01-02"),
        (timedelta, timedelta(hours=36), "P1DT12H"),
        (Decimal, Decimal("1.10"), "1.10"),
        (UUID, ID, str(ID)),
        (Colour, Colour.RED, "red"),
        (Literal["a", "b"], "a", "a"),
        (Optional[int], None, None),  # noqa: UP045 (as many write it)
        (int | None, 5, 5),
        (tuple[int, ...], (1, 2), [1, 2]),
        (set[str], {"a"}, ["a"]),
        (frozenset[int], frozenset({1}), [1]),
        (dict[int, Path], {1: Path("a")}, {"1": "a"}),
        (Book, Book(title="A", blob=b"abc", at=NOON), {"title": "A", "blob": "abc", "at": "2026-01-02T12:00:00Z"}),
        (list[Book], [Book(title="A")], [{"title": "A", "blob": "", "at": None}]),
        (Renamed, Renamed(pageCount=600), {"pageCount": 600}),
        (Raw, Raw(numbers="[1, 2]"), {"numbers": "[1,2]"}),
        (Point, Point(1, b"\xff"), {"x": 1, "blob": "_w=="}),
        (Pair, Pair(b"\xff", 1), ["_w==", 1]),
        (Fields, {"blob": b"\xff"}, {"blob": "_w=="}),
        (dict[str, Fields], {"a": {"blob": b"\xfe"}}, {"a": {"blob": "_g=="}}),
        (Annotated[int, Field(gt=3)], 4, 4),
        (Any, {"a": [1, None, "b"]}, {"a": [1, None, "b"]}),
        (dict[str, Any], {"a": 1}, {"a": 1}),
    ],
    ids=str,
)
def test_a_value_comes_back_as_what_it_was(hint, given, stored):
    arguments = of(hint)
    item = arguments.written({"x": given})
    assert item.model_dump() == {"x": stored}
    assert read(arguments, item) == {"x": given}


@pytest.mark.parametrize(
    ("hint", "given", "meant"),
    [
        (int, "5", 5),
        (float, 1, 1.0),
        (Path, "a", Path("a")),
        (datetime, "2026-01-02T12:00:00Z", NOON),
        (Colour, "red", Colour.RED),
        (Book, {"title": "A"}, Book(title="A")),
        (Point, {"x": 1}, Point(1)),
    ],
    ids=str,
)
def test_what_clearly_means_a_value_of_the_type_is_taken_for_it(hint, given, meant):
    arguments = of(hint)
    assert read(arguments, arguments.written({"x": given})) == {"x": meant}


def test_a_default_stays_the_functions_own():
    arguments = of(list[int], default=[1])
    item = arguments.written({})
    assert item.model_dump() == {}
    assert read(arguments, item) == {}


def test_a_default_need_not_fit_its_hint():
    arguments = of(Path, default=object())
    assert read(arguments, arguments.written({})) == {}
    assert set(reasons(arguments, x=object())) == {"x"}


@pytest.mark.parametrize("given", [None, True, 1, 2.5, "a", [1, ["b"]], {"a": {"b": None}}], ids=str)
def test_without_a_hint_any_json_fits(given):
    def function(x): ...

    arguments = Arguments("f", function)
    assert read(arguments, arguments.written({"x": given})) == {"x": given}


def test_arguments_may_be_named_like_anything_of_pydantics():
    def function(copy, schema, json, _x, __y, model_config, model_fields, self, cls, validate: bool = True): ...

    arguments = Arguments("f", function)
    names = ("copy", "schema", "json", "_x", "__y", "model_config", "model_fields", "self", "cls")
    given = {name: number for number, name in enumerate(names)}
    assert read(arguments, arguments.written(given)) == given


class Waiting(BaseModel):
    later: "Later"


def function_of_later(x: "list[Later]", y: "Waiting | None" = None): ...


def test_hints_may_name_what_is_defined_further_down():
    arguments = Arguments("f", function_of_later)
    arguments.check()
    found = read(arguments, arguments.written({"x": [{"number": 1}], "y": {"later": {"number": 2}}}))
    assert found == {"x": [Later(number=1)], "y": Waiting(later=Later(number=2))}


def test_hints_of_a_decorated_function_are_looked_up_where_it_was_written():
    @contextmanager
    def context():
        yield

    arguments = Arguments("f", context()(function_of_later))  # the wrapper is contextlib's
    assert read(arguments, arguments.written({"x": [{"number": 1}]})) == {"x": [Later(number=1)]}


class Later(BaseModel):
    number: int


class Hopeless(BaseModel):
    never: "Never"  # noqa: F821 (this is the point)


@pytest.mark.parametrize("hint", ["Never", "list[Never]", Hopeless], ids=str)
def test_a_hint_that_is_never_defined_is_refused_when_it_is_needed(hint):
    arguments = of(hint)
    arguments.check()
    with pytest.raises(InvalidRequest, match=r"^fn: f: .*names what is not defined"):
        arguments.written({"x": 1})


@pytest.mark.parametrize("hint", [memoryview, bytearray, 5, "list[", "datetime.nothing"], ids=str)
def test_a_hint_that_makes_no_sense_is_refused_at_once(hint):
    with pytest.raises(InvalidRequest, match=r"^fn: f: a type hint can't be kept as JSON"):
        of(hint).check()


def test_a_return_hint_need_not_exist_while_the_program_runs():
    def function(x: int) -> "Never": ...  # noqa: F821 (as with TYPE_CHECKING)

    arguments = Arguments("f", function)
    arguments.check()
    assert read(arguments, arguments.written({"x": 1})) == {"x": 1}


def test_a_task_without_items_has_no_arguments():
    assert of(int, default=1).read(Task()) == {}
    with pytest.raises(TaskExecutionError, match="x: Field required"):
        of(int).read(Task())


def test_a_task_of_many_items_is_no_call():
    with pytest.raises(TaskExecutionError, match="2 where one holds all arguments"):
        of(int).read(Task(items=[TaskItem(x=1), TaskItem(x=2)]))


def test_what_the_code_does_not_take_any_more_is_named():
    with pytest.raises(TaskExecutionError) as caught:
        of(int).read(Task(items=[TaskItem(x="a", old=1)]))
    assert set(caught.value.reasons) == {"x", "old"}
    assert not caught.value.can_retry
