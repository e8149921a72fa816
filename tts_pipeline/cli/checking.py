"""Is what a command was told there at all?"""

from __future__ import annotations

from tts_pipeline.cli.session import Session


def check_engines(session: Session) -> None:
    """Refuse a mistyped name before anything is made."""
    from tts_pipeline.book_settings import AUTO
    from tts_pipeline.engines.registry import check_known

    settings = session.settings
    if settings.engine != AUTO:
        check_known(settings.engine)
    if settings.fallback_engine is not None:
        check_known(settings.fallback_engine)
