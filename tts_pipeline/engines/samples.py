"""What is sound to an engine?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]
"""Of one channel."""
