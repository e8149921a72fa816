"""Any program's settings can be read and changed by the same words."""

import pytest
from click.testing import CliRunner

from .oven import oven

pytestmark = pytest.mark.usefixtures("folder")


def config(*words: str, exit_code: int = 0) -> str:
    done = CliRunner().invoke(oven, ["config", *words])
    assert done.exit_code == exit_code, done.output
    return done.stdout if exit_code == 0 else done.stderr


@pytest.mark.parametrize(
    ("key", "value", "written", "shown"),
    [
        ("bit-rate", "128", "bit-rate = 128\n", "128"),
        ("rate", "2", "rate = 2\n", "2"),
        ("rest", "5m", 'rest = "5m"\n', "300"),
        ("trays", "top,bottom", 'trays = ["top", "bottom"]\n', "top, bottom"),
        ("folder", "rolls", 'folder = "rolls"\n', "rolls"),
    ],
)
def test_a_value_of_each_kind_is_written_and_read(folder, key, value, written, shown):
    config("set", key, value)
    assert (folder / "hot-oven.toml").read_text() == written
    assert config("get", key) == f"{shown}\n"


def test_a_key_is_changed_as_the_file_has_it(folder):
    (folder / "hot-oven.toml").write_text("bit_rate = 64  # enough\n")
    config("set", "bit-rate", "128")
    assert (folder / "hot-oven.toml").read_text() == "bit_rate = 128  # enough\n"
    config("unset", "bit-rate")
    assert (folder / "hot-oven.toml").read_text() == ""


def test_a_list_shows_times_with_their_units_and_plain_numbers_without():
    config("set", "rest", "90")
    rows = {line.split()[0]: line.split()[1:] for line in config("list").splitlines()[3:]}
    assert rows["rest"] == ["1m30s", "file"]
    assert rows["rate"] == ["1", "default"]


def test_help_has_examples_of_the_program_and_names_its_variables():
    assert "HOT_OVEN_BIT_RATE" in config("--help")
    assert "hot-oven config set bit-rate 128" in config("set", "--help")


def test_a_refusal_has_the_name_of_the_program():
    assert config("set", "rate", "9", exit_code=2) == "hot-oven: rate: must be at most 2, not '9'\n"
