"""How does a shell learn to complete `queuectl`?"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from queue_core.cli.parameters import examples

_VARIABLE = "_QUEUECTL_COMPLETE"


@click.command(
    epilog=examples(
        'eval "$(queuectl completion bash)"                              # in ~/.bashrc',
        'eval "$(queuectl completion zsh)"                               # in ~/.zshrc',
        "queuectl completion fish > ~/.config/fish/completions/queuectl.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what lets a shell complete commands and options."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(ctx.find_root().command, {}, "queuectl", _VARIABLE).source())
