"""How much work is enough for a figure that can be trusted?"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """The sizes of one run; every figure is the median of `repeat_count` repeats."""

    name: str = "full"
    repeat_count: int = 3
    bulk_count: int = 50_000  # tasks of one enqueue call
    by_fifty_count: int = 10_000  # tasks drained 50 at a time for their cost
    by_five_count: int = 2_500  # tasks drained 5 at a time for their cost
    shared_count: int = 30_000  # tasks that processes drain together
    backlog_count: int = 1_000_000  # what waits in the large store
    front_count: int = 100_000  # what stands in front and can't be claimed
    claim_count: int = 200  # timed claims per store and repeat
    wake_count: int = 100  # enqueues that wake a waiting claim
    ours_job_count: int = 20_000  # jobs for ours and raw beside the peers, at least
    single_count: int = 2_000  # jobs for ours one at a time
    peer_fraction: float = 1.0  # of each peer's own count
    worker_fraction: float = 1.0  # of each crew's own count


FULL = Scale()
QUICK = Scale(
    name="quick",
    bulk_count=10_000,
    by_fifty_count=5_000,
    by_five_count=1_000,
    shared_count=10_000,
    backlog_count=100_000,
    front_count=20_000,
    claim_count=100,
    wake_count=20,
    ours_job_count=5_000,
    single_count=500,
    peer_fraction=0.25,
    worker_fraction=0.25,
)
