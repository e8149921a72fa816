"""How many no-op jobs per second do real worker processes drain, ours and those of other queues?"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.ground import Ground
from benchmarks.measure import interleaved
from benchmarks.payloads import payloads
from benchmarks.peers import Peer
from benchmarks.pools.crews import OUR_CREWS, PEER_CREWS, Crew
from benchmarks.pools.driving import drained_rate
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.rivalry import setting_of
from benchmarks.scale import Scale
from benchmarks.stores import SETTINGS, Setting, settle

COUNTS = (1, 2)
_BATCH, _DEFAULT = OUR_CREWS


@dataclass(frozen=True)
class Rate:
    """How many jobs a crew was given, and how many of them it did per second."""

    job_count: int
    per_second: float


Rates = dict[tuple[str, int], Rate]
"""By the name of the crew and the number of its processes."""


def working(ground: Ground, scale: Scale) -> list[Table]:
    """Measure the workers of ours and of every peer, those of one store and durability in turn."""
    beside, alone = _beside_table(), _alone_table()
    settings = {crew: setting_of(ground, crew.peer) for crew in PEER_CREWS if crew.peer}
    for setting in SETTINGS:
        peers = [crew for crew in PEER_CREWS if settings[crew] == setting]
        if peers:
            rates = _measured(ground, setting, [*OUR_CREWS, *peers], scale)
            beside.rows.extend(_beside_rows(setting, peers, rates))
            alone.rows.extend(_alone_rows(setting, [*OUR_CREWS, *peers], rates))
    return [beside, alone]


def _beside_table() -> Table:
    return Table(
        title="Workers: no-op jobs per second drained by worker processes, ours at the peer's own durability",
        columns=(
            *("peer", "database", "durability", "processes", "ours"),
            *("peer's jobs", "our jobs", "peer per second", "our per second"),
        ),
        notes=(
            "From the first job's start to the last one's, over all processes; they begin together, with a full queue.",
            "Peers run with the settings that their documentation advises; of several the faster one is shown.",
            "pgqueuer with batches as large as our claims is shown for information: its documentation says 10, or 25.",
            "The target applies to ours with claims of 50; its default, claims of 5, is shown for information.",
        ),
    )


def _alone_table() -> Table:
    return Table(
        title="Workers, 2 processes against 1: jobs per second",
        columns=("database", "durability", "who", "jobs", "1 process", "2 processes"),
        notes=("Shown for information: the database's server, where there is one, shares the cores with the workers.",),
    )


def _beside_rows(setting: Setting, crews: Sequence[Crew], rates: Rates) -> Iterator[Row]:
    for peer in dict.fromkeys(crew.peer for crew in crews):
        for count in COUNTS:
            name = _fastest(crews, peer, count, rates)
            yield _row(setting, (name, _BATCH.name), count, rates, Target(">", 1))
            yield _row(setting, (name, _DEFAULT.name), count, rates)
            for crew in crews:
                if crew.peer is peer and not crew.is_advised:
                    yield _row(setting, (crew.name, _BATCH.name), count, rates)


def _fastest(crews: Sequence[Crew], peer: type[Peer] | None, count: int, rates: Rates) -> str:
    names = [crew.name for crew in crews if crew.peer is peer and crew.is_advised]
    return max(names, key=lambda name: rates[name, count].per_second)


def _row(setting: Setting, pair: tuple[str, str], count: int, rates: Rates, target: Target | None = None) -> Row:
    theirs, mine = (rates[name, count] for name in pair)
    figures = (theirs.job_count, mine.job_count, theirs.per_second, mine.per_second)
    cells = (pair[0], setting.database, setting.durability, count, pair[1], *figures)
    return Row(cells, mine.per_second / theirs.per_second, target)


def _alone_rows(setting: Setting, crews: Sequence[Crew], rates: Rates) -> Iterator[Row]:
    for crew in crews:
        one, two = (rates[crew.name, count] for count in COUNTS)
        cells = (setting.database, setting.durability, crew.name, one.job_count, one.per_second, two.per_second)
        yield Row(cells, two.per_second / one.per_second)


def _measured(ground: Ground, setting: Setting, crews: Sequence[Crew], scale: Scale) -> Rates:
    known: dict[tuple[str, int], list[float]] = defaultdict(list)
    job_counts = {crew.name: _job_count(crew, scale) for crew in crews}
    contests = [(crew, count) for count in COUNTS for crew in crews]
    for crew, count in interleaved(contests, scale.repeat_count):
        progress("workers:", setting, crew.name, f"processes={count}")
        known[crew.name, count].append(_drained(ground, setting, crew, count, job_counts[crew.name]))
    return {key: Rate(job_counts[key[0]], median(rates)) for key, rates in known.items()}


def _job_count(crew: Crew, scale: Scale) -> int:
    return round(crew.job_count * scale.worker_fraction)


def _drained(ground: Ground, setting: Setting, crew: Crew, process_count: int, job_count: int) -> float:
    with ground.place(setting) as place:
        crew.fill(place, payloads(job_count))
        settle(place)
        return drained_rate(crew, place, process_count, job_count)
