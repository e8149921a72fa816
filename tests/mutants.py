"""Does a test fail when a fence is taken out? `make mutants` asks for each of them.

Each mutant is one small change to a copy of the project; the tests named with it must notice.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
BACKENDS = "queue_core/backends"
CONFORMANCE = "tests/conformance"


@dataclass(frozen=True)
class Mutant:
    """A fence, and how to take it out."""

    what: str
    file: str
    old: str
    new: str
    tests: str = CONFORMANCE


def _in(module: str, what: str, old: str, new: str, tests: str = CONFORMANCE) -> Mutant:
    return Mutant(what, f"{BACKENDS}/{module}.py", old, new, tests)


_OWN_SQL = f"{CONFORMANCE}/test_own_sql.py"
_RENDERING, _PUBLISHING = (f"tests/tts_pipeline/stages/test_{name}.py" for name in ("rendering", "publishing"))
_PATIENCE = "tests/tts_pipeline/stages/test_patience.py"
_WORDING = "tests/tts_pipeline/test_wording.py"
_WATCHING = "tests/tts_pipeline/watching"
_LEVELING = "tests/tts_pipeline/stages/test_leveling.py"
_INGEST = "tests/tts_pipeline/shelf/test_ingest.py"
_STEERING, _REMOVAL = (f"tests/tts_pipeline/shelf/test_{name}.py" for name in ("steering", "removal"))
_CLEANING = "tests/tts_pipeline/test_cleaning.py"
_WAITING = "tests/queue_core/test_waiting.py"
_COST = "tests/queue_core/test_claim_cost.py"
_HOLES = "tests/queue_core/test_holes.py"
_OPENING = "tests/queue_core/test_opening.py"
_RACES = "tests/queue_core/test_recovery_races.py"
_SETTLE, _STARTING, _PROGRESS = (f"{CONFORMANCE}/test_{name}.py" for name in ("settle", "starting", "progress"))
_RECOVER, _REGISTRY, _OUTLOOK = (f"{CONFORMANCE}/test_{name}.py" for name in ("recover", "registry", "outlook"))

MUTANTS = (
    _in("finishing", "lease on one report", ", or_(lease.is_(None), _lease == lease))", ")"),
    _in("finishing", "state on one report", "state_is(_state, *sources(event)), or_(", "or_("),
    _in("finishing", "lease on many completions", "*fence).values(done)", "fence[0], fence[2]).values(done)"),
    _in("finishing", "state on many completions", "*fence).values(done)", "*fence[:2]).values(done)"),
    _in("finishing", "lease on completions with results", "*fence).values({", "fence[0], fence[2]).values({", _SETTLE),
    _in("finishing", "state on completions with results", "*fence).values({", "*fence[:2]).values({", _SETTLE),
    _in(
        "finishing",
        "lease on heartbeats",
        "_lease == held.c.lease, state_is(unindexed(_state), *sources(Event.HEARTBEAT))",
        "state_is(unindexed(_state), *sources(Event.HEARTBEAT))",
    ),
    _in(
        "finishing",
        "state on heartbeats",
        "_lease == held.c.lease, state_is(unindexed(_state), *sources(Event.HEARTBEAT))",
        "_lease == held.c.lease",
    ),
    _in("finishing", "a second completion is a success", "== [(TaskState.COMPLETED, lease)]", "== []"),
    _in("finishing", "only the winner unblocks", "[task_id for task_id, dependents in rows if dependents]", "[]"),
    _in("finishing", "a retry returns to its own priority", '"effective_priority": tasks.c.priority,\n', ""),
    _in("finishing", "a release refunds the attempt", "tasks.c.attempt_count - literal(1)", "tasks.c.attempt_count"),
    _in("finishing", "asked to cancel ends a failed attempt", "if cancelled_at is not None:", "if False:"),
    _in("claiming", "state checked again when taken", ".where(state_is(tasks.c.state, *sources(Event.CLAIM)))", ""),
    _in("claiming", "lease raised by a claim", "tasks.c.lease + literal(1)", "tasks.c.lease"),
    _in("claiming", "visibility clock starts at the claim", '"schedule_at": bindparam("now"),\n', ""),
    _in("claiming", "result sorted", "sorted(claimed, key=_claim_order)", "claimed"),
    _in("claiming", "capabilities tested in the claim", "needs <= request.capabilities", "True"),
    _in("claiming", "names tested inside the claim", "name in request.names", "True"),
    _in("claiming", "paused names skipped", "if not spot.is_paused and", "if"),
    _in("limiting", "rates spent", "if used:", "if False:"),
    _in("claiming", "others taken in the place of the set aside", "if len(usable) == len(rows):", "if True:"),
    _in("limiting", "limiter locked first", "(limits.c.name).with_for_update()", "(limits.c.name)", _WAITING),
    _in("sqlite_sql", "future never claimed (SQLite)", "due_at <= :now", "due_at >= :now - 1e15"),
    _in("postgres_sql", "future never claimed (PostgreSQL)", "due_at <= {now}", "due_at >= {now} - 1e15"),
    _in("sqlite_sql", "future never claimed under a limit", "due_at <= ?", "due_at >= ? - 1e15"),
    _in("postgres_sql", "others' rows skipped", "FOR UPDATE SKIP LOCKED", "", _WAITING),
    _in("postgres_sql", "groups locked against pauses", '"LOCK TABLE pauses IN SHARE MODE"', '"SELECT 1"', _WAITING),
    _in("postgres_sql", "capacity counted alone", "pg_advisory_xact_lock({CAPACITY_LOCK})", "1", _WAITING),
    _in(
        "sqlite_sql",
        "one seek per level",
        "lane = {state}_spots.lane AND effective_priority > {state}_spots.level\n",
        "lane = {state}_spots.lane AND effective_priority + 0 > {state}_spots.level\n",
        _COST,
    ),
    _in("schema", "blocked tasks can't be claimed", '"blockers = 0 AND paused = 0"', '"paused = 0"'),
    _in("schema", "paused groups can't be claimed", '"blockers = 0 AND paused = 0"', '"blockers = 0"'),
    _in("enqueueing", "dependencies locked", ".with_for_update(key_share=True)", "", _WAITING),
    _in("enqueueing", "what is done counts as met", "if states[n] is not TaskState.COMPLETED", "if True"),
    _in("enqueueing", "keys expire", "tx.run(_expire_keys,", "(lambda *_, **__: None)(_expire_keys,"),
    _in("enqueueing", "capacity guarded", "if most and depth > most:", "if False:"),
    _in("rescuing", "rescue needs silence", "text(PROCESSING), is_silent, ", "text(PROCESSING), "),
    _in("rescuing", "rescue counts attempts", "attempt >= most", "False"),
    _in("rescuing", "a rescued task returns to its own priority", '"effective_priority": tasks.c.priority,\n', ""),
    _in("removing", "cleanup asks again who waits", "if row[0] not in waited_for", "", _HOLES),
    _in("removing", "leases begin where deleted ones ended", "lease < bindparam(", "lease > bindparam("),
    _in("steering", "a group locked while it is cancelled", "order_by(_id).with_for_update()", "order_by(_id)", _HOLES),
    _in("rescuing", "a retry rescues what it could claim", ".is_(None), is_wanted", ".is_(None), ~is_wanted", _HOLES),
    _in("finishing", "asked to cancel ends a discarded task", "if cancelled_at is None else", "if True else", _HOLES),
    _in("removing", "cleanup spares open keys", "key_expired, unwanted)", "unwanted)"),
    _in("removing", "purge cancels dependents", "if state is not TaskState.COMPLETED:", "if False:"),
    _in("steering", "attempts renewed on resume", '"attempt_count": literal(0),\n', ""),
    _in("steering", "running tasks of a paused group marked", "*_OPEN, TaskState.DISCARDED)", "*WAITING)"),
    _in("dependents", "unblocked once per dependency", "tasks.c.blockers - met.scalar_subquery()", "literal(0)"),
    _in("promoting", "only who waited long", "tasks.c.due_at <= bindparam", "tasks.c.due_at >= bindparam"),
    _in("migrations", "newer schemas refused", "if found > len(migrations):", "if False:", _OPENING),
    _in("finishing", "progress only by who holds the task",
        "_mine(Event.HEARTBEAT)", "[_mine(Event.HEARTBEAT)[0]]", _PROGRESS),
    _in("finishing", "progress capped", "progress[task_id], _LONGEST_PROGRESS", "progress[task_id], 10**9", _PROGRESS),
    _in("claiming", "progress begins anew", '"progress": null(),', "", _PROGRESS),
    _in("finishing", "what was called off is not released",
        "_mine(Event.RELEASE), still_wanted", "_mine(Event.RELEASE)", _SETTLE),
    _in("finishing", "a quick task counts as tried",
        'func.coalesce(tasks.c.attempted_at, bindparam("now"))', "tasks.c.attempted_at", _STARTING),
    _in("starting", "lease on starts", ", tasks.c.lease == held.c.lease)", ",)", _STARTING),
    _in("starting", "state on starts", "*fence, running, wanted", "*fence, wanted", _STARTING),
    _in("starting", "what was called off does not start", "*fence, running, wanted", "*fence, running", _STARTING),
    _in("claiming", "only the first of a claim start", "first = claimed[:most]", "first = claimed", _STARTING),
    _in("claiming", "what is held has not started", "tx.now if request.start is None else None", "tx.now", _STARTING),
    _in("settling", "one refusal keeps no other from counting",
        "(LeaseLost, TaskNotFound, IllegalTransition)", "()", _SETTLE),
    _in("settling", "refused completions are told",
        "refused = {*_complete(tx, done)}", "refused = set(list(_complete(tx, done))[:0])", _SETTLE),
    _in("finishing", "a late worker's own tables",
        "    _held_row(tx, task_id, lease, Event.HEARTBEAT)\n", "    pass\n", _OWN_SQL),
    Mutant("no lease is no force", "queue_core/worker_side.py", "        check_lease(ending.lease)\n", "", _SETTLE),
    _in("base", "only what was started pays",
        "return self.error if is_started else None", "return self.error", _RECOVER),
    _in("base", "each pays for its own error", "return self.error.get(task_id)", 'return "an error"', _RECOVER),
    _in("recovering", "what is still held is kept", " if row[0] not in recovery.keep}", "}", _RECOVER),
    _in("recovering", "only one worker's tasks", ', tasks.c.worker_id == bindparam("worker_id"))', ",)", _RECOVER),
    _in("recovering", "only what runs",
        "(text(PROCESSING), tasks.c.worker_id", "(text('0 = 0'), tasks.c.worker_id", _RECOVER),
    _in("recovering", "deaths counted", "_deaths(errors, attempt) + 1 >= _MOST_DEATHS", "False", _RECOVER),
    _in("recovering", "only deaths counted", "error.type == WORKER_DIED", "True", _RECOVER),
    _in("recovering", "lives renewed on resume", "if error.attempt >= attempt:", "if False:", _RECOVER),
    _in("recovering", "what is recovered is locked",
        ".order_by(tasks.c.id).with_for_update()", ".order_by(tasks.c.id)", _RACES),
    _in("recovering", "a sign of life keeps from burial",
        ', workers.c.heartbeat_at == bindparam("seen_at"))', ",)", _REGISTRY),
    _in("recovering", "buried once", "*seen, workers.c.status != dead", "*seen", _REGISTRY),
    _in("registering", "the dead can't be asked to stop",
        ", workers.c.status != WorkerStatus.DEAD.value)", ",)", _REGISTRY),
    _in("registering", "an entry tells of the newest process",
        "if not column.primary_key", 'if column.name not in ("id", "pid")', _REGISTRY),
    _in("registering", "a stop is asked of one process",
        "case((is_same, workers.c.stop_requested_at))", "workers.c.stop_requested_at", _REGISTRY),
    _in("registering", "a turn is one holder's", "set_=mine, where=is_free)", "set_=mine)", _REGISTRY),
    _in("registering", "a turn ends", 'turns.c.until <= bindparam("now"), ', "", _REGISTRY),
    _in("registering", "a turn can be renewed", ", turns.c.holder == insert.excluded.holder)", ")", _REGISTRY),
    _in("outlook", "the dead can run nothing", " if worker.status is not WorkerStatus.DEAD]", "]", _OUTLOOK),
    _in("outlook", "only what is wanted is told",
        "return request.names is None or name in request.names", "return True", _OUTLOOK),
    _in("outlook", "paused names told as paused", "if spot.is_paused:", "if False:", _OUTLOOK),
    _in("outlook", "others' work does not concern who can't do it", " if fits(row[0], request)]", "]", _OUTLOOK),
    _in("outlook", "others' work concerns who waits",
        "if any(row[1] for row in held_back) else", "if False else", _OUTLOOK),
    Mutant("an interrupt is heard before the wait", "queue_core/worker_side.py",
        "if not self._may_wait(interrupt_count):", "if False:", _WAITING),
    Mutant("a step postpones before it shows itself", "queue_core/board.py",
        "        if timeout is not None:\n            slot.deadline",
        "        slot.step = step\n        if timeout is not None:\n            slot.deadline",
        "tests/queue_core/test_board.py"),
    Mutant("a step is forgotten when the next task begins", "queue_core/board.py",
        "slot.step = grace, 0, _NO_STEP", "slot.step = grace, 0, slot.step", "tests/queue_core/test_board.py"),
    Mutant("what a handler leaves behind is heard no more", "queue_core/worker.py",
        "running.leave()", "pass", "tests/queue_core/test_worker.py"),
    _in("sqlite", "readings write nothing (SQLite)",
        '"connect", lambda raw, _: raw.execute("PRAGMA query_only = ON")', '"connect", lambda raw, _: None', _OWN_SQL),
    _in("sqlite", "readings write nothing (memory)", 'driver.execute("PRAGMA query_only = ON")', "pass", _OWN_SQL),
    _in("sqlite", "who only read may write again", 'driver.execute("PRAGMA query_only = OFF")', "pass", _OWN_SQL),
    _in("sqlite", "readings see one state (SQLite)",
        '"begin", lambda connection', '"commit", lambda connection', _OWN_SQL),
    _in("postgres", "readings write nothing (PostgreSQL)", ", postgresql_readonly=True", "", _OWN_SQL),
    _in("postgres", "readings see one state (PostgreSQL)",
        'isolation_level="REPEATABLE READ"', 'isolation_level="READ COMMITTED"', _OWN_SQL),
    _in("sql", "the queue writes nothing in a reading", "if joined := self._joined():", "if False:", _OWN_SQL),
    _in("sqlite", "a writer from the start", '"BEGIN IMMEDIATE"', '"BEGIN"', _OPENING),
    Mutant("a late worker's renditions", "tts_pipeline/shelf/shelf.py",
        "            self.queue.fence(task, connection=connection)\n", "", _RENDERING),
    Mutant("an old revision is not published", "tts_pipeline/shelf/shelf.py",
        "if current != book.revision:", "if False:", _PUBLISHING),
    Mutant("holes do not replace what is whole", "tts_pipeline/shelf/shelf.py",
        " or (is_there and found.missing_count == 0 and bool(made.missing_count))", "", _PUBLISHING),
    Mutant("what is wanted otherwise is not published", "tts_pipeline/shelf/shelf.py",
        "return found.wanted != made.wanted or", "return", _PUBLISHING),
    Mutant("an old revision is not worked on", "tts_pipeline/stages/desk.py",
        'if str(book.revision) != task.tags["revision"]:', "if False:", _PUBLISHING),
    Mutant("the first clip counts", "tts_pipeline/render.py",
        "if self.store.add(key, to_flac(sound)):", "if self.store.put(key, to_flac(sound)):", _RENDERING),
    Mutant("a stored clip is not rendered again", "tts_pipeline/render.py",
        "sound = self._stored(key)", "sound = None", _RENDERING),
    Mutant("a sentence stops no other", "tts_pipeline/stages/rendering.py",
        "            can_retry = bool(", "            raise\n            can_retry = bool(", _RENDERING),
    Mutant("a store is nobody's fault", "tts_pipeline/stages/rendering.py",
        "if is_outage(error):\n                raise  # it", "if False:\n                raise  # it", _PATIENCE),
    Mutant("what is away costs no attempt", "tts_pipeline/stages/patience.py",
        "raise Snooze(self._seconds()) from error", "raise", _PATIENCE),
    Mutant("nothing is written where the store should be mounted", "tts_pipeline/store.py",
        "if self._root is not None and not self._root.is_dir():", "if False:", "tests/tts_pipeline/test_store.py"),
    Mutant("the last attempt is the task's own, too", "tts_pipeline/stages/rendering.py",
        "return is_out or ", "return ", _PATIENCE),
    Mutant("where a worker died comes last", "tts_pipeline/stages/rendering.py",
        "(self.deaths.get(item.number, 0), item.number)", "item.number", _RENDERING),
    Mutant("after two deaths no more", "tts_pipeline/stages/rendering.py",
        "if deaths >= _MOST_DEATHS:", "if False:", _RENDERING),
    Mutant("deaths before a resume are forgiven", "tts_pipeline/stages/deaths.py",
        "        if error.attempt >= attempt:\n            break\n", "", _RENDERING),
    Mutant("the fallback waits for the last attempt", "tts_pipeline/stages/rendering.py",
        "can_wait = not self.is_last and", "can_wait = False and", _RENDERING),
    Mutant("a mended clip is noted", "tts_pipeline/stages/encoding.py",
        "        self.desk.shelf.record_mended(self.desk.task, self.desk.book, renewed)\n", "", _PUBLISHING),
    Mutant("a damaged clip is noticed", "tts_pipeline/assemble.py",
        "made.checksum, made.key)", "None, made.key)", _PUBLISHING),
    Mutant("holes are told", "tts_pipeline/stages/encoding.py",
        "if item.is_heard and made is None)", "if False)", _PUBLISHING),
    Mutant("half a book is swept away", "tts_pipeline/publication.py",
        "            shutil.rmtree(left, ignore_errors=True)\n", "            pass\n", _PUBLISHING),
    Mutant("an outdated file goes", "tts_pipeline/publication.py",
        "for file in former - moves.keys():", "for file in ():", _PUBLISHING),
    Mutant("the tasks of an old revision are called off", "tts_pipeline/ingest.py",
        "        if placed.superseded is not None:\n", "        if False:\n", _INGEST),
    Mutant("one of two files is a book of its own", "tts_pipeline/shelf/placing.py",
        " or has_others(connection, book_id, path):", ":", _INGEST),
    Mutant("a foreign folder is not taken", "tts_pipeline/shelf/placing.py",
        "return not seen or source_of(folder / REPORT) == path", "return True", _INGEST),
    Mutant("tasks that are gone are made anew", "tts_pipeline/planning.py",
        "return task_id is not None and _is_wanted(queue.get(task_id), _RENDERS)", "return True", _INGEST),
    Mutant("what did not change is taken over", "tts_pipeline/shelf/placing.py",
        "placement.rendered.of(item, placement.draft.cast)", "None", _INGEST),
    Mutant("a book of several files is known by the first", "tts_pipeline/ingest.py",
        "self.known_by or self.paths[0]", "self.known_by or self.paths[-1]", _INGEST),
    Mutant("formats of one codec share their chapters", "tts_pipeline/book_settings.py",
        'return f"{self.codec}-', 'return f"{id(self)}-{self.codec}-', _PUBLISHING),
    Mutant("what nobody wants is forgotten", "tts_pipeline/planning.py",
        "encoding.in_(new) | encoding.not_in(needed)", "encoding.in_(new)", _PUBLISHING),
    Mutant("a book is bound in a time of its own", "tts_pipeline/stages/publishing.py",
        "timeout_seconds=BINDING_SECONDS)", "timeout_seconds=1)", _PUBLISHING),
    Mutant("tracks are captioned from their own start", "tts_pipeline/stages/binding.py",
        "span.first - start, span.end - start,", "span.first, span.end,", _PUBLISHING),
    Mutant("tracks are counted as players play them", "tts_pipeline/stages/binding.py",
        "(track_marks if files.kind.is_folder else chapter_marks)", "chapter_marks", _PUBLISHING),
    Mutant("chapters are leveled", "tts_pipeline/stages/leveling.py",
        "Leveling(chapter_gain(parts, settings, voice), limit=True)", "Leveling(1.0, limit=True)", _LEVELING),
    Mutant("little speech takes the voice's gain", "tts_pipeline/stages/leveling.py",
        "_reference(desk) if 0 < spoken < LEAST_SECONDS else None", "None", _LEVELING),
    Mutant("a voice is asked once", "tts_pipeline/stages/leveling.py",
        "    if not desk.store.has(key):\n", "    if True:\n", _LEVELING),
    Mutant("a voice that killed a worker is not asked", "tts_pipeline/stages/leveling.py",
        "    if deaths_of(desk.task)[step]:\n", "    if False:\n", _LEVELING),
    Mutant("as it was spoken", "tts_pipeline/stages/encoding.py",
        " if self.encoding.normalize else AS_SPOKEN", "", _LEVELING),
    Mutant("all chapters take what is kept of a voice", "tts_pipeline/stages/leveling.py",
        "return Loudness.from_text(desk.store.get(key).decode())",
        "return found if 'found' in dir() else Loudness.from_text(desk.store.get(key).decode())", _LEVELING),
    Mutant("another take is another clip", "tts_pipeline/render.py",
        "fingerprint, item.take)", "fingerprint)", _WORDING),
    Mutant("other words are rendered", "tts_pipeline/shelf/rendered.py",
        "return item.said, item.take,", "return item.text, 0,", _WORDING),
    Mutant("what another rate rendered is not taken over", "tts_pipeline/ingest.py",
        "if not manifest.settings.speech.sounds_like(speech):", "if False:", _WATCHING),
    Mutant("an edit follows what stands around its sentence", "tts_pipeline/wording.py",
        "-_likeness(edit, items, at), ", "0, ", _WORDING),
    Mutant("an edit takes no other one's place", "tts_pipeline/wording.py",
        "in sorted(fits):", "in sorted(fits, key=lambda fit: fit[2]):", _WORDING),
    Mutant("an edit is kept before its revision is made", "tts_pipeline/ingest.py",
        "if self.wording(book.title, book).digest != book.wording:", "if False:", _WORDING),
    Mutant("a file settles before it is read", "tts_pipeline/watching/settling.py",
        "- began[1] >= self._seconds:", "- began[1] >= 0:", _WATCHING),
    Mutant("only what was there at the start is as old as it says", "tts_pipeline/watching/settling.py",
        "if self._is_first_look else 0.0", "", _WATCHING),
    Mutant("chapters are in natural order", "tts_pipeline/watching/sources.py",
        "tuple(natsorted(_below(root, ignored), alg=ns.PATH))", "tuple(sorted(_below(root, ignored)))", _WATCHING),
    Mutant("a disk that is away is not empty", "tts_pipeline/watching/watcher.py",
        "if not isdir(self.root):", "if False:", _WATCHING),
    Mutant("a folder made anew is watched anew", "tts_pipeline/watching/loop.py",
        "if (Change.deleted, str(root)) in changes or _identity(root) != asked:", "if False:", _WATCHING),
    Mutant("what happened before the system was asked is looked for", "tts_pipeline/watching/loop.py",
        "is_changed = True  # of what", "is_changed = False  # of what", _WATCHING),
    Mutant("a hook is for its own folder", "tts_pipeline/watching/endings.py",
        "{event}:{self.folder}", "{event}", _WATCHING),
    Mutant("a book goes on where it is published now", "tts_pipeline/shelf/placing.py",
        "if path_of(before.folder).is_relative_to(path_of(placement.settings.outputs)):", "if True:", _WATCHING),
    Mutant("a book that was left is gone on with", "tts_pipeline/ingest.py",
        "return known or left_by(connection, asked.path, asked.settings.digest())", "return known", _WATCHING),
    Mutant("what could not be read is told once", "tts_pipeline/watching/intake.py",
        "known.problem is None or is_again", "known.problem is None", _WATCHING),
    Mutant("a remark goes when its file can be read", "tts_pipeline/watching/intake.py",
        "        clear(source.path)\n", "", _WATCHING),
    Mutant("a folder runs no programs", "tts_pipeline/watching/folders.py",
        'if name in {"engine", "fallback_engine"} and', "if False and", _WATCHING),
    Mutant("new settings make no second book", "tts_pipeline/ingest.py",
        "known = asked.replaces", "known = None", _WATCHING),
    Mutant("an ending is told once", "tts_pipeline/watching/endings.py",
        "untold = or_(books.c.told.is_(None), books.c.told != words)", "untold = True", _WATCHING),
    Mutant("what is being cancelled is made anew", "tts_pipeline/planning.py",
        " and task.cancel_requested_at is None", "", _STEERING),
    Mutant("a book that is let go is not held", "tts_pipeline/shelf/steering.py",
        "if _decided(before) == _decided(after):", "if True:", _STEERING),
    Mutant("a known book keeps its priority", "tts_pipeline/orders.py",
        "if self.priority == _USUAL else self", "if False else self", _STEERING),
    Mutant("the tasks of a removed book are called off", "tts_pipeline/removal.py",
        "tasks = shelf.queue.cancel(group_id=now.group_id)", "tasks = []", _REMOVAL),
    Mutant("only what is the book's own is deleted", "tts_pipeline/removal.py",
        "    for file in files:\n", "    for file in filter(Path.is_file, Path(book.folder).rglob('*')):\n", _REMOVAL),
    Mutant("what is written now is not cleaned", "tts_pipeline/cleaning.py",
        "if is_old and (", "if (", _CLEANING),
    Mutant("what was put on the shelf meanwhile is needed", "tts_pipeline/cleaning.py",
        "if not needed.isdisjoint(map(_digest, spare.keys))", "if False", _CLEANING),
    Mutant("whoever places a book looks whether it is stored", "tts_pipeline/ingest.py",
        "if not is_complete(self.store, placement.manifest):", "if False:", _CLEANING),
)  # fmt: skip


def main() -> int:
    """Try every mutant; print what noticed it; return how many went unnoticed."""
    wanted = sys.argv[1:]
    chosen = [mutant for mutant in MUTANTS if not wanted or any(word in mutant.what for word in wanted)]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", "*_cache", ".hypothesis"))
        unnoticed = [mutant for mutant in chosen if not _is_noticed(mutant, copy)]
    print(f"{len(chosen) - len(unnoticed)} of {len(chosen)} mutants noticed")
    return len(unnoticed)


def _is_noticed(mutant: Mutant, copy: Path) -> bool:
    path = copy / mutant.file
    original = path.read_text(encoding="utf-8")
    if mutant.old not in original:
        raise SystemExit(f"{mutant.what}: {mutant.file} has changed, and with it the mutant must")
    path.write_text(original.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        test = _first_failing(copy, mutant.tests)
    finally:
        path.write_text(original, encoding="utf-8")
    print(f"{'noticed  ' if test else 'UNNOTICED'}  {mutant.what}  {test or ''}", flush=True)
    return test is not None


def _first_failing(copy: Path, tests: str) -> str | None:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", "2", tests]
    run = subprocess.run(
        command, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, capture_output=True, text=True, check=False
    )
    if run.returncode == 0:
        return None
    named = re.search(r"^(?:FAILED|ERROR) +(tests/\S+)", run.stdout, re.MULTILINE)
    if named is None:
        raise SystemExit(f"the tests could not run:\n{run.stdout}{run.stderr}")
    return named[1]


if __name__ == "__main__":
    sys.exit(main())
