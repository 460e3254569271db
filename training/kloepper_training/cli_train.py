"""`kloepper train`."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kloepper_env.console import INTERRUPTED, print_json
from kloepper_env.errors import ConfigError, listed
from kloepper_env.package_data import packaged

# torch takes seconds to import, so everything that needs it is imported inside the command.
if TYPE_CHECKING:
    from kloepper_training.selfplay import Run


def register(app: typer.Typer) -> None:
    """Add `train` to the command line."""
    app.command(
        "train", epilog="Example: kloepper train kloepper/smoke --set seed=2 --out runs/second"
    )(train)


def train(
    config: Annotated[
        str | None,
        typer.Argument(
            help="YAML file, or a name such as kloepper/smoke; see --list.", show_default=False
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, as ppo.epochs=4; repeatable."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write the run. [runs/NAME]")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with the run in DIR.")
    ] = None,
    list_configs: Annotated[
        bool, typer.Option("--list", help="List the configs that have a name, and do nothing else.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the last figures as JSON.")
    ] = False,
) -> None:
    """Train a player by self-play. Ctrl-C saves the run; --resume goes on bit for bit.

    The exit status of a run that was stopped is 130.
    """
    if list_configs:
        _list_configs(as_json)
        return
    run, folder = _resumed(config, settings, out, resume) if resume else _new(config, settings, out)
    last = _train(run, folder)
    if as_json:
        print_json({"run": str(folder), "policy": f"net:{folder}", **last})
    elif run.progress < 1.0:
        typer.echo(f"stopped after update {run.counters.update}; go on with --resume {folder}")
    else:
        typer.echo(f"trained: play it as net:{folder}")
    if run.progress < 1.0:
        raise typer.Exit(INTERRUPTED)


def find_config(name: str) -> Path:
    """The file of a config: a path, or the name of one in the package. Raises ConfigError."""
    configs = packaged("configs")
    if Path(name).is_file():
        return Path(name)
    if name not in configs:
        hint = listed(["a YAML file", *configs])
        raise ConfigError(f"there is no config {name!r}; a config is {hint}")
    return configs[name]


def _list_configs(as_json: bool) -> None:
    """Print the configs of the package, each with the comment it begins with."""
    found = [
        {"config": name, "about": _opening_comment(path)}
        for name, path in packaged("configs").items()
    ]
    if as_json:
        print_json(found)
        return
    for one in found:
        typer.echo(f"{one['config']}\n  {one['about']}")


def _opening_comment(path: Path) -> str:
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return " ".join(line.lstrip("# ") for line in lines)


def _new(config: str | None, settings: list[str] | None, out: Path | None) -> "tuple[Run, Path]":
    from kloepper_training.config import read_config  # noqa: PLC0415  # see above
    from kloepper_training.selfplay import Run  # noqa: PLC0415  # see above

    if config is None:
        raise ConfigError("train needs a CONFIG, for example kloepper/smoke, or --resume DIR")
    path = find_config(config)
    settings_read = read_config(path, settings or ())
    folder = out or Path("runs") / path.stem
    if folder.exists() and (not folder.is_dir() or _holds_files(folder)):
        raise ConfigError(f"{str(folder)!r} is not empty; choose another --out or --resume it")
    return Run(settings_read), folder


def _holds_files(folder: Path) -> bool:
    """Whether there is more than what a run killed in its first write leaves."""
    return any(not path.name.endswith(".partial") for path in folder.iterdir())


def _resumed(
    config: str | None, settings: list[str] | None, out: Path | None, folder: Path
) -> "tuple[Run, Path]":
    from kloepper_training import checkpoint  # noqa: PLC0415  # see above
    from kloepper_training.config import check_config, overridden, read_config  # noqa: PLC0415  # see above

    if out is not None:
        raise ConfigError("--out and --resume exclude each other: a run goes on where it is")
    if config is not None:
        wanted = read_config(find_config(config), settings or ())
    else:
        wanted = check_config(overridden(checkpoint.stored_config(folder), settings or ()))
    return checkpoint.load(folder, wanted), folder


def _train(run: "Run", folder: Path) -> dict[str, Any]:
    """Train, log and save; returns the last line of the log."""
    from kloepper_training import checkpoint  # noqa: PLC0415  # see above
    from kloepper_training.log import Display, Log  # noqa: PLC0415  # see above

    last: dict[str, Any] = {}
    with interruptible() as stopped:
        if run.counters.update == 0:  # a run that is killed before it saves can go on, too
            folder.mkdir(parents=True, exist_ok=True)
            checkpoint.save(run, folder)
        with Log(folder, run.counters) as log, Display() as display:

            def write(line: dict[str, Any]) -> None:
                log.write(line)
                display.show(line, run.progress)
                last.update(line)

            run.train(write, lambda: checkpoint.save(run, folder), stopped)
    return last


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether somebody wants the run to stop.

    The first Ctrl-C or SIGTERM only asks, so that an update is never left half done; the second
    interrupts.
    """
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
