"""Reading options from a mapping, the same for every game."""

from collections.abc import Mapping
from typing import Any, TypeVar

from kloepper_env.errors import ConfigError, listed

T = TypeVar("T")


def _same_kind(value: Any, allowed: Any) -> bool:
    return type(value) is type(allowed) and bool(value == allowed)


def read_options(
    options_type: type[T], allowed: Mapping[str, Any], rules: Mapping[str, Any] | None
) -> T:
    """Build `options_type` from the options that differ from their default.

    Raises ConfigError for an unknown name or a value that `allowed` does not hold; 1 is not true.
    """
    rules = dict(rules or {})
    for name, value in rules.items():
        if name not in allowed:
            raise ConfigError(f"unknown option {name!r}; the options are {listed(allowed)}")
        values = allowed[name]
        if isinstance(values, range):
            if type(value) is not int or value not in values:
                raise ConfigError(
                    f"option {name} is {value!r}, but must be a whole number "
                    f"from {values.start} to {values.stop - 1}"
                )
        elif not any(_same_kind(value, one) for one in values):
            raise ConfigError(
                f"option {name} is {value!r}, but must be {listed(map(repr, values))}"
            )
    return options_type(**rules)
