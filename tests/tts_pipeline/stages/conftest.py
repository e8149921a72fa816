"""What the stages do does not depend on the store: the shelf's tests go through all of it on every one."""

import pytest


@pytest.fixture
def url() -> str:
    return "memory://"
