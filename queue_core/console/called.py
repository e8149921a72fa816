"""What is the program called that runs?"""

from __future__ import annotations

import click


def program_name() -> str:
    """Return the name under which it speaks; `error`, as others do, where no program runs."""
    ctx = click.get_current_context(silent=True)
    return (ctx.find_root().info_name if ctx else None) or "error"
