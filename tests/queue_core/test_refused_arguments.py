"""Arguments that do not fit, or that JSON can not keep, are refused by name when they are submitted."""

import re
from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, SecretStr

from queue_core import TaskExecutionError
from queue_core.arguments import Arguments
from tests.queue_core.shapes import (
    NOON,
    Book,
    Colour,
    Point,
    Shape,
    Weighted,
    of,
    reasons,
)


@pytest.mark.parametrize(
    ("hint", "given", "named"),
    [
        (int, "five", "x"),
        (int, 1.5, "x"),
        (int, None, "x"),
        (str, 5, "x"),
        (datetime, "soon", "x"),
        (Colour, "blue", "x"),
        (Literal["a"], "b", "x"),
        (Annotated[int, Field(gt=3)], 3, "x"),
        (Annotated[str, Field(pattern="^a+$")], "b", "x"),
        (Book, {}, "x.title"),
        (list[Book], [{"title": "A"}, {"title": 5}], "x.1.title"),
        (Point, {"x": "a"}, "x.x"),
    ],
    ids=str,
)
def test_what_does_not_fit_its_hint_is_refused_by_name(hint, given, named):
    assert set(reasons(of(hint), x=given)) == {named}


def test_every_bad_argument_is_named_with_its_reason():
    def render(text: str, times: int, book: Book): ...

    with pytest.raises(TaskExecutionError, match=r"^task render: ") as caught:
        Arguments("render", render).written({"text": 5, "time": 1, "book": {"title": None}})
    assert set(caught.value.reasons) == {"text", "times", "time", "book.title"}
    assert "times: Field required" in str(caught.value)
    assert all(f"{name}: {why}" in str(caught.value) for name, why in caught.value.reasons.items())


def test_a_missing_argument_is_named():
    assert reasons(of(int)) == {"x": "Field required"}


def test_an_unknown_argument_is_named():
    assert reasons(of(int), x=1, y=2) == {"y": "Extra inputs are not permitted"}


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (object(), "serialize"),
        (endless(), "[Cc]ircular"),
        (float("nan"), "NaN and infinity are not JSON"),
        ([float("-inf")], "NaN and infinity are not JSON"),
        ("\ud800", "surrogates not allowed"),
        (10**5000, "number out of range"),
    ],
    ids=["object", "endless", "nan", "infinity", "surrogate", "huge"],
)
def test_what_json_can_not_say_is_refused_by_name(given, why):
    def function(good: Any, x: Any): ...

    found = reasons(Arguments("f", function), good="NaN", x=given)
    assert set(found) == {"x"}
    assert re.search(why, found["x"])


@pytest.mark.parametrize(
    "given", [object(), endless(), float("nan"), {1: 2}, NOON], ids=["object", "endless", "nan", "key", "date"]
)
def test_without_a_hint_what_is_no_json_is_refused(given):
    def function(x): ...

    assert all(name.startswith("x") for name in reasons(Arguments("f", function), x=given))


@pytest.mark.parametrize("given", [float("nan"), float("inf")])
@pytest.mark.parametrize("hint", [float, float | None, list[float], Weighted, dict[str, Any]], ids=str)
def test_nan_never_becomes_another_value(hint, given):
    shaped = {Weighted: {"weight": given}, list[float]: [given], dict[str, Any]: {"a": given}}.get(hint, given)
    assert all(name.startswith("x") for name in reasons(of(hint), x=shaped))
    assert set(reasons(of(Weighted), x=Weighted(weight=1, other=given))) == {"x"}


@pytest.mark.parametrize(
    ("hint", "given"),
    [(Shape, Shape.FLAT), (dict[tuple[int, int], str], {(1, 2): "a"}), (Book, Book.model_construct(title=5)),
     (Book, Book(title="A", blob=b"\xff")),
     (Annotated[SecretStr, Field(max_length=3)], SecretStr("abc"))],
    ids=str,
)  # fmt: skip
def test_what_could_not_be_read_again_is_refused(hint, given):
    assert all(name.startswith("x") or name == "x" for name in reasons(of(hint), x=given))


def test_a_secret_is_not_stored():
    assert of(SecretStr).written({"x": SecretStr("abc")}).model_dump() == {"x": "**********"}
