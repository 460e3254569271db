"""Names of modules that have moved: the old ones work for a release and warn."""

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def moved(old: str, new: str, renamed: Mapping[str, str] = {}) -> Callable[[str], Any]:
    """The `__getattr__` of the module `old`, whose names are now those of `new`.

    `renamed` holds the names that have changed: old -> new.
    """

    def find(name: str) -> Any:
        value = getattr(import_module(new), renamed.get(name, name))
        warnings.warn(
            f"{old} is now {new}; the old name goes with version 0.3",
            DeprecationWarning,
            stacklevel=2,
        )
        return value

    return find
