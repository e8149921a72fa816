"""What can be wrong with a lexicon?"""

from __future__ import annotations

from tts_pipeline.errors import PipelineError


class BadLexicon(PipelineError):
    """A file is no lexicon, or an entry of one can't be used."""

    def __init__(self, file: str, entry: str, reason: str) -> None:
        super().__init__(": ".join(filter(None, (file, entry, reason))))
        self.file, self.entry, self.reason = file, entry, reason
