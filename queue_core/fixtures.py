"""What can a program's own tests see of the tasks that ran in them?

`pytest_plugins = ["queue_core.fixtures"]` in a conftest.py makes these fixtures known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from queue_core.execution import LAST_EXCEPTIONS


@pytest.fixture
def last_exceptions() -> Iterator[list[dict[str, Any]]]:
    """The errors of handlers in this process since the test began, each with task_id, name, error and type."""
    LAST_EXCEPTIONS.clear()
    yield LAST_EXCEPTIONS
    LAST_EXCEPTIONS.clear()
