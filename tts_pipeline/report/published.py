"""What does a published report say, and of what was it made?"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from tts_pipeline.errors import DamagedFile
from tts_pipeline.report.model import Report

_SOURCE = '"source": '


def source_of(path: Path) -> str | None:
    """Return the file that a reported book was made of; None where there is no report that says so."""
    try:
        with path.open(encoding="utf-8") as file:
            line = next((line for line in file if line.startswith(_SOURCE)), "")
        found = json.loads(line.removeprefix(_SOURCE).rstrip().rstrip(","))["path"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if isinstance(found, str) else None


def read_report(path: Path) -> Report:
    """Return a report; raises DamagedFile where there is none that can be read."""
    try:
        return Report.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise DamagedFile(str(path), "it is not there") from error
    except (OSError, ValidationError) as error:
        raise DamagedFile(str(path), f"it is no report: {str(error).splitlines()[0]}") from error
