"""What is a worker process told by the benchmark?"""

import json
import os
from dataclasses import asdict, dataclass
from typing import Self

from benchmarks.stores import Place

# The runners of other queues import an app by its path: the environment is the only way in.
_NAME = "QUEUE_BENCH_ORDER"


@dataclass(frozen=True)
class Order:
    """Where the jobs are, and where to note what was run."""

    url: str
    file: str
    synchronous: str
    marks: str
    job_count: int

    @classmethod
    def at(cls, place: Place, marks: str, job_count: int) -> Self:
        """Make the order to work in a place."""
        return cls(place.url, place.file, place.setting.synchronous, marks, job_count)

    @classmethod
    def given(cls) -> Self:
        """Read the order that this process was started with."""
        return cls(**json.loads(os.environ[_NAME]))

    def environment(self) -> dict[str, str]:
        """Return the environment of a process that is to follow this order."""
        return {**os.environ, _NAME: json.dumps(asdict(self))}
