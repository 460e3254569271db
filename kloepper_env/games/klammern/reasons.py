"""Why a round of Klammern scores what it scores, and why a seat may do what it may do, in words."""

from collections.abc import Sequence
from typing import Any, Final

from kloepper_env.games.klammern import record, settlement
from kloepper_env.games.klammern.options import Options
from kloepper_env.games.words import Who, sum_of
from kloepper_env.tricks import NONE
from kloepper_env.view import View

SUIT_WORDS: Final = {"C": "clubs", "S": "spades", "H": "hearts", "D": "diamonds"}
_CODES: Final = frozenset(record.CODES)


def made_of(hand: Any, options: Options, who: Who) -> list[str]:
    """What the score of a round that is over is made of, sentence by sentence, with rule ids."""
    if hand.taker == NONE:
        return ["Nobody took a suit, so the round is over and nobody scores (M8)."]
    takers = int(hand.taker) & 1
    names = {team: who([team, team + 2]) for team in (0, 1)}
    suit = SUIT_WORDS[record.SUITS[int(hand.trump)]]
    return [
        f"{who([int(hand.taker)])} took {suit}, so {names[takers]} are the takers (M10).",
        *(
            f"{_role(team, takers)}: {sum_of(_parts(hand, team))} (M26)."
            for team in (takers, 1 - takers)
        ),
        _verdict(hand, options, takers),
        *_extras(hand, options, names),
        _final(hand, names),
        *_augen(hand, options, names),
    ]


def _role(team: int, takers: int) -> str:
    return "Takers" if team == takers else "Defenders"


def _parts(hand: Any, team: int) -> list[tuple[str, int]]:
    """What a team has before it is known who made it (M26)."""
    cards = int(settlement.cards_of_team(hand, team))
    last = settlement.LAST_TRICK * (int(hand.leader) & 1 == team)
    return [
        ("cards", cards - last),
        ("last trick", last),
        ("melds", int(settlement.melds_of_team(hand, team))),
        ("Belle", int(settlement.belle_of_team(int(hand.belle), team))),
    ]


def _total(hand: Any, team: int) -> int:
    return sum(value for _, value in _parts(hand, team))


def _verdict(hand: Any, options: Options, takers: int) -> str:
    own, others = _total(hand, takers), _total(hand, 1 - takers)
    needed = "82" if options.make_rule == "fixed82" else f"more than {others}"
    if settlement.is_made(hand):
        return f"The takers needed {needed} and have {own}: made, each team keeps its own (M27)."
    if options.tie81 == "litige" and own == others:
        return f"Both teams have {own}: litige, what the takers have is suspended (M28a)."
    kept = _kept(hand, options, takers)
    goes = "everything goes to the defenders" if not kept else f"the takers keep {sum_of(kept)}"
    lost = " and their melds count for nobody" if options.melds_on_loss == "void" else ""
    return f"The takers needed {needed} and have {own}: Eiert, {goes}{lost} (M28)."


def _kept(hand: Any, options: Options, takers: int) -> list[tuple[str, int]]:
    """What takers who have not made it keep (M28)."""
    is_kept = {"melds": options.melds_on_loss == "owner", "Belle": options.belle_on_loss == "owner"}
    return [(name, value) for name, value in _parts(hand, takers) if is_kept.get(name) and value]


def _extras(hand: Any, options: Options, names: dict[int, str]) -> list[str]:
    extras = []
    for team, name in names.items():
        if settlement.tricks_of(hand, team) == record.HAND_SIZE:
            extras.append(
                f"Durchmarsch, all tricks for {name}: {options.durchmarsch_bonus} more (M29)."
            )
    factor = int(settlement.factor(hand))
    if factor > 1:
        extras.append(
            f"{'Kontra' if factor == 2 else 'Kontra and Re'}: all of it times {factor} (M30)."
        )
    settled = settlement.settlement(hand)
    if hand.litige and settled.winner != NONE:
        extras.append(
            f"{names[settled.winner]} also get the {int(hand.litige)} carried over (M35)."
        )
    if settled.litige:
        extras.append(f"{settled.litige} points wait for a later round (M35).")
    return extras


def _final(hand: Any, names: dict[int, str]) -> str:
    first, second = settlement.settlement(hand).scores
    return f"So {names[0]} score {first}, {names[1]} {second}."


def _augen(hand: Any, options: Options, names: dict[int, str]) -> list[str]:
    if not options.liga:
        return []
    first, second = settlement.augen(hand, options)
    rule = "M32" if options.augen_model == "tens" else "M33"
    return [f"In Augen: {names[0]} {first}, {names[1]} {second} ({rule})."]


def lesson(view: View) -> list[str]:
    """What the rules leave the observer, who is to decide, and why, with rule ids."""
    if view.legal[0] not in _CODES:
        return _lesson_in_saying(view)
    plays = [event for event in view.history if event[1] in _CODES]
    table = plays[len(plays) - len(plays) % record.N_SEATS :]
    if not table:
        return ["You lead to this trick: any card will do (M12)."]
    trump = next(action[-1] for _, action in view.history if action.startswith("take:"))
    led = table[0][1][1]
    name = SUIT_WORDS[led]
    if any(card[1] == led for card in view.cards):
        if led == trump:
            return ["Trump was led: follow, and beat the winning card if you can (M13, M14)."]
        return [f"{name.capitalize()} were led and you hold some: play one, high or low (M13)."]
    none = f"{name.capitalize()} were led and you hold none"
    if not any(card[1] == trump for card in view.cards):
        return [f"{none}, and no trump either: play anything (M17)."]
    if _partner_has_it(view, table, trump):
        return [f"{none}, but your partner has the trick (M15)."]
    return [f"{none}: trump, and beat a trump that has the trick if you can (M16)."]


def _partner_has_it(view: View, table: Sequence[tuple[int, str]], trump: str) -> bool:
    strength = record.STRENGTH[record.SUITS.index(trump), record.SUITS.index(table[0][1][1])]
    seat, _ = max(table, key=lambda play: strength[record.CODES.index(play[1])])
    return (seat - view.seat) % record.N_SEATS == 2


def _lesson_in_saying(view: View) -> list[str]:
    legal = view.legal
    takes = [action for action in legal if action.startswith("take:")]
    if takes:
        which = (
            "Now only the suit of the turned card can be taken (M6)."
            if len(takes) == 1
            else "All passed once: now it is the three other suits (M7)."
        )
        return [
            "Who takes a suit makes it trump, and has to reach 82 points with the partner; if they "
            "fail, everything goes to the others (M10, M27, M28).",
            which,
        ]
    if "kontra" in legal:
        return [
            "Kontra doubles the score of this round: say it if the takers will fail (M11, M30)."
        ]
    if "re" in legal:
        return ["Re doubles once more, to four times: say it if you will make it (M11, M30)."]
    if "declare" in legal:
        return [
            "The team with the best meld scores all its melds; a pass hides yours (M22 to M24)."
        ]
    return ["You have no meld to declare; everybody is asked all the same (M22)."]
