"""What tests of the pipeline work with."""

from collections.abc import Iterator

import pytest

from tests.tts_pipeline.bench import Bench
from tests.tts_pipeline.moody import TARGET, MoodyEngine
from tts_pipeline.engines import registry


@pytest.fixture
def bench(tmp_path, queue) -> Bench:
    """A workbench on every store in turn."""
    return Bench.at(tmp_path, queue)


@pytest.fixture
def moody(monkeypatch) -> Iterator[type[MoodyEngine]]:
    """The voice `moody`, in its best mood."""
    monkeypatch.setitem(registry._OURS, "moody", TARGET)
    MoodyEngine.calm_down()
    yield MoodyEngine
    MoodyEngine.calm_down()
