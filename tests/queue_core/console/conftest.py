"""Where a program of the tests runs."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder to work in, and no settings from outside."""
    for name in os.environ:
        if name.startswith("HOT_OVEN_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
