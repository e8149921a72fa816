"""How do people write and read spans of time and instants?"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from queue_core.bounds import LONGEST

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_COARSE = (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1))


def seconds(written: str | float) -> float:
    """Read `90`, `1.5s`, `5m`, `2h`, `7d` or `1h30m`; raises ValueError."""
    text = str(written).strip().lower()
    try:
        return _within_bounds(_sum_of_parts(text) if _PART.match(text) else float(text))
    except ValueError as error:
        raise ValueError(f"{written!r} is no span of time: write 90, 30s, 5m, 2h, 7d or 1h30m") from error


def _sum_of_parts(text: str) -> float:
    if _PART.sub("", text):
        raise ValueError(text)
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))


def _within_bounds(value: float) -> float:
    if not 0 <= value <= LONGEST:  # neither is what is no number
        raise ValueError(f"{value:g} s is not between 0 and {LONGEST:g}")
    return value


def span(value: float) -> str:
    """Write a setting so that reading it gives the same again."""
    return "".join(_parts(int(value))) if value >= 1 and value % 1 == 0 else f"{value:.10g}s"


def rough(value: float) -> str:
    """Write a measured time in the one or two units that say most."""
    if value < 0.9995:
        return f"{value * 1000:.0f}ms"
    return f"{value:.1f}s" if value < 9.95 else "".join(_parts(round(value), most=2))


def _parts(whole: int, most: int = len(_COARSE)) -> list[str]:
    """Take whole seconds apart, from their largest unit on."""
    largest = next(place for place, (_, size) in enumerate(_COARSE) if whole >= size)
    parts = []
    for unit, size in _COARSE[largest : largest + most]:
        count, whole = divmod(whole, size)
        parts += [f"{count}{unit}"] if count else []
    return parts


def instant(at: int | None, now: int) -> str:
    """Write milliseconds as local time, and how far from now that is."""
    if at is None:
        return "-"
    local = datetime.fromtimestamp(at / 1000, tz=UTC).astimezone()
    return f"{local:%Y-%m-%d %H:%M:%S} ({distance(at, now)})"


def distance(at: int | None, now: int) -> str:
    """Write how far from now an instant is."""
    if at is None:
        return "-"
    ahead = (at - now) / 1000
    return f"in {rough(ahead)}" if ahead > 0 else f"{rough(-ahead)} ago"
