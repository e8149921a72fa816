"""How does a shell learn to complete the words of a program?"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from queue_core.console.parameters import examples


def completion_command(program: str) -> click.Command:
    """Return the command `completion` of a program."""

    @click.command(
        epilog=examples(
            f'eval "$({program} completion bash)"  # in ~/.bashrc',
            f'eval "$({program} completion zsh)"  # in ~/.zshrc',
            f"{program} completion fish > ~/.config/fish/completions/{program}.fish",
        )
    )
    @click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
    @click.pass_context
    def completion(ctx: click.Context, shell: str) -> None:
        """Print what lets a shell complete commands and options."""
        kind = get_completion_class(shell)
        assert kind is not None
        click.echo(kind(ctx.find_root().command, {}, program, _variable(program)).source())

    return completion


def _variable(program: str) -> str:
    """Return the variable by which click knows that a shell asks."""
    return f"_{program}_COMPLETE".replace("-", "_").upper()
