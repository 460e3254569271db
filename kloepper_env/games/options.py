"""Reading options from a mapping, the same for every game."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

from kloepper_env.errors import ConfigError, listed, shown

T = TypeVar("T")

MOST: Final = 999_999
"""The largest whole number that an option may be, where the rules name no limit."""

Allowed = tuple[Any, ...] | range | Mapping[str, range]
"""What an option may be: one of some values, of which a range stands for its numbers; a number of
a range; or a mapping with just these keys."""


class BaseOptions:
    """What the frozen dataclasses of options have in common."""

    __slots__ = ()

    def changed(self) -> dict[str, Any]:
        """The options that differ from their default, as records write them."""
        found = {}
        for field in fields(self):  # type: ignore[arg-type]  # the subclasses are dataclasses
            made = field.default_factory
            default = field.default if made is MISSING else made()
            if getattr(self, field.name) != default:
                found[field.name] = getattr(self, field.name)
        return found


def _fits(value: Any, allowed: Any) -> bool:
    """Whether a value is the allowed one, or in the allowed range; 1 is not true."""
    if isinstance(allowed, range):
        return type(value) is int and value in allowed
    return type(value) is type(allowed) and bool(value == allowed)


def _numbers(allowed: range) -> str:
    return f"a whole number from {allowed.start} to {allowed.stop - 1}"


def _named(allowed: Any) -> str:
    return _numbers(allowed) if isinstance(allowed, range) else repr(allowed)


def _check(name: str, value: Any, allowed: Allowed) -> None:
    if isinstance(allowed, Mapping):
        keys = isinstance(value, Mapping) and set(value) == set(allowed)
        if not keys or not all(_fits(value[key], allowed[key]) for key in allowed):
            parts = ", ".join(f"{key}: {_numbers(numbers)}" for key, numbers in allowed.items())
            raise ConfigError(f"option {name} is {shown(value)}, but must hold {parts}")
    elif isinstance(allowed, range):
        if not _fits(value, allowed):
            raise ConfigError(f"option {name} is {shown(value)}, but must be {_numbers(allowed)}")
    elif not any(_fits(value, one) for one in allowed):
        raise ConfigError(
            f"option {name} is {shown(value)}, but must be {listed(map(_named, allowed))}"
        )


def read_options(
    options_type: type[T], allowed: Mapping[str, Allowed], rules: Mapping[str, Any] | None
) -> T:
    """Build `options_type` from the options that differ from their default.

    Raises ConfigError for an unknown name or a value that `allowed` does not hold.
    """
    if not isinstance(rules, Mapping | None):
        raise ConfigError(f"the rules are {shown(rules)}, but must be a mapping of options")
    rules = dict(rules or {})
    for name, value in rules.items():
        if name not in allowed:
            raise ConfigError(f"unknown option {shown(name)}; the options are {listed(allowed)}")
        _check(name, value, allowed[name])
    return options_type(**rules)
