"""Why a hand of Kloepper scores what it scores, and why a seat may do what it may do, in words."""

from collections.abc import Mapping
from typing import Any, Final

from kloepper_env.cards import SUIT_SYMBOLS, bits_of
from kloepper_env.games.kloepper import kernels, record
from kloepper_env.games.kloepper.options import Options
from kloepper_env.games.words import Who
from kloepper_env.tricks import NONE
from kloepper_env.view import View

_NUMBER: Final = {code: number for number, code in enumerate(record.CODES)}
_SUIT_WORDS: Final = ("clubs", "spades", "hearts", "trumps")
_ALL_SEATS: Final = (1 << record.N_SEATS) - 1


def _scores(whole: int, alone: bool) -> Mapping[int, str]:
    """What the black side scores by card points -> why (K20, K21; of a short pack K32).

    `whole` are the card points of the pack.
    """
    most, half, quarter = 3 * whole // 4 + 1, whole // 2, -(-whole // 4)
    wins, loses = f"{half + 1} to {most - 1} score", f"{quarter} to {-(-whole // 2) - 1} give"
    if alone:
        return {
            18: "all tricks score 18",
            12: f"{most} or more score 12",
            6: f"{wins} 6",
            -4: f"exactly {half} are not enough, and each opponent scores 4",
            -6: f"{loses} each opponent 6",
            -12: f"{quarter - 1} or fewer give each opponent 12",
        }
    return {
        6: "all tricks score 6",
        4: f"{most} or more score 4",
        2: f"{wins} 2",
        -2: f"exactly {half} are not enough, and the red side scores 2",
        -4: f"{loses} the red side 4",
        -6: f"{quarter - 1} or fewer give the red side 6",
    }


def made_of(hand: Any, options: Options, who: Who) -> list[str]:
    """What the score of a hand that is over is made of, sentence by sentence, with rule ids."""
    return [_sides(hand, who), *_said(hand, who), *_stake(hand, options), _shared(hand, who)]


def _sides(hand: Any, who: Who) -> str:
    black = bits_of(int(hand.black))
    if len(black) == 1:
        if hand.lone:
            return f"{who(black)} knocked without a call and so played alone, as all knew (K17)."
        return f"{who(black)} held both black queens, called nobody and played alone (K14)."
    if hand.caller != NONE:
        caller = int(hand.caller)
        ace = "A" + SUIT_SYMBOLS["CSH"[int(hand.called)]]
        partner = [seat for seat in black if seat != caller]
        return (
            f"{who([caller])} called {ace}, and {who(partner)}, who held it, was the partner (K11)."
        )
    return f"{who(black)} held a black queen each and were the black side (K10)."


def _said(hand: Any, who: Who) -> list[str]:
    said = []
    if hand.knocker != NONE and not hand.lone:
        said.append(f"{who([int(hand.knocker)])} knocked: their side was to take all tricks (K15).")
    if hand.knocked_off != NONE:
        said.append(f"{who([int(hand.knocked_off)])} knocked off: one trick would do (K18).")
    return said


def _stake(hand: Any, options: Options) -> list[str]:
    if hand.knocker == NONE:
        return ["Nobody knocked, so the tricks and card points decide.", _by_points(hand)]
    score = int(kernels.outcome(hand))
    rule = "K26" if hand.lone else "K24" if hand.knocked_off == NONE else "K25"
    if _is_swept(hand):
        return [f"The knock was fulfilled, all tricks taken, and is worth {score} ({rule})."]
    if rule != "K24" or options.failed_knock == "stake":
        return [f"A trick was lost, so the knock failed and costs {-score} ({rule})."]
    if options.failed_knock == "none":
        return ["A trick was lost, so the knock failed, and nobody scores (K24)."]
    return [
        "The knock failed, and the hand counts as if nobody had knocked (K24).",
        _by_points(hand),
    ]


def _is_swept(hand: Any) -> bool:
    return int(hand.won) & ~int(hand.black) == 0


def _by_points(hand: Any) -> str:
    alone = int(hand.black).bit_count() == 1
    side, rule = ("soloist", "K21") if alone else ("black side", "K20")
    points = int(kernels.black_points(hand))
    whole = int(record.PACK_POINTS[kernels.pack_of(hand)])
    reason = _scores(whole, alone)[int(kernels.outcome(hand))]
    tricks = "no trick was lost, and " if _is_swept(hand) else ""
    return f"The {side} has {points} of the {whole} card points: {tricks}{reason} ({rule})."


def _shared(hand: Any, who: Who) -> str:
    score = int(kernels.outcome(hand))
    if score == 0:
        return "So all score 0."
    winners = bits_of(int(hand.black) if score > 0 else ~int(hand.black) & _ALL_SEATS)
    each = "" if len(winners) == 1 else " each"
    return (
        f"So {who(winners)} score{'s' if not each else ''} {abs(score)}{each}, all others 0 (K27)."
    )


def lesson(view: View) -> list[str]:
    """What the rules leave the observer, who is to decide, and why, with rule ids."""
    if "pass" in view.legal:
        return _lesson_in_saying(view.legal)
    plays = [action for _, action in view.history if action in _NUMBER]
    table = plays[len(plays) - len(plays) % record.N_SEATS :]
    if not table:
        return ["You lead to this trick: any card will do (K7, K8)."]
    led = int(record.SUIT[_NUMBER[table[0]]])
    name = _SUIT_WORDS[led]
    if any(record.SUIT[_NUMBER[card]] == led for card in view.cards):
        return [f"{name.capitalize()} were led and you hold some: play one, high or low (K8)."]
    if led == record.TRUMPS:
        return ["Trumps were led and you hold none: play anything, but you cannot win (K8, K9)."]
    return [
        f"{name.capitalize()} were led and you hold none: play anything; a trump wins (K8, K9)."
    ]


def _lesson_in_saying(legal: tuple[str, ...]) -> list[str]:
    said = []
    if any(action.startswith("call:") for action in legal):
        said.append(
            "You hold both black queens: call an ace, and its holder is your partner. If you play "
            "a card without a call, you are alone against three (K11, K14)."
        )
    if "knock" in legal:
        said.append(
            "You may knock until the lead to trick 2. Your side must then take all tricks: 12 "
            "points for or against you, 30 if you are alone (K15, K24, K26)."
        )
    if "knock_off" in legal:
        said.append(
            "You may knock off: your side has to win one trick, and the stake rises from 12 to 24 "
            "(K18, K25)."
        )
    return said or ["You have nothing to announce; everybody is asked all the same."]
