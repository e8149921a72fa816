"""How many no-op jobs per second does one worker drain, beside other queues on the same store?"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from benchmarks.contenders import OURS, RAW, drain, opened
from benchmarks.ground import Ground
from benchmarks.measure import Cost, cost_of, interleaved, median_cost
from benchmarks.payloads import Payload, payloads
from benchmarks.peers import PEERS, Peer
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.scale import Scale
from benchmarks.stores import POSTGRES, SETTINGS, SQLITE_NORMAL, Place, Setting, settle

BATCH = 50
SINGLE = "ours, one at a time"
_ALONE_TARGETS = {SQLITE_NORMAL: Target(">=", 0.22), POSTGRES: Target(">=", 0.32)}
"""30,000 of raw's 137,000 a second and 15,000 of its 46,800, as shares: one machine is not as fast at all hours."""


@dataclass(frozen=True)
class Rates:
    """Jobs per second of one contender."""

    job_count: int
    enqueue: float
    drain: float


Play = Callable[[Place], tuple[Cost, Cost]]
"""Enqueues and drains in an empty place; returns what each cost."""


def rivalry(ground: Ground, scale: Scale) -> list[Table]:
    """Measure ours, raw and every peer, those of one store and durability in turn."""
    beside, alone = _peers_table(), _alone_table()
    settings = {peer: setting_of(ground, peer) for peer in PEERS}
    for setting in SETTINGS:
        peers = [peer for peer in PEERS if settings[peer] == setting]
        rates = _measured(ground, setting, peers, scale)
        beside.rows.extend(_peer_row(setting, peer.name, rates) for peer in peers)
        alone.rows.extend(_alone_row(setting, who, rates) for who in (OURS, SINGLE, RAW))
    return [beside, alone]


def _peers_table() -> Table:
    return Table(
        title="Peers: no-op jobs per second drained by one worker, ours at the peer's own durability",
        columns=(
            *("peer", "database", "durability", "peer's jobs", "our jobs"),
            *("peer enqueue/s", "our enqueue/s", "peer drain/s", "our drain/s"),
        ),
        judged="drain ratio",
        notes=(
            f"Ours claims and completes {BATCH} at a time; each peer works as its own documentation has it.",
            "A peer that is slow gets fewer jobs. litequeue sorts all that wait at every claim: more jobs, lower rate.",
        ),
    )


def _alone_table() -> Table:
    return Table(
        title="Alone: no-op jobs per second drained by one worker",
        columns=("database", "durability", "who", "jobs", "enqueue/s", "drain/s"),
        judged="share of raw",
        notes=(
            f"Batches of {BATCH}, unless said otherwise. The target on SQLite applies at synchronous=NORMAL.",
            "The targets as shares: 30,000/s beside raw's 137,000 on SQLite, 15,000/s beside 46,800 on PostgreSQL.",
            "Raw and one at a time are shown for information.",
        ),
    )


def _peer_row(setting: Setting, name: str, rates: dict[str, Rates]) -> Row:
    peer, ours = rates[name], rates[OURS]
    figures = (peer.job_count, ours.job_count, peer.enqueue, ours.enqueue, peer.drain, ours.drain)
    return Row((name, setting.database, setting.durability, *figures), ours.drain / peer.drain, Target(">", 1))


def _alone_row(setting: Setting, who: str, rates: dict[str, Rates]) -> Row:
    own, share = rates[who], rates[who].drain / rates[RAW].drain
    cells = (setting.database, setting.durability, who, own.job_count, own.enqueue, own.drain)
    return Row(cells, share, _ALONE_TARGETS.get(setting) if who == OURS else None)


def setting_of(ground: Ground, peer: type[Peer]) -> Setting:
    """Ask a peer how durable it is, in a database of its own."""
    with ground.place(peer.database) as place, closing(peer(place)) as opened_peer:
        return opened_peer.setting()


def _measured(ground: Ground, setting: Setting, peers: Sequence[type[Peer]], scale: Scale) -> dict[str, Rates]:
    costs: dict[str, list[tuple[Cost, Cost]]] = defaultdict(list)
    for name, play in interleaved(_plays(peers, scale), scale.repeat_count):
        progress("peers:", setting, name)
        with ground.place(setting) as place:
            costs[name].append(play(place))
    return {name: _rates(known) for name, known in costs.items()}


def _plays(peers: Sequence[type[Peer]], scale: Scale) -> Iterator[tuple[str, Play]]:
    peer_counts = {peer: round(peer.job_count * scale.peer_fraction) for peer in peers}
    most = max([scale.ours_job_count, *peer_counts.values()])
    yield OURS, partial(_play, OURS, most, BATCH)
    yield RAW, partial(_play, RAW, most, BATCH)
    yield SINGLE, partial(_play, OURS, scale.single_count, 1)
    for peer, count in peer_counts.items():
        yield peer.name, partial(_play_peer, peer, count)


def _play(who: str, count: int, size: int, place: Place) -> tuple[Cost, Cost]:
    with opened(who, place) as contender:
        return _enqueue_and_drain(place, contender.enqueue, partial(drain, contender, size), count)


def _play_peer(peer: type[Peer], count: int, place: Place) -> tuple[Cost, Cost]:
    with closing(peer(place)) as playing:
        return _enqueue_and_drain(place, playing.enqueue, partial(playing.drain, count), count)


def _enqueue_and_drain(
    place: Place, enqueue: Callable[[Sequence[Payload]], None], work: Callable[[], int], count: int
) -> tuple[Cost, Cost]:
    new = payloads(count)
    enqueued = cost_of(partial(_count_of, enqueue, new))
    settle(place)
    drained = cost_of(work)
    if drained.count != count:
        raise RuntimeError(f"{drained.count} of {count} jobs were done")
    return enqueued, drained


def _count_of(enqueue: Callable[[Sequence[Payload]], None], new: Sequence[Payload]) -> int:
    enqueue(new)
    return len(new)


def _rates(known: Sequence[tuple[Cost, Cost]]) -> Rates:
    enqueued, drained = map(median_cost, zip(*known, strict=True))
    return Rates(drained.count, enqueued.per_second, drained.per_second)
