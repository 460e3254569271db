"""What a hand may announce: the options that are compared for it."""

from typing import Final

from kloepper_agents.games.kloepper.lab.core.evaluate import Option
from kloepper_agents.games.kloepper.lab.core.playing import CALLS, KNOCKS, POLICY, Plan, quiet
from kloepper_env.games.kloepper.options import OWN_TURN, Options
from kloepper_env.games.kloepper.record import (
    BLACK_QUEENS,
    CALL,
    CALLABLE_ACES,
    CLUBS,
    FIRST_OF_SUIT,
    HEARTS,
    KNOCK,
    KNOCK_OFF,
    N_SEATS,
    SPADES,
)

SILENT, ALONE = "stay silent", "alone, silent"
SUIT_NAMES: Final = {CLUBS: "clubs", SPADES: "spades", HEARTS: "hearts"}
KNOCK_OFFS: Final = 1 << KNOCK_OFF
NEVER_ANSWERED: Final = quiet(KNOCK_OFFS)
ALWAYS_ANSWERED: Final = Plan(KNOCK_OFFS, KNOCK_OFF)


def options_of(
    own: int, position: int, rules: Options, policy: str, *, replies: bool
) -> list[Option]:
    """The options of a hand (a mask) at its place in trick 1, before anybody has done anything.

    With `replies` each knock of a two-seat side is also played against opponents who never, and
    who always, knock off. A hand without a black queen has nothing to announce of its own.
    """
    times = _times(position, rules)
    queens = own & BLACK_QUEENS
    as_policy = Option(f"as {policy} does", POLICY, of=policy)
    if queens == BLACK_QUEENS:
        everything = CALLS | KNOCKS
        alone = [Option(ALONE, quiet(everything))]
        own_times = {name: cards for name, cards in times.items() if cards <= position}
        calls = [
            Option(f"call {SUIT_NAMES[suit]} {name}", Plan(CALLS, CALL + suit, cards))
            for suit in SUIT_NAMES
            if CALLABLE_ACES & ~own & 1 << FIRST_OF_SUIT[suit]
            for name, cards in own_times.items()
        ]
        knocks = [
            Option(f"knock alone {name}", Plan(everything, KNOCK, cards), knocks=True)
            for name, cards in times.items()
        ]
        return [*alone, *calls, *knocks, as_policy]
    if not queens:
        return [Option(SILENT, quiet(KNOCKS)), as_policy]
    knocks = [
        Option(f"knock {name}", Plan(KNOCKS, KNOCK, cards), knocks=True)
        for name, cards in times.items()
    ]
    what_if = [
        Option(f"{knock.name}, {word} answered", knock.plan, others=others, of=knock.name)
        for knock in knocks
        for word, others in (("never", NEVER_ANSWERED), ("always", ALWAYS_ANSWERED))
        if replies
    ]
    return [Option(SILENT, quiet(KNOCKS)), *knocks, as_policy, *what_if]


def _times(position: int, rules: Options) -> dict[str, int]:
    """When a seat at a place in trick 1 may announce: name -> cards played before.

    After trick 1 a plan knocks only if no seat that may be an enemy has it.
    """
    times = {} if rules.announce == OWN_TURN and position else {"before the lead": 0}
    if position:
        times["at its turn"] = position
    return times | {"after trick 1, if won": N_SEATS}
