"""The games that the tests of the environments run over; the fixture `case` goes through them."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from kloepper_env import State, get_game, klammern_v0, kloepper_v0
from kloepper_env.games import Game


@dataclass(frozen=True)
class Case:
    """A game, and options of it under which certain things happen; `{}` where it has none."""

    module: ModuleType
    """Its environment."""
    digest: str
    """`layout.digest`, which checkpoints name: get_game(NAME).layout.digest."""
    variant: dict[str, Any]
    """Options under which a hand has more decisions."""
    unusual: dict[str, Any]
    """As many options off their default as a record must keep."""
    dealt_at_once: dict[str, Any]
    """Options under which all cards are dealt before the first action."""
    many_ends: dict[str, Any]
    """Options under which games of several hands end in every way they can: the target, at least.
    If an option names the first dealer, it names another one than by default."""
    first_dealer: int
    """Who deals the first hand of a game by default; -1 where the seed draws it."""
    shares_wins: bool
    """Whether a game can have several winners who are no team."""
    short: int
    """The target of a game of a few hands, not the default."""
    long: int
    """The target of a game of rather more."""

    @property
    def game(self) -> Game:
        return get_game(self.name)

    @property
    def name(self) -> str:
        return self.module.__name__.rpartition(".")[2].partition("_")[0]

    @property
    def gym_id(self) -> str:
        return f"kloepper/{self.name.capitalize()}-v0"

    @property
    def settings(self) -> dict[str, dict[str, Any]]:
        """Settings of an environment, by what is special about them."""
        return {
            "plain": {},
            "variant": {"reward": "relative", "rules": self.variant},
            "game": {"episode": "game", "reward": "win", "rules": {"target": self.short}},
        }

    def env(self, kind: str = "plain", **settings: Any) -> Any:
        return self.module.env(**{**self.settings[kind], **settings})

    def raw_env(self, kind: str = "plain", **settings: Any) -> Any:
        return self.module.raw_env(**{**self.settings[kind], **settings})

    def make(self, factory: str, kind: str = "plain") -> Any:
        """`env` or `raw_env`, by name."""
        return getattr(self.module, factory)(**self.settings[kind])

    def deal(self, **wanted: Any) -> State:
        return State.deal(self.game, **wanted)


CASES: Final = [
    Case(
        kloepper_v0,
        digest="afec7a6f85e7c576",
        variant={"prompt_all": True},
        unusual={"announce": "own_turn", "prompt_all": True, "failed_knock": "normal"},
        dealt_at_once={},
        many_ends={"scorekeeper": 2, "target": 60},
        first_dealer=1,  # K6
        shares_wins=True,
        short=12,
        long=60,
    ),
    Case(
        klammern_v0,
        digest="c408a1f17ef2a81a",
        variant={"meld_declare": "choice"},
        unusual={
            "deal": "3-2-3",
            "meld_declare": "choice",
            "tie81": "litige",
            "liga": True,
            "outcome_table": {"takers": 1, "defenders": 2, "eiert": 3, "durchmarsch": 4},
        },
        dealt_at_once={"deal": "3-2-3"},
        many_ends={"first_dealer": 3, "target": 500, "tie81": "litige", "passout_dealer": "same"},
        first_dealer=-1,  # M36
        shares_wins=False,  # M31: level teams play on
        short=200,
        long=700,
    ),
]
KINDS: Final = ["plain", "variant", "game"]
FACTORIES: Final = ["env", "raw_env"]
