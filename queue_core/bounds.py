"""How large may numbers and texts be, so that every store can keep them?"""

from __future__ import annotations

LONGEST = 1e9
"""The longest time in seconds: 31 years."""
MOST = 2**31 - 1
"""The largest count."""
LONGEST_TEXT = 255
"""Of an id or a name, in characters."""
LONGEST_LANE = 1500
"""Of a name with its needs, in bytes: with an id it has to fit into one entry of an index."""
