"""The options of the rules that bear on announcements, one changed at a time."""

from collections.abc import Mapping
from typing import Any, Final

from kloepper_env.games.kloepper.options import ALLOWED, OWN_TURN

OF_ANNOUNCEMENTS: Final[Mapping[str, tuple[Any, ...]]] = {
    "announce": (OWN_TURN,),
    "prompt_all": (True,),
    "called_partner_may_knock": (True,),
    "failed_knock": ("normal", "none"),
}
"""Option -> values other than the default. Play stays the same where only the end of a hand that
is decided would differ, so `stop_when_decided` is not among them."""
assert set(OF_ANNOUNCEMENTS) <= set(ALLOWED), "these are options of the game"


def variants(rules: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """`name=value` -> these rules with that one option changed, for every option that changes."""
    changed = {}
    for name, values in OF_ANNOUNCEMENTS.items():
        for value in values:
            if rules.get(name) != value:
                text = str(value).lower() if isinstance(value, bool) else value
                changed[f"{name}={text}"] = {**rules, name: value}
    return changed
