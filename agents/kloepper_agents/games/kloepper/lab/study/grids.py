"""A study as grids for people."""

from collections.abc import Mapping

import numpy as np

from kloepper_agents.arena.report import Grid, with_interval
from kloepper_agents.games.kloepper.lab.study import summary
from kloepper_agents.games.kloepper.lab.study.study import Study
from kloepper_agents.games.kloepper.lab.study.summary import FEATURES, Share, label


def share_text(share: Share) -> str:
    """`12.3% (10.1-14.9%)`."""
    if not share.of:
        return "-"
    return f"{share.share:.1%} ({100 * share.low:.1f}-{100 * share.high:.1f}%)"


def grids(study: Study) -> list[Grid]:
    """The grids of a study."""
    found = [_rates(study), _gains(study)]
    found += [grid for grid in (_regret(study), _calibration(study)) if grid]
    return [*found, _open(study), *(_cells(study, feature) for feature in FEATURES)]


def notes(study: Study) -> list[str]:
    """Sentences that belong under the grids."""
    setting = study.setting
    rules = ", ".join(f"{name}={value}" for name, value in setting.rules.items()) or "default rules"
    source = f"seed {setting.seed}"
    if setting.deal_file is not None:
        source = f"{setting.deal_file}, {source}"
    lines = [
        f"{setting.deals:,} deals, four {setting.policy}; {source}; {rules}.",
        "A gain is a payoff: twice what the seat scores over the mean of all seats, in a hand of "
        "two against two the stake won or lost. Both ways are played on the same deals with the "
        "same luck, by players who see only their own cards.",
    ]
    if setting.silent is not None:
        lines.append(
            f"Of the opportunities passed up {setting.silent} a deal, drawn at random, was played "
            "the other way, and counts for all."
        )
    return lines


def _rates(study: Study) -> Grid:
    found = summary.rates(study)
    rows = [
        ["opportunities per deal", f"{found.chances / study.hands:.2f}"],
        ["deals with an opportunity", f"{found.hands / study.hands:.1%}"],
        ["done, of the opportunities", share_text(found.per_chance)],
        ["done, of the deals", share_text(found.per_deal)],
        [f"came off ({study.kind.success})", share_text(found.success)],
        ["would come off, if always done", share_text(found.success_if_made)],
    ]
    return Grid(f"{study.kind.title}: how often", ["", study.setting.policy], rows)


def _gains(study: Study) -> Grid:
    taken = summary.taken_of(study)
    sorts = [(f"done, against {study.kind.other}", taken, "undone")]
    sorts.append((f"passed up: done, against {study.kind.other}", ~taken, "undone"))
    if not study.kind.by_silence:
        sorts.append(("done, against a pass now", taken, "waited"))
        sorts.append(("passed up: done, against the pass", ~taken, "waited"))
    rows = []
    for name, chosen, other in sorts:
        found = summary.gains(study, chosen, other)
        side = with_interval(found.side) if other == "undone" else ""
        row = [name, f"{found.decisions:,}", with_interval(found.payoff), side]
        rows.append([*row, f"{found.won.share:.0%} / {found.lost.share:.0%}"])
    header = ["", "decisions", "gain", "side points", "better / worse"]
    return Grid(f"{study.kind.title}: what it won or lost (95 % interval)", header, rows)


def _regret(study: Study) -> Grid | None:
    found = summary.regret(study)
    if found is None:
        return None
    rows = [
        ["too bold", f"{found.bold:,}", with_interval(found.bold_cost)],
        ["too timid", f"{found.timid:,}", with_interval(found.timid_cost)],
    ]
    title = f"Cost against the advice of {study.setting.worlds} play-outs, {found.hands:,} deals"
    return Grid(title, ["", "seats", "payoff per hand"], rows)


def _calibration(study: Study) -> Grid | None:
    found = summary.foretold(study)
    if found is None:
        return None
    rows = [
        [f"{p:.2f}", f"{n:,.0f}", f"{share:.2f}", f"{low:.2f}-{high:.2f}"]
        for p, n, share, low, high in zip(
            found.foretold, found.counts, found.happened, found.low, found.high, strict=True
        )
    ]
    title = (
        f"Foretold and happened: Brier {found.brier:.3f} (knowing the mean only: "
        f"{found.baseline:.3f}), calibration error {found.ece:.3f}"
    )
    return Grid(title, ["foretold", "opportunities", "happened", "95 % interval"], rows)


def _open(study: Study) -> Grid:
    found = summary.open_cards(study)
    rows = [
        ["done", with_interval(found.done), with_interval(found.played_done)],
        [study.kind.other, with_interval(found.undone), with_interval(found.played_undone)],
    ]
    title = f"{study.kind.title}, where it was done: side points with open cards and as played"
    return Grid(title, ["", "double dummy", "played"], rows)


def _cells(study: Study, feature: str) -> Grid:
    rows = [
        [
            label(feature, cell.value),
            f"{cell.chances:,.0f}",
            f"{cell.made.share:.1%}",
            with_interval(cell.gain_made),
            f"{cell.success.low:.0%}-{cell.success.high:.0%}",
            with_interval(cell.gain),
        ]
        for cell in summary.cells(study, feature)
    ]
    header = [FEATURES[feature], "opportunities", "done", "gain, done"]
    header += ["comes off, always", "gain, always"]
    return Grid(f"{study.kind.title} by {FEATURES[feature]}", header, rows)


def sensitivity(studies: Mapping[str, Study]) -> Grid:
    """The same study under other options of the rules."""
    rows = []
    for name, study in studies.items():
        rates, taken = summary.rates(study), summary.taken_of(study)
        every = summary.mean(study, summary.gain(study), np.ones(len(taken), np.bool_))
        rows.append(
            [
                name,
                f"{rates.per_deal.share:.1%}",
                f"{rates.success.share:.1%}",
                with_interval(summary.gains(study, taken).payoff),
                with_interval(every),
            ]
        )
    header = ["rules", "done, of the deals", "came off", "gain, done", "gain, always"]
    kind = next(iter(studies.values())).kind
    return Grid(f"{kind.title} under other rules", header, rows)
