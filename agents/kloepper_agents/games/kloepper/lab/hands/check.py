"""`kloepper lab check`: whether what the table of hands says holds for another policy.

The table is made by `rules`. Hands in which it is close, or in which it says to announce, are
played by four of a stronger policy: silence and the announcement, in the same deals. R rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.base import require_rules
from kloepper_agents.games.kloepper.lab.core.deals import deals_around
from kloepper_agents.games.kloepper.lab.core.opportunities import BoolArray, FloatArray
from kloepper_agents.games.kloepper.lab.core.playing import GAME, Lineup, payoffs_of
from kloepper_agents.games.kloepper.lab.hands.table import QUIET, entries_of, key_of
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.pieces import Pieces, pieces_in
from kloepper_agents.lab.processes import each
from kloepper_env.cards import cards_of
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import BLACK_QUEENS, N_SEATS

AT_ISSUE: Final = 6.0  # payoff; what loses more by the table is not in question
CALLS: Final = ("call_C", "call_S", "call_H")
ANNOUNCEMENTS: Final = ("knock_now", "knock_later", *CALLS)


@dataclass(frozen=True, slots=True)
class Asked:
    """A hand, the announcement in question, and what the table says that it gains."""

    hand: int  # mask
    announcement: str  # of the table's OPTIONS
    gain: float
    sort: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What another policy made of it."""

    asked: Asked
    cards: tuple[str, ...]
    quiet: Estimate
    gain: Estimate  # of the announcement over silence, in the same deals


def in_question(rows: NDArray[Any]) -> list[Asked]:
    """The hands of a table ROW [R] in which an announcement gains, or would not lose much.

    Where nothing gains a knock before the lead or a call is asked about: to wait for trick 1 and
    hardly ever knock then loses next to nothing with any hand.
    """
    gains = np.stack([rows[f"{name}_gain"] for name in ANNOUNCEMENTS], axis=1).astype(float)
    gains = np.nan_to_num(gains, nan=-np.inf)
    waits = np.array(ANNOUNCEMENTS) == "knock_later"
    pays = gains.max(axis=1) > 0
    best = np.where(pays, gains.argmax(axis=1), np.where(waits, -np.inf, gains).argmax(axis=1))
    found = []
    for i in np.flatnonzero(gains[np.arange(len(rows)), best] > -AT_ISSUE):
        hand, name, gain = int(rows["hand"][i]), ANNOUNCEMENTS[best[i]], float(gains[i, best[i]])
        found.append(Asked(hand, name, gain, _sort(hand, name, gain)))
    return found


def _sort(hand: int, name: str, gain: float) -> str:
    alone = hand & BLACK_QUEENS == BLACK_QUEENS
    kind = "call" if name in CALLS else "knock alone" if alone else "knock"
    return f"{kind}: {'pays' if gain > 0 else 'does not pay'}"


def drawn(rows: NDArray[Any], n: int, seed: int) -> list[Asked]:
    """About `n` hands in question, equally many of each sort, each class as likely as it is dealt.

    Raises ConfigError where the table holds none.
    """
    asked = in_question(rows)
    if not asked:
        raise ConfigError("the table holds no hand in which an announcement is in question")
    sizes = dict(zip(rows["hand"].tolist(), rows["size"].tolist(), strict=True))
    sorts = sorted({one.sort for one in asked})
    rng, chosen = np.random.default_rng(seed), []
    for k, sort in enumerate(sorts):
        own = [one for one in asked if one.sort == sort]
        share = n * (k + 1) // len(sorts) - n * k // len(sorts)
        weights: FloatArray = np.array([sizes[one.hand] for one in own], float)
        picked = rng.choice(
            len(own), min(share, len(own)), replace=False, p=weights / weights.sum()
        )
        chosen += [own[i] for i in sorted(picked)]
    return chosen


def play_asked(
    asked: Asked, *, policy: str, rules: Mapping[str, Any], deals: int, seed: int
) -> Checked:
    """Silence and the announcement in `deals` deals around a hand, in each place of trick 1."""
    options, agent = GAME.options(rules), make_agent(policy)
    lineup, key = Lineup(agent, options, seed), key_of(asked.hand, seed)
    around = [
        deals_around(
            asked.hand, place, options, key, *(deals * k // N_SEATS for k in (place, place + 1))
        )
        for place in range(N_SEATS)
    ]
    hands = np.concatenate(around)
    seats = np.repeat(np.arange(N_SEATS), [len(one) for one in around])
    plans = {entry.name: entry.plan for entry in entries_of(asked.hand)}
    quiet, loud = (
        payoffs_of(lineup.play(hands, seats, plans[name], np.arange(deals)), seats)
        for name in (QUIET, asked.announcement)
    )
    cards = tuple(cards_of(asked.hand, GAME.codes))
    return Checked(
        asked, cards, Estimate.of(quiet.astype(float)), Estimate.of((loud - quiet).astype(float))
    )


def check(
    rows: NDArray[Any],
    policy: str,
    *,
    rules: Mapping[str, Any],
    hands: int,
    deals: int,
    seed: int,
    jobs: int = 1,
    keep: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Checked]:
    """Ask another policy about hands drawn from the rows ROW [R] of a table made by `rules`.

    In the folder `keep` the hands that are done stay until `pieces.remove_pieces`: a check that was
    stopped goes on with them. `progress` is called with the hands done since its last call. Raises
    ConfigError for what cannot be asked.
    """
    if hands < 1 or deals < 2 * N_SEATS:
        raise ConfigError(
            f"{hands} hands in {deals} deals are asked for: 1 hand and {2 * N_SEATS} deals are the "
            "least"
        )
    options = GAME.options(rules)
    require_rules([make_agent(policy)], GAME, options)
    setting = {"policy": policy, "rules": options.changed(), "deals": deals, "seed": seed}
    asked = drawn(rows, hands, seed)
    pieces = pieces_in(keep, "check", {**setting, "asked": [asdict(one) for one in asked]})
    found = {number: _read(pieces, number, one) for number, one in enumerate(asked)}
    missing = [number for number, checked in found.items() if checked is None]
    if progress is not None:
        progress(len(asked) - len(missing))
    made = each(partial(play_asked, **setting), [asked[number] for number in missing], jobs)
    for number, checked in zip(missing, made, strict=True):
        _write(pieces, number, checked)
        found[number] = checked
        if progress is not None:
            progress(1)
    return [checked for checked in found.values() if checked is not None]


def _write(pieces: Pieces, number: int, checked: Checked) -> None:
    arrays = {
        name: np.array([one.mean, one.standard_error, one.deals])
        for name, one in (("quiet", checked.quiet), ("gain", checked.gain))
    }
    pieces.write(f"{number:06}", arrays)


def _read(pieces: Pieces, number: int, asked: Asked) -> Checked | None:
    """A hand that was done before, if it was."""
    arrays = pieces.read(f"{number:06}")
    if arrays is None:
        return None
    quiet, gain = (
        Estimate(float(mean), float(error), int(deals))
        for mean, error, deals in (arrays["quiet"], arrays["gain"])
    )
    return Checked(asked, tuple(cards_of(asked.hand, GAME.codes)), quiet, gain)


# --- what it comes to ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SortChecked:
    """The hands of one sort together."""

    sort: str
    hands: int
    table_gain: float  # mean of what the table says
    gain: Estimate  # mean of what the policy made of it, of these hands
    of_all: Estimate  # the same of all hands of the sort: each hand drawn counts once
    same_sign: int  # hands whose interval lies on the side of 0 that the table says
    other_sign: int  # ... on the other side


def by_sort(found: Sequence[Checked]) -> list[SortChecked]:
    """The hands of each sort together, in the order in which the sorts come."""
    sorts = list(dict.fromkeys(one.asked.sort for one in found))
    return [_together(sort, [one for one in found if one.asked.sort == sort]) for sort in sorts]


def _together(sort: str, found: Sequence[Checked]) -> SortChecked:
    n, signs = len(found), np.array([np.sign(one.asked.gain) for one in found])
    means = np.array([one.gain.mean for one in found])
    errors = np.array([one.gain.standard_error for one in found])
    clear: BoolArray = np.abs(means) > np.array([one.gain.half_width for one in found])
    same = np.sign(means) == signs
    deals = sum(one.gain.deals for one in found)
    return SortChecked(
        sort=sort,
        hands=n,
        table_gain=float(np.mean([one.asked.gain for one in found])),
        gain=Estimate(float(means.mean()), float(np.sqrt(np.square(errors).sum())) / n, deals),
        of_all=Estimate.of(means),
        same_sign=int((clear & same).sum()),
        other_sign=int((clear & ~same).sum()),
    )
