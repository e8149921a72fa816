"""A setting comes from a flag, the environment, the file or its default, and is refused where it was written."""

from pathlib import Path
from typing import Any

import pytest

from queue_core.console.failed import BadSetting, Refused
from queue_core.console.layers import Found

from .oven import LAYERS, Settings

pytestmark = pytest.mark.usefixtures("folder")
FILE = Path("hot-oven.toml")


def found(written: str = "", **flags: Any) -> Found[Settings]:
    FILE.write_text(written, encoding="utf-8")
    return LAYERS.look_up(FILE, flags)


def test_each_layer_lies_over_the_next(monkeypatch):
    monkeypatch.setenv("hot_oven_rate", "1.5")
    monkeypatch.setenv("HOT_OVEN_BIT_RATE", "96")
    shown = found('bit-rate = 32\nrate = 0.5\nfolder = "rolls"', bit_rate="192")
    assert shown.settings == Settings(bit_rate=192, rate=1.5, folder=Path("rolls"))
    assert shown.origins == {"bit_rate": "flag", "rate": "environment", "folder": "file"}


def test_a_flag_that_was_not_given_and_an_empty_variable_say_nothing(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_RATE", "")
    assert found(bit_rate=None) == Found(Settings(), {})


def test_a_file_that_is_not_there_says_nothing():
    assert LAYERS.look_up(Path("none.toml"), {}) == Found(Settings(), {})


def test_a_key_may_be_written_in_both_ways_but_not_twice():
    assert found("bit_rate = 32").settings == found("bit-rate = 32").settings == Settings(bit_rate=32)
    with pytest.raises(BadSetting, match=r"^bit_rate in hot-oven.toml: it is there twice, with - and with _$"):
        found("bit-rate = 32\nbit_rate = 32")


def test_a_short_name_goes_before_the_long_one(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_DATABASE_URL", "sqlite:///long.db")
    assert found().settings.database_url == "sqlite:///long.db"
    monkeypatch.setenv("HOT_OVEN_DATABASE", "sqlite:///short.db")
    shown = found()
    assert (shown.settings.database_url, shown.origins) == ("sqlite:///short.db", {"database_url": "environment"})


def test_the_model_says_how_a_text_is_read(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_TRAYS", "top,bottom")
    assert found('rest = "5m"').settings == Settings(trays=("top", "bottom"), rest=300)


def refused(written: str = "", **flags: Any) -> str:
    with pytest.raises(BadSetting) as refusal:
        found(written, **flags)
    return refusal.value.message


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("haet = 'low'", "haet in hot-oven.toml: there is no such setting: heat perhaps?"),
        ("Bit_Rate = 3", "Bit_Rate in hot-oven.toml: there is no such setting: bit-rate perhaps?"),
        ("xyz = 1", "xyz in hot-oven.toml: there is no such setting: known are database-url, heat, rate, bit-rate"),
        ("rate = 9", "rate in hot-oven.toml: must be at most 2, not 9"),
        ("bit_rate = 'x'", "bit-rate in hot-oven.toml: must be a whole number, not 'x'"),
        ("rate =", "hot-oven.toml: is no TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named_where_it_is(written, words):
    assert refused(written).startswith(words)


def test_a_mistake_in_the_environment_is_named_by_its_variable(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_RATE", "9")
    assert refused() == "HOT_OVEN_RATE: must be at most 2, not '9'"
    monkeypatch.setenv("HOT_OVEN_DATABASE", "banana")
    monkeypatch.delenv("HOT_OVEN_RATE")
    assert refused().startswith("HOT_OVEN_DATABASE: 'banana' is no URL of a queue")
    monkeypatch.setenv("HOT_OVEN_RATES", "1")
    assert refused() == "HOT_OVEN_RATES: there is no such setting: HOT_OVEN_RATE perhaps?"


def test_a_variable_that_is_no_setting_may_be_known(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_CONFIG", "elsewhere.toml")
    monkeypatch.setenv("HOT_OVENS", "3")
    assert found().settings == Settings()


def test_a_mistake_in_a_flag_is_named_by_its_option():
    assert refused(bit_rate="x") == "--bit-rate: must be a whole number, not 'x'"
    assert refused(database_url="banana").startswith("--database: 'banana'")


def test_a_wrong_value_is_refused_even_where_another_layer_decides():
    assert refused("rate = 9", rate=1).startswith("rate in hot-oven.toml")


def test_settings_of_different_layers_are_looked_at_together(monkeypatch):
    monkeypatch.setenv("HOT_OVEN_BIT_RATE", "128")
    assert found("heat = 'high'").settings.heat == "high"
    monkeypatch.delenv("HOT_OVEN_BIT_RATE")
    with pytest.raises(Refused, match=r"^high heat needs a bit-rate of 128$"):
        found("heat = 'high'")


def test_a_key_leads_to_its_field():
    assert LAYERS.field_of("bit-rate") == LAYERS.field_of("bit_rate") == "bit_rate"
    with pytest.raises(BadSetting, match=r"^xyz: there is no such setting: known are database-url, heat"):
        LAYERS.field_of("xyz")
