"""An error is one line under the name of the program, and an exit code."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from queue_core.console.failed import Failed, raise_for

from .oven import oven


def baked(*words: str) -> Result:
    return CliRunner().invoke(oven, ["bake", *words])


def test_what_is_done_is_exit_code_0_and_a_note_is_no_result():
    done = baked()
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "hot-oven: it rises\n")


@pytest.mark.parametrize(
    ("how", "exit_code", "said"),
    [
        ("burnt", 1, "it is black"),
        ("closed", 1, "the queue is closed"),
        ("file", 1, "flour: No such file"),
        ("value", 2, "heat: there is none"),
    ],
)
def test_an_error_speaks_in_one_line_under_the_name_of_the_program(how, exit_code, said):
    done = baked(how)
    _, line = done.stderr.splitlines()
    assert done.exit_code == exit_code
    assert line.startswith("hot-oven: ")
    assert said in line


def test_an_interrupt_is_exit_code_130_and_says_nothing():
    done = baked("stopped")
    assert (done.exit_code, done.stderr.strip()) == (130, "hot-oven: it rises")


def test_our_own_mistakes_are_not_dressed_up():
    assert isinstance(baked("ours").exception, ZeroDivisionError)


def test_wrong_use_shows_how_it_is_used():
    done = baked("--wrong")
    assert done.exit_code == 2
    assert "Usage: hot-oven bake" in done.stderr


def test_the_name_is_that_of_the_group_however_it_was_started():
    code = "from tests.queue_core.console.oven import oven; oven(['bake', 'burnt'])"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "hot-oven: it rises\nhot-oven: it is black\n")


def test_an_error_that_no_program_shows_is_called_so(capsys):
    Failed("no flour").show()
    assert capsys.readouterr().err == "error: no flour\n"


def test_an_error_within_another_group_has_its_name():
    @click.group("toaster")
    def toaster() -> None: ...

    @toaster.command()
    def toast() -> None:
        Failed("no bread").show()

    assert CliRunner().invoke(toaster, ["toast"]).stderr == "toaster: no bread\n"


def test_many_refusals_are_one_line():
    raise_for([])
    with pytest.raises(Failed, match=r"^one; two$"):
        raise_for(["one", "two"])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(shell):
    shown = CliRunner().invoke(oven, ["completion", shell]).stdout
    assert "_HOT_OVEN_COMPLETE" in shown
    assert "hot-oven" in shown


def test_the_console_imports_nothing_heavy():
    code = (
        "import sys; from queue_core.console import program, layers, session, spans, urls, shown, configuration;"
        "sys.exit(bool({'sqlalchemy', 'rich', 'tomlkit', 'structlog'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
