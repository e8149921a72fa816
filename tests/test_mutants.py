"""The list of mutants keeps up with the code that it breaks."""

import pytest

from tests.mutants import MUTANTS, ROOT


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_a_mutant_still_changes_something(mutant):
    original = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.old in original
    assert (ROOT / mutant.tests).exists()
