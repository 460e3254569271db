"""The options of Kloepper, and their form inside a record: one integer of flags."""

from dataclasses import dataclass
from typing import Any, Final

from kloepper_env.games.options import MOST, BaseOptions

ANY_TIME: Final = "any_time"
OWN_TURN: Final = "own_turn"

# The flags of a record. The kernels read nothing else of the options.
FLAG_OWN_TURN: Final = 1
FLAG_PROMPT_ALL: Final = 2
FLAG_PARTNER_MAY_KNOCK: Final = 4
FLAG_FAILED_NORMAL: Final = 8
FLAG_FAILED_NONE: Final = 16
FLAG_STOP: Final = 32
PACK_SHIFT: Final = 6  # above the flags: the place of the pack in PACKS

PACKS: Final = (24, 12, 8)  # by number of cards (K1, K32)


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    """What tables agree on before they play; the names and values of the rules document."""

    announce: str = ANY_TIME
    prompt_all: bool = False
    called_partner_may_knock: bool = False
    failed_knock: str = "stake"
    stop_when_decided: bool = True
    pack: int = 24
    target: int = 30
    scorekeeper: int = 0

    def flags(self) -> int:
        """The options that bear on a single hand, as the flags of a record."""
        return (
            FLAG_OWN_TURN * (self.announce == OWN_TURN)
            + FLAG_PROMPT_ALL * self.prompt_all
            + FLAG_PARTNER_MAY_KNOCK * self.called_partner_may_knock
            + FLAG_FAILED_NORMAL * (self.failed_knock == "normal")
            + FLAG_FAILED_NONE * (self.failed_knock == "none")
            + FLAG_STOP * self.stop_when_decided
            + (PACKS.index(self.pack) << PACK_SHIFT)
        )


ALLOWED: Final[dict[str, tuple[Any, ...] | range]] = {
    "announce": (ANY_TIME, OWN_TURN),
    "prompt_all": (True, False),
    "called_partner_may_knock": (True, False),
    "failed_knock": ("stake", "normal", "none"),
    "stop_when_decided": (True, False),
    "pack": PACKS,
    "target": range(1, MOST + 1),
    "scorekeeper": range(4),
}
"""Option -> values it may take."""
