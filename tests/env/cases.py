"""The games that the tests of the environments run over; the fixture `case` goes through them."""

from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from kloepper_env import State, get_game, klammern_v0, kloepper_v0
from kloepper_env.games import Game


@dataclass(frozen=True)
class Case:
    """A game, and options of it under which certain things happen."""

    module: ModuleType  # its environment
    variant: dict[str, Any]  # a hand is asked for more decisions
    short: int  # the target of a game of a few hands
    long: int  # that of a game of rather more

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

    def deal(self, **wishes: Any) -> State:
        return State.deal(self.game, **wishes)


CASES: Final = [
    Case(kloepper_v0, variant={"prompt_all": True}, short=12, long=60),
    Case(klammern_v0, variant={"meld_declare": "choice"}, short=200, long=700),
]
KINDS: Final = ["plain", "variant", "game"]
FACTORIES: Final = ["env", "raw_env"]
