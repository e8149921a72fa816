"""In which words is a value refused?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_WORDS = {
    "bool": "must be true or false",
    "float": "must be a number",
    "int": "must be a whole number",
    "string": "must be text",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "finite_number": "must be a finite number",
    "literal_error": "must be {expected}",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must not be empty",
}


def refusal(error: ValidationError) -> tuple[str, str]:
    """Return of the first value that is wrong which it is, and why, as one would say it."""
    first = error.errors()[0]
    return ".".join(map(str, first["loc"][:1])), _reason(first)


def _reason(first: ErrorDetails) -> str:
    if first["type"] == "value_error":  # our own words, which name the value
        return first["msg"].removeprefix("Value error, ")
    kind = first["type"]
    words = _WORDS.get(kind) or _WORDS.get(kind.partition("_")[0]) or first["msg"].lower()
    bounds = {name: _whole(bound) for name, bound in first.get("ctx", {}).items()}
    return f"{words.format(**bounds)}, not {first['input']!r:.50}"


def _whole(bound: Any) -> Any:
    return int(bound) if isinstance(bound, float) and bound.is_integer() else bound
