"""Each test works in an empty folder of its own."""

import pytest

from tests.acceptance.reader import Reader


@pytest.fixture
def reader(tmp_path) -> Reader:
    return Reader(tmp_path)


@pytest.fixture
def another(tmp_path_factory) -> Reader:
    """Somebody else, with nothing of what the first one made."""
    return Reader(tmp_path_factory.mktemp("another"))
