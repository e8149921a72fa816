"""Which queues would a user pick instead of ours?"""

from benchmarks.peers.base import Peer
from benchmarks.peers.with_huey import HueyPeer
from benchmarks.peers.with_litequeue import LiteQueuePeer
from benchmarks.peers.with_persist_queue import PersistQueuePeer
from benchmarks.peers.with_pgqueuer import PgQueuerPeer
from benchmarks.peers.with_procrastinate import ProcrastinatePeer

PEERS: tuple[type[Peer], ...] = (
    HueyPeer,
    PersistQueuePeer,
    LiteQueuePeer,
    ProcrastinatePeer,
    PgQueuerPeer,
)

__all__ = ["PEERS", "Peer"]
