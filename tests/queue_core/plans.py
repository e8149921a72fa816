"""What may workers, operators and their tasks be like? Small pools, so that they get in each other's way."""

from typing import Any

from hypothesis import strategies as st

from queue_core import Promotion, QueueConfig

from .records import Rules
from .workers import Wish

CONFIG = QueueConfig(
    default_max_attempts=3,
    default_visibility_timeout=60,
    retry_base_delay=10,
    max_retry_delay=25,
    promotions=(
        Promotion(source="low", target="normal", after_seconds=1200),
        Promotion(source="normal", target="high", after_seconds=600),
    ),
    idempotency_window=1000,
    sqlite_synchronous="OFF",
)
RULES = Rules(
    levels={"high": 0, "normal": 5, "low": 10},
    max_attempts=3,
    patience=60_000,
    first_delay=10_000,
    delay_factor=2,
    longest_delay=25_000,
    promotions=((10, 5, 1_200_000), (5, 0, 600_000)),
    key_window=1_000_000,
)
"""The same in the words of the model."""

Plan = dict[str, Any]
"""What a task will be like, before it is known which others there are."""

NAMES, GROUPS = ("a", "b"), ("g", "h")
EVERYTHING = frozenset("xy")
"""All capabilities."""
HUNGRY = Wish(size=4, worker_id="v", names=None, capabilities=EVERYTHING)

picks = st.integers(0, 50)
several = st.lists(picks, min_size=1, max_size=5)
seconds = st.sampled_from([0.001, 1, 5, 6, 6, 15, 60, 61, 601, 1201])
patience = st.sampled_from([None, None, 5, 50])
ways = st.sampled_from(["task", "task", "lease", "id", "force"])
ties = st.tuples(st.sampled_from(["earlier", "earlier", "earlier", "known", "done", "any"]), picks)
plans = st.fixed_dictionaries(
    {
        "letter": st.sampled_from("aBc"),
        "identity": st.sampled_from(["new"] * 8 + ["known", "twin", "gone"]),
        "after": st.one_of(st.just([]), st.lists(ties, min_size=1, max_size=3)),
        "delay": st.sampled_from([None, None, None, None, -1300, -700, 0, 5, 600]),
        "name": st.sampled_from(NAMES),
        "group_id": st.sampled_from([None, *GROUPS]),
        "needs": st.sampled_from([(), (), (), (), (), ("x",), ("x", "y")]),
        "priority": st.sampled_from(["normal", "normal", 0, 8, "high", "low", "low"]),
        "idempotency_key": st.sampled_from([None, None, None, None, "k", "l"]),
        "max_attempts": st.sampled_from([None, None, None, 1, 2, 9]),
        "visibility_timeout": st.sampled_from([None, 5]),
    }
)
wishes = st.builds(
    Wish,
    size=st.integers(1, 4),
    worker_id=st.sampled_from("vw"),
    names=st.sampled_from([None, None, None, None, frozenset("a"), frozenset("b"), frozenset()]),
    capabilities=st.sampled_from([EVERYTHING] * 4 + [frozenset("x"), frozenset()]),
)
