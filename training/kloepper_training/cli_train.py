"""`kloepper train`."""

import json
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kloepper_env.console import SIGNALLED, print_json
from kloepper_env.errors import ConfigError, listed, shown
from kloepper_env.files import claimed_folder, is_leftover, whole_file
from kloepper_env.package_data import packaged
from kloepper_env.terminal import say, visible
from kloepper_env.watchdog import watching

# torch takes seconds to import, so everything that needs it is imported inside the command.
if TYPE_CHECKING:
    from kloepper_training.selfplay import Run

CONFIG_FILE: Final = "config.yaml"


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
        typer.Option("--set", metavar="NAME=VALUE", help="A setting, such as ppo.epochs=4."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write the run. [runs/NAME]")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Go on with the run in DIR.")
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="POLICY",
            help="Begin with the network of a policy: a file, a run, or net:pretrained.",
        ),
    ] = None,
    list_configs: Annotated[
        bool, typer.Option("--list", help="List the configs that have a name, and do nothing else.")
    ] = False,
    list_settings: Annotated[
        bool,
        typer.Option(
            "--list-settings", help="List what --set takes, with defaults, and do nothing else."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the last figures as JSON.")
    ] = False,
) -> None:
    """Train a player by self-play. Ctrl-C saves the run; --resume goes on bit for bit.

    The exit status of a run that was stopped is 130 (by SIGTERM 143). It goes on when its terminal
    is closed.
    """
    if list_configs:
        _list_configs(as_json)
        return
    if list_settings:
        _list_settings(as_json)
        return
    if resume:
        opened = _resumed(config, settings, out, resume, origin)
    else:
        opened = _new(config, settings, out, origin)
    with opened as (run, folder):
        last, stopped_by = _train(run, folder)
    shown = visible(str(folder))
    if as_json:
        print_json({"run": str(folder), "policy": f"net:{folder}", **last})
    elif run.progress < 1.0:
        say(f"stopped after update {run.counters.update}; go on with --resume {shown}")
    else:
        say(f"trained: play it as net:{shown}")
    if run.progress < 1.0:
        raise typer.Exit(SIGNALLED + (stopped_by or signal.SIGINT))


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
        say(f"{one['config']}\n  {one['about']}")


def _list_settings(as_json: bool) -> None:
    """Print every setting with its default and its sentence."""
    from kloepper_training.config import all_settings  # noqa: PLC0415  # see above

    found = [
        {"setting": name, "default": default, "about": sentence}
        for name, default, sentence in all_settings()
    ]
    if as_json:
        print_json(found)
        return
    for one in found:
        default = "" if one["default"] is None else f"={json.dumps(one['default'])}"
        say(f"{one['setting']}{default}\n  {one['about']}")


def _write_config(run: "Run", folder: Path) -> None:
    """All settings of the run, to be read and to be trained with again."""
    from kloepper_training.config import to_yaml  # noqa: PLC0415  # see above

    with whole_file(folder / CONFIG_FILE) as partial:
        partial.write_text(to_yaml(run.config), encoding="utf-8")


def _opening_comment(path: Path) -> str:
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return " ".join(line.lstrip("# ") for line in lines)


@contextmanager
def _new(
    config: str | None, settings: list[str] | None, out: Path | None, origin: str | None
) -> "Iterator[tuple[Run, Path]]":
    """A new run and its folder, which no other process writes to meanwhile."""
    from kloepper_training.config import read_config  # noqa: PLC0415  # see above
    from kloepper_training.selfplay import Run  # noqa: PLC0415  # see above
    from kloepper_training.transfer import begin_from, settings_from  # noqa: PLC0415  # see above

    if config is None:
        raise ConfigError("train needs a CONFIG, for example kloepper/smoke, or --resume DIR")
    path = find_config(config)
    settings_read = read_config(path, settings or ())
    if origin is not None:
        settings_read = settings_from(settings_read, origin)
    folder = out or Path("runs") / path.stem
    with claimed_folder(folder):
        if not all(map(is_leftover, folder.iterdir())):
            raise ConfigError(f"{str(folder)!r} is not empty; choose another --out or --resume it")
        run = Run(settings_read)
        if settings_read.start.policy is not None:
            begin_from(run, settings_read.start.policy)
        yield run, folder


@contextmanager
def _resumed(
    config: str | None,
    settings: list[str] | None,
    out: Path | None,
    folder: Path,
    origin: str | None,
) -> "Iterator[tuple[Run, Path]]":
    """The run in a folder, which no other process writes to meanwhile, and the folder."""
    from kloepper_training import checkpoint  # noqa: PLC0415  # see above
    from kloepper_training.config import check_config, overridden, read_config  # noqa: PLC0415  # see above

    if origin is not None:
        raise ConfigError("--from and --resume exclude each other: a run goes on from where it is")
    if out is not None:
        raise ConfigError("--out and --resume exclude each other: a run goes on where it is")
    stored = checkpoint.stored_config(folder)
    if config is not None:
        wanted = read_config(find_config(config), settings or ())
    else:
        _refuse_own_players(stored, settings or ())
        wanted = check_config(overridden(stored, settings or ()))
    with claimed_folder(folder):
        yield checkpoint.load(folder, wanted), folder


def _refuse_own_players(stored: dict[str, Any], settings: Sequence[str]) -> None:
    """Raise ConfigError where a checkpoint, which may be anybody's, would have code imported."""
    from kloepper_agents.kinds import is_own  # noqa: PLC0415  # see above

    if any(setting.startswith("evaluation.against=") for setting in settings):
        return
    for name in filter(is_own, stored["evaluation"]["against"]):
        raise ConfigError(
            f"the run meets {shown(name)}, which imports code, and a checkpoint may come from "
            "anybody: name it again, --set 'evaluation.against=[...]'"
        )


def _train(run: "Run", folder: Path) -> tuple[dict[str, Any], int]:
    """Train, log and save; returns the last line of the log and the signal that ended it, or 0."""
    from kloepper_training import checkpoint  # noqa: PLC0415  # see above
    from kloepper_training.log import Display, Log  # noqa: PLC0415  # see above

    last: dict[str, Any] = {}
    with asked_to_stop() as asked:
        if run.counters.update == 0:  # a run that is killed before it saves can go on, too
            checkpoint.save(run, folder)
        _write_config(run, folder)
        settings = run.config.model_dump(mode="json")
        with Log(folder, run.counters, settings) as log, Display() as display:

            def write(line: dict[str, Any]) -> None:
                log.write(line)
                display.show(line, run.progress)
                last.update(line)

            with watching(run.watchdog, display.say):
                run.train(write, lambda: checkpoint.save(run, folder), lambda: bool(asked))
    return last, asked[0] if asked else 0


@contextmanager
def asked_to_stop() -> Iterator[list[int]]:
    """Yields a list that gets the number of each signal that wants the run to stop.

    The first Ctrl-C or SIGTERM only asks, so that an update is never left half done; the second
    interrupts. A terminal that closes (SIGHUP) takes the display with it, but not the run.
    """
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    handlers: dict[int, Any] = {signal.SIGINT: ask, signal.SIGTERM: ask}
    if hasattr(signal, "SIGHUP"):
        handlers[signal.SIGHUP] = signal.SIG_IGN
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
