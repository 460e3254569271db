"""Settings behind the colon of a name: `worlds=50`, `ms=100`."""

from kloepper_env.errors import ConfigError, listed, shown


def read_budget(kind: str, settings: str, most: dict[str, int]) -> dict[str, int]:
    """The one setting `name=N`: a whole number from 1 to what `most` has for its name.

    Raises ConfigError for anything else.
    """
    name, _, text = settings.partition("=")
    if name not in most:
        forms = listed(f"{known}=N" for known in most)
        raise ConfigError(
            f"{kind} got {shown(settings)}, but takes {forms}, as in {kind}:{_like(most)}"
        )
    if not text.isdecimal() or not 1 <= int(text) <= most[name]:
        raise ConfigError(f"{kind}: {name} is {shown(text)}, but must be from 1 to {most[name]}")
    return {name: int(text)}


def _like(most: dict[str, int]) -> str:
    return f"{next(iter(most))}=50"
