"""What judged choices come to, for people and for programs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Final

from kloepper_agents.arena.report import Grid
from kloepper_agents.games.kloepper.lab.choices.regret import FIRST_TRICK, MOST, Judged
from kloepper_agents.games.kloepper.lab.choices.sweeps import KINDS, Answer
from kloepper_env.games.kloepper.record import CODES

FORMAT: Final = 1
WORST: Final = 10  # positions that are listed
ASPECTS: Final = ("trick", "role", "kind")


# --- dominated choices ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """Some choices together."""

    choices: int
    dominated: int
    loss: float  # payoff a hand dealt

    @property
    def share(self) -> float:
        """The share of the choices that are dominated; 0 of none."""
        return self.dominated / self.choices if self.choices else 0.0


def together(found: Sequence[Judged], hands: int) -> Cell:
    """Choices of so many hands, summed up."""
    dominated = sum(one.better is not None for one in found)
    return Cell(len(found), dominated, sum(one.loss for one in found) / hands)


def by_aspect(found: Sequence[Judged], hands: int, aspect: str) -> dict[str, Cell]:
    """The choices by trick, role or kind, most of them first but tricks in their order."""
    counts = Counter(str(getattr(one, aspect)) for one in found)
    names = sorted(counts) if aspect == "trick" else [name for name, _ in counts.most_common()]
    return {
        name: together([one for one in found if str(getattr(one, aspect)) == name], hands)
        for name in names
    }


def worst_of(found: Sequence[Judged]) -> list[Judged]:
    """The dominated choices that lose most, the earliest first among equals."""
    bad = [one for one in found if one.better is not None]
    return sorted(bad, key=lambda one: (-one.loss, one.deal, one.at))[:WORST]


def _row(name: str, cell: Cell) -> list[str]:
    return [name, f"{cell.choices:,}", f"{cell.share:.1%}", f"{cell.loss:.3f}"]


def regret_report(found: Sequence[Judged], policy: str, hands: int) -> tuple[list[Grid], list[str]]:
    """Tables of dominated choices, and what belongs under them."""
    rows = [_row("all", together(found, hands))]
    for aspect in ASPECTS:
        cells = by_aspect(found, hands, aspect)
        rows += [_row(f"{aspect} {name}", cell) for name, cell in cells.items()]
    grids = [Grid(f"Dominated choices of `{policy}`", ["", "choices", "dominated", "loss"], rows)]
    worst = [
        [str(one.deal), str(one.at), CODES[one.card], CODES[one.better], f"{one.loss:.1f}"]
        for one in worst_of(found)
        if one.better is not None
    ]
    if worst:
        header = ["deal", "actions before", "played", "better", "loss"]
        grids.append(Grid("The dearest of them", header, worst))
    line = (
        f"{hands:,} hands; choices from trick {FIRST_TRICK} on with at most {MOST} consistent "
        "deals, all of them solved with open cards. Losses in payoff: of all, a hand dealt; of one "
        "choice, the mean over its deals."
    )
    return grids, [line]


def regret_data(
    found: Sequence[Judged], setting: Mapping[str, Any], hands: int, command: str
) -> dict[str, Any]:
    """The same for a program."""
    return {
        **_head(setting, command),
        "all": _cell(together(found, hands)),
        "by": {
            aspect: {name: _cell(cell) for name, cell in by_aspect(found, hands, aspect).items()}
            for aspect in ASPECTS
        },
        "worst": [
            {
                "deal": one.deal,
                "actions_before": one.at,
                "trick": one.trick,
                "role": one.role,
                "kind": one.kind,
                "played": CODES[one.card],
                "better": CODES[one.better],
                "loss": round(one.loss, 3),
                "deals": one.deals,
            }
            for one in worst_of(found)
            if one.better is not None
        ],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "choices": cell.choices,
        "dominated": cell.dominated,
        "share": round(cell.share, 5),
        "loss": round(cell.loss, 5),
    }


def _head(setting: Mapping[str, Any], command: str) -> dict[str, Any]:
    return {"format": FORMAT, "kloepper": version("kloepper"), "command": command, **setting}


# --- positions of knocked hands ------------------------------------------------------------------


def sweeps_report(answers: Sequence[Answer], policy: str) -> tuple[list[Grid], list[str]]:
    """A table of what a player did in positions of knocked hands."""
    rows = [
        [kind, str(len(own)), f"{_right(own):.1%}"]
        for kind in (*KINDS, "all")
        if (own := [one for one in answers if kind in (one.position.kind, "all")])
    ]
    line = (
        "Positions of knocked hands in which one class of cards leaves a sweep in more, or to the "
        "red side in fewer, of the consistent deals than every other."
    )
    return [Grid(f"What `{policy}` plays", ["position", "asked", "right"], rows)], [line]


def sweeps_data(
    answers: Sequence[Answer], setting: Mapping[str, Any], command: str
) -> dict[str, Any]:
    """The same for a program, with every position that was not played right."""
    kinds = {kind: [one for one in answers if one.position.kind == kind] for kind in KINDS}
    return {
        **_head(setting, command),
        "right": round(_right(answers), 5),
        "by": {
            kind: {"asked": len(own), "right": round(_right(own), 5)}
            for kind, own in kinds.items()
            if own
        },
        "wrong": [
            {
                "kind": one.position.kind,
                "dealer": one.position.state.dealer,
                "deck": one.position.state.deck(),
                "actions": [action for _, action in one.position.state.history],
                "right": _names(one.position.right),
                "played": CODES[one.card],
                "sweeps": {
                    " ".join(_names(mask)): round(share, 4)
                    for mask, share in one.position.shares.items()
                },
            }
            for one in answers
            if not one.right
        ],
    }


def _right(answers: Sequence[Answer]) -> float:
    return sum(one.right for one in answers) / len(answers)


def _names(mask: int) -> list[str]:
    return [code for card, code in enumerate(CODES) if mask >> card & 1]
