"""The part of YAML that everybody reads alike: text, numbers, true and false, lists and mappings.

PyYAML reads YAML 1.1, where 010 is 8, 1:30 is 90, `no` is false and the last of two equal names
wins in silence. What its readers would not expect is refused, with its line; so are anchors, with
which a few lines can stand for gigabytes.
"""

import re
from typing import Any, Final

import yaml

from kloepper_env.errors import ConfigError, shortened, shown

LONGEST: Final = 1 << 15
"""Characters that are read: PyYAML is slow, and a config has some thousand."""

_TAG: Final = "tag:yaml.org,2002:"
_WHOLE: Final = r"[-+]?(0|[1-9][0-9]*(_[0-9]+)*)"  # 2_000_000 is as in Python
_FLOAT: Final = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?[0-9]+$")
_PLAIN: Final = {
    f"{_TAG}{kind}": re.compile(pattern, re.DOTALL)
    for kind, pattern in {
        "str": r"(?![-+]?[0-9][0-9_]*$|0o[0-7]+$).*",  # those are numbers to other readers
        "null": r".*",
        "bool": r"(?i:true|false)",
        "int": rf"{_WHOLE}|0x[0-9a-fA-F]+",
        "float": rf"({_WHOLE}|[-+]?(?=\.[0-9]))(\.[0-9]*)?([eE][-+]?[0-9]+)?|[-+]?\.(?i:inf|nan)",
    }.items()
}
"""What a scalar without quotes may look like, by what PyYAML takes it for."""

# PyYAML lets through what int raises for a number of thousands of digits.
_UNREADABLE: Final = (yaml.YAMLError, ValueError)


class _RefusedError(yaml.MarkedYAMLError):
    """YAML, but not of the part that is read here."""


class _Loader(yaml.SafeLoader):
    """Refuses what is not plain; reads 1e-3 as a number, as YAML 1.2 does."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # as its stubs are
        if event.anchor is not None:
            self._refuse(f"anchors and aliases are not read ({shown(event.anchor)})", event)
        if event.tag is not None:
            self._refuse(f"tags are not read ({shown(event.tag)})", event)
        node = super().compose_node(parent, index)
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
            self._check_plain(event, node)
        if isinstance(node, yaml.MappingNode):
            self._check_names(node)
        return node

    def _check_plain(self, event: yaml.ScalarEvent, node: yaml.Node | None) -> None:
        pattern = _PLAIN.get(node.tag) if node else None
        if pattern is None or not pattern.fullmatch(event.value):
            self._refuse(
                f"{shown(event.value)} can be read in more than one way; write a number with "
                "digits alone, true or false, or put text in quotes",
                event,
            )

    def _check_names(self, node: yaml.MappingNode) -> None:
        names: set[str] = set()
        for key, _ in node.value:
            if key.tag != f"{_TAG}str":
                what = shown(key.value) if isinstance(key, yaml.ScalarNode) else f"a {key.id}"
                self._refuse(f"the name of a setting must be text, but is {what}", key)
            if key.value in names:
                self._refuse(f"{shown(key.value)} is set twice", key)
            names.add(key.value)

    def _refuse(self, problem: str, at: Any) -> None:
        raise _RefusedError(problem=problem, problem_mark=at.start_mark)


_Loader.add_implicit_resolver(f"{_TAG}float", _FLOAT, list("-+.0123456789"))


def read_yaml(text: str, where: str) -> Any:
    """What a text says. Raises ConfigError, which names `where` it stands and the line."""
    if len(text) > LONGEST:
        raise ConfigError(f"{where} is longer than {LONGEST:,} characters, so it is no config")
    try:
        return yaml.load(text, _Loader)  # a SafeLoader
    except RecursionError:
        raise ConfigError(f"{where} is nested too deeply") from None
    except _UNREADABLE as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        problem = " ".join(str(getattr(error, "problem", error)).split())
        if isinstance(error, _RefusedError):
            raise ConfigError(f"{where} is refused{line}: {problem}") from None
        raise ConfigError(f"{where} is not YAML{line}: {shortened(problem)}") from None
