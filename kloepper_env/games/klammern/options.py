"""The options of Klammern, and their form inside a record: one integer of flags and a number."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kloepper_env.games.options import MOST, Allowed, BaseOptions

TURN_THEN_THREE, ALL_AT_ONCE = "3-2/turn/3", "3-2-3"
TENS, OUTCOME = "tens", "outcome"
RANDOM: Final = "random"

# The flags of a record; the amount of a Durchmarsch lies above them. The kernels read nothing else.
FLAG_ALL_AT_ONCE: Final = 1 << 0
FLAG_DEALER_OWNS: Final = 1 << 1
FLAG_RAISE: Final = 1 << 2
FLAG_RAISE_OVER_PARTNER: Final = 1 << 3
FLAG_PARTNER_EXEMPT: Final = 1 << 4
FLAG_OVERTRUMP: Final = 1 << 5
FLAG_UNDERTRUMP: Final = 1 << 6
FLAG_SPLIT_RUNS: Final = 1 << 7
FLAG_LOW_FOURS: Final = 1 << 8
FLAG_REUSE: Final = 1 << 9
FLAG_CHOICE: Final = 1 << 10
FLAG_FOURS_FIRST: Final = 1 << 11
FLAG_TIE_TO_FIRST: Final = 1 << 12
FLAG_COUNT: Final = 1 << 13
FLAG_BELLE_FIRST: Final = 1 << 14
FLAG_NEEDS_TRICK: Final = 1 << 15
FLAG_MORE_THAN_OPPONENTS: Final = 1 << 16
FLAG_MELDS_TO_OPPONENTS: Final = 1 << 17
FLAG_MELDS_TO_OWNER: Final = 1 << 18
FLAG_BELLE_TO_OPPONENTS: Final = 1 << 19
FLAG_LITIGE: Final = 1 << 20
BONUS_SHIFT: Final = 21

DEFAULT_TABLE: Final = {"takers": 1, "defenders": 1, "eiert": 2, "durchmarsch": 1}


@dataclass(frozen=True, slots=True)
class Options(BaseOptions):
    """What tables agree on before they play; the names and values of the rules document."""

    deal: str = TURN_THEN_THREE
    turnup_owner: str = "taker"
    passout_dealer: str = "next"
    raise_on_trump_lead: str = "always"
    partner_exempt: bool = True
    overtrump: bool = True
    undertrump: str = "forced"
    split_long_runs: bool = False
    quad_ranks: str = "all"
    meld_card_reuse: bool = False
    meld_declare: str = "auto"
    quad_beats_quint: bool = True
    meld_tie: str = "first"
    count_over_height: bool = False
    belle_announce: str = "second"
    meld_needs_trick: bool = False
    make_rule: str = "fixed82"
    melds_on_loss: str = "opponents"
    belle_on_loss: str = "opponents"
    tie81: str = "eiert"
    durchmarsch_bonus: int = 100
    target: int = 501
    liga: bool = False
    augen_model: str = TENS
    liga_target: int | None = None
    outcome_table: Mapping[str, int] = field(default_factory=DEFAULT_TABLE.copy)
    first_dealer: int | str = RANDOM

    def flags(self) -> int:
        """The options that bear on a single hand, as the flags of a record."""
        return self.durchmarsch_bonus << BONUS_SHIFT | sum(
            flag
            for flag, is_set in (
                (FLAG_ALL_AT_ONCE, self.deal == ALL_AT_ONCE),
                (FLAG_DEALER_OWNS, self.turnup_owner == "dealer"),
                (FLAG_RAISE, self.raise_on_trump_lead != "never"),
                (FLAG_RAISE_OVER_PARTNER, self.raise_on_trump_lead == "always"),
                (FLAG_PARTNER_EXEMPT, self.partner_exempt),
                (FLAG_OVERTRUMP, self.overtrump),
                (FLAG_UNDERTRUMP, self.undertrump == "forced"),
                (FLAG_SPLIT_RUNS, self.split_long_runs),
                (FLAG_LOW_FOURS, self.quad_ranks == "all"),
                (FLAG_REUSE, self.meld_card_reuse),
                (FLAG_CHOICE, self.meld_declare == "choice"),
                (FLAG_FOURS_FIRST, self.quad_beats_quint),
                (FLAG_TIE_TO_FIRST, self.meld_tie == "first"),
                (FLAG_COUNT, self.count_over_height),
                (FLAG_BELLE_FIRST, self.belle_announce == "first"),
                (FLAG_NEEDS_TRICK, self.meld_needs_trick),
                (FLAG_MORE_THAN_OPPONENTS, self.make_rule == "more_than_opponents"),
                (FLAG_MELDS_TO_OPPONENTS, self.melds_on_loss == "opponents"),
                (FLAG_MELDS_TO_OWNER, self.melds_on_loss == "owner"),
                (FLAG_BELLE_TO_OPPONENTS, self.belle_on_loss == "opponents"),
                (FLAG_LITIGE, self.tie81 == "litige"),
            )
            if is_set
        )

    @property
    def goal(self) -> int:
        """What ends a game: points, or Augen in Liga mode (M31 to M33)."""
        if not self.liga:
            return self.target
        if self.liga_target is not None:
            return self.liga_target
        return 51 if self.augen_model == TENS else 5


_YES_OR_NO: Final = (True, False)
_POSITIVE: Final = range(1, MOST + 1)

ALLOWED: Final[dict[str, Allowed]] = {
    "deal": (TURN_THEN_THREE, ALL_AT_ONCE),
    "turnup_owner": ("taker", "dealer"),
    "passout_dealer": ("next", "same"),
    "raise_on_trump_lead": ("always", "unless_partner_winning", "never"),
    "partner_exempt": _YES_OR_NO,
    "overtrump": _YES_OR_NO,
    "undertrump": ("forced", "free"),
    "split_long_runs": _YES_OR_NO,
    "quad_ranks": ("all", "no_7_8"),
    "meld_card_reuse": _YES_OR_NO,
    "meld_declare": ("auto", "choice"),
    "quad_beats_quint": _YES_OR_NO,
    "meld_tie": ("first", "none"),
    "count_over_height": _YES_OR_NO,
    "belle_announce": ("second", "first"),
    "meld_needs_trick": _YES_OR_NO,
    "make_rule": ("fixed82", "more_than_opponents"),
    "melds_on_loss": ("opponents", "owner", "void"),
    "belle_on_loss": ("opponents", "owner"),
    "tie81": ("eiert", "litige"),
    "durchmarsch_bonus": range(MOST + 1),
    "target": _POSITIVE,
    "liga": _YES_OR_NO,
    "augen_model": (TENS, OUTCOME),
    "liga_target": (None, _POSITIVE),
    "outcome_table": dict.fromkeys(DEFAULT_TABLE, range(MOST + 1)),
    "first_dealer": (RANDOM, range(4)),
}
"""Option -> values it may take."""
