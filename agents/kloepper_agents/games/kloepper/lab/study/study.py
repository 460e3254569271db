"""Many deals played by four of one policy, and every decision of one kind played both ways.

D deals, C opportunities.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kloepper_agents.arena.deals import open_deals, sha256_of
from kloepper_agents.arena.lockstep import Played, play_out
from kloepper_agents.base import require_rules
from kloepper_agents.games.kloepper.lab.core.advice import foresee
from kloepper_agents.games.kloepper.lab.core.branches import (
    announcing,
    best_calls,
    refraining,
    waiting,
)
from kloepper_agents.games.kloepper.lab.core.opportunities import (
    BoolArray,
    Kind,
    Opportunities,
    holdings,
    kind_named,
    opportunities_of,
    sampled,
)
from kloepper_agents.games.kloepper.lab.core.playing import (
    GAME,
    Lineup,
    acted,
    is_fast,
    outcomes_of,
    payoffs_of,
    rewound,
    side_points_of,
)
from kloepper_agents.kinds import make_agent
from kloepper_agents.lab.pieces import pieces_in
from kloepper_env import engine
from kloepper_env.cards import cards_of
from kloepper_env.engine import Records
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.record import N_SEATS, PASS
from kloepper_env.solver.kloepper import queries
from kloepper_env.solver.kloepper.transpositions import WORDS as TRANSPOSITION_WORDS

CHUNK: Final = 1024  # deals played side by side
SLOW_CHUNK: Final = 16
SLOW_SILENT: Final = 1  # silent opportunities a deal that a slow policy plays the other way

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a study was asked; with the version of the package it fixes every figure."""

    kind: str
    policy: str
    rules: Mapping[str, Any]
    deals: int
    seed: int
    deal_file: str | None
    silent: int | None  # silent opportunities a deal that are played the other way; None: all
    advice_deals: int  # deals in which every opportunity is foreseen
    worlds: int  # possible deals that are played out for that

    def described(self) -> dict[str, Any]:
        """The same for a file, with the digest of the deals if they come from one."""
        digest = {}
        if self.deal_file is not None:
            digest["deal_file_sha256"] = sha256_of(self.deal_file, GAME.name)
        return asdict(self) | digest


@dataclass(frozen=True, eq=False)
class Study:
    """The opportunities of one kind and what came of them, a row each in `columns`."""

    setting: Setting
    columns: Columns = field(repr=False)

    @property
    def kind(self) -> Kind:
        return kind_named(self.setting.kind)

    @property
    def hands(self) -> int:
        return self.setting.deals


def run_study(
    kind: str,
    policy: str = "rules",
    *,
    rules: Mapping[str, Any] | None = None,
    deals: int = 10_000,
    seed: int = 0,
    deal_file: str | Path | None = None,
    silent: int | None = None,
    advice_deals: int = 0,
    worlds: int = 64,
    keep: Path | None = None,
    progress: Callable[[int], None] | None = None,
) -> Study:
    """Study one kind of decision, `knock`, `knock-off`, `call` or `alone`, of a policy.

    The deals are those of a match with the same seed or file. `silent` bounds how many silent
    opportunities of a deal are played the other way: all of a policy that answers many seats at
    once, else SLOW_SILENT. In the first `advice_deals` deals every opportunity is also foreseen in
    `worlds` possible deals. In the folder `keep` the pieces that are done stay until
    `pieces.remove_pieces`: a study that was stopped goes on with them. `progress` is called with
    the number of deals done since its last call. Raises ConfigError for what cannot be read.
    """
    what, options, source = (
        kind_named(kind),
        GAME.options(rules),
        open_deals(seed, deal_file, deals),
    )
    agent = make_agent(policy)
    require_rules([agent], GAME, options)
    if advice_deals < 0 or worlds < 2:
        raise ConfigError(
            f"advice in {advice_deals} deals by {worlds} worlds cannot be had: the deals must be 0 "
            "or more, the worlds 2 or more"
        )
    fast = is_fast(agent)
    silent = SLOW_SILENT if silent is None and not fast else silent
    setting = Setting(
        kind=kind,
        policy=policy,
        rules=options.changed(),
        deals=deals,
        seed=seed,
        deal_file=None if deal_file is None else str(deal_file),
        silent=silent,
        advice_deals=min(advice_deals, deals),
        worlds=worlds,
    )
    lineup = Lineup(agent, options, seed)
    pieces = pieces_in(keep, "study", setting.described())
    parts = []
    chunk = CHUNK if fast else SLOW_CHUNK
    for start in range(0, deals, chunk):
        stop, name = min(start + chunk, deals), f"{start:08}"
        part = pieces.read(name)
        if part is None:
            part = _chunk(lineup, what, setting, source.hands(GAME, options, start, stop), start)
            pieces.write(name, part)
        parts.append(part)
        if progress is not None:
            progress(stop - start)
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Study(setting, columns)


def _chunk(lineup: Lineup, kind: Kind, setting: Setting, dealt: Records, start: int) -> Columns:
    numbers = start + np.arange(len(dealt))
    hands, seats = dealt.copy(), np.zeros((len(dealt), N_SEATS), np.int64)
    played = play_out(GAME, lineup.options, hands, seats, [lineup.policy], numbers, setting.seed)
    # Of deals with advice every opportunity is kept, so that the first bad one of a hand is found.
    found = opportunities_of(played, kind)
    advised = numbers[found.deal] < setting.advice_deals
    rng = np.random.default_rng((setting.seed, start))
    found = _joined(found[advised], sampled(found[~advised], setting.silent, rng))
    before = rewound(dealt[found.deal], played.hands[found.deal], found.at)
    columns = _compared(lineup, kind, played, found, before, numbers)
    n_advised = int(advised.sum())
    foreseen = foresee(
        lineup, kind, before[:n_advised], found.seat[:n_advised], setting.worlds, setting.seed
    )
    for name in ("success", "gain", "valued"):
        column = np.full(len(found), np.nan)
        column[:n_advised] = getattr(foreseen, name)
        columns[f"foreseen_{name}"] = column
    return columns


def _joined(one: Opportunities, other: Opportunities) -> Opportunities:
    names = ("deal", "at", "seat", "action", "taken", "weight")
    return Opportunities(*(np.concatenate([getattr(one, n), getattr(other, n)]) for n in names))


def _compared(
    lineup: Lineup, kind: Kind, played: Played, found: Opportunities, before: Records, numbers: Any
) -> Columns:
    """What came of each opportunity, what else would have come, and what the seat held."""
    seat, deal = found.seat, numbers[found.deal]
    factual = outcomes_of(played.hands)[found.deal]
    done, undone, waited = factual.copy(), factual.copy(), factual.copy()
    missed = ~found.taken
    done[missed] = announcing(lineup, kind, before[missed], seat[missed], deal[missed])
    # A seat that announces it later, or whose side does, was silent here but did not stay so.
    changed = found.taken | _announced_later(kind, played, found)
    undone[changed] = refraining(lineup, kind, before[changed], seat[changed], deal[changed])
    if kind.by_silence:
        waited = undone
    else:
        taken = found.taken
        waited[taken] = waiting(lineup, before[taken], seat[taken], deal[taken])
    columns: Columns = {
        "deal": deal,
        "seat": seat,
        "hand": _texts(before, seat),
        "action": np.array(GAME.action_names)[found.action],
        "taken": found.taken.astype(np.int64),
        "weight": found.weight,
        "success": kind.succeeded(done).astype(np.int64),
    }
    for name, outcomes in (("done", done), ("undone", undone), ("waited", waited)):
        columns[f"payoff_{name}"] = payoffs_of(outcomes, seat)
    columns["side_done"] = side_points_of(done, seat)
    columns["side_undone"] = side_points_of(undone, seat)
    return columns | _open_cards(lineup, kind, found, before) | holdings(before, seat)


def _announced_later(kind: Kind, played: Played, found: Opportunities) -> BoolArray:
    """Opportunities passed up where the seat, or its side, made the announcement later."""
    if kind.by_silence:
        return np.zeros(len(found), np.bool_)
    log = played.hands["log"]
    made = (kind.mask >> engine.actions_noted(log) & 1 == 1) & (
        np.arange(log.shape[1]) < played.hands["log_length"][:, None]
    )
    first = log[np.arange(len(log)), made.argmax(axis=1)]
    by = engine.seats_noted(first)[found.deal]
    later: BoolArray = ~found.taken & made.any(axis=1)[found.deal]
    return later if kind.by_side else later & (by == found.seat)


def _texts(hands: Records, seats: NDArray[Any]) -> NDArray[Any]:
    masks = hands["hands"][np.arange(len(hands)), seats]
    return np.array([" ".join(cards_of(mask, GAME.codes)) for mask in masks], dtype="U17")


def _open_cards(lineup: Lineup, kind: Kind, found: Opportunities, before: Records) -> Columns:
    """What the decisions taken are worth double dummy: side points after them, and otherwise."""
    taken = np.flatnonzero(found.taken)
    hands, seats = before[taken], found.seat[taken]
    otherwise = np.full(len(taken), PASS)
    if kind.by_silence:
        otherwise = best_calls(lineup.policy, lineup.options, hands)
    transpositions, columns = np.zeros(TRANSPOSITION_WORDS, np.int64), Columns()
    for name, actions in (("done", found.action[taken]), ("undone", otherwise)):
        after, scores = acted(hands, actions), np.empty(len(taken), np.int64)
        queries.scores_of_hands(transpositions, after, scores)
        values = np.full(len(found), np.nan)
        values[taken] = np.where(after["black"] >> seats & 1, scores, -scores)
        columns[f"open_{name}"] = values
    return columns
