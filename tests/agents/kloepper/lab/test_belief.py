"""Beliefs judged: what is known of them must come out."""

from pathlib import Path

import numpy as np
import pytest

from kloepper_agents.arena.statistics import Estimate
from kloepper_agents.games.kloepper.lab.measures import belief
from kloepper_agents.games.kloepper.lab.measures.belief_report import gain_of, partners_of
from kloepper_agents.neural import Policy
from kloepper_env.beliefs import Belief
from kloepper_env.errors import ConfigError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import CALL, KNOCK, KNOCK_OFF
from kloepper_env.state import State

SHORT = {"pack": 12}


def opinionated(path: Path) -> str:
    """The name of a player that draws cards by what it sees, in a random but fixed way."""
    game, generator = get_game("kloepper"), np.random.default_rng(1)
    size = game.layout.size
    bias = np.zeros(game.n_actions, np.float32)
    bias[[KNOCK, KNOCK_OFF, *range(CALL, CALL + 3)]] = -2.0
    weights = generator.normal(0, 0.5, (size, game.n_actions)).astype(np.float32)
    Policy("kloepper", SHORT, 0, (weights,), (bias,)).save(path)
    return f"net:{path},sample"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[belief.Judged]:
    """Hands of a player, by uniform weights, by its own probabilities and by its sharpened ones."""
    name = opinionated(tmp_path_factory.mktemp("net") / "policy.safetensors")
    beliefs = ["uniform", name]
    return belief.judge_beliefs(
        name, beliefs, rules=SHORT, hands=700, seed=2, temper=1.0, uniform=0.0
    )


def test_uniform_weights_gain_nothing(judged: list[belief.Judged]) -> None:
    assert all(one.gains[0] == one.hopes[0] == 0.0 for one in judged)
    assert max(one.worlds for one in judged) == 6  # three hidden seats, a card each


def test_the_belief_in_the_true_model_gets_what_it_expects(judged: list[belief.Judged]) -> None:
    surprise = Estimate.of(np.array([one.gains[1] - one.hopes[1] for one in judged]))
    assert abs(surprise.mean) < 3 * surprise.standard_error
    assert surprise.standard_error < 0.03
    gain = gain_of(judged, 1, 3)
    assert gain.low > 0.1
    partners = partners_of(judged, 1, 0)
    blind = partners_of(judged, 0, 0)
    assert partners is not None
    assert blind is not None
    assert partners.low > blind.high > 0.45
    assert partners.ece < 2 * partners.luck


def test_a_belief_that_is_too_sure_expects_more_than_it_gets(tmp_path: Path) -> None:
    name = opinionated(tmp_path / "policy.safetensors")
    wrong = belief.judge_beliefs("passive", [name], rules=SHORT, hands=200, seed=2)
    surprise = Estimate.of(np.array([one.gains[0] - one.hopes[0] for one in wrong]))
    assert surprise.high < 0


def test_what_is_judged_is_what_belief_says() -> None:
    state = State.deal(seed=4)
    for _ in range(200):
        if state.hand.plies == 8:
            break
        state.push(state.legal()[0])
    weighers = [
        belief.weigher_of(name, state.options, temper=0.7, uniform=0.1)
        for name in (
            "uniform",
            "announcements",
            "rules",
            "rules or greedy",
        )
    ]
    one = belief.judge(state, 1, weighers, 9, 3)
    found = Belief(state.view(1))
    assert (one.deal, one.trick, one.worlds) == (9, 3, found.count())
    assert one.gains[0] == 0.0
    worlds = found.enumerate()
    true = (worlds["hands"] == state.hand.hands).all(axis=1)
    for i, weigher in enumerate(weighers):
        weights = weigher(found, worlds, 1)
        assert one.gains[i] == pytest.approx(np.log(weights[true][0] * len(weights)))
    sides = [int(state.hand.black) >> seat & 1 for seat in (2, 3, 0)]
    assert one.allies.tolist() == [side == int(state.hand.black) >> 1 & 1 for side in sides]


def test_processes_and_pieces_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = belief.judge_beliefs("rules", ["greedy"], rules=SHORT, hands=30, seed=2)
    monkeypatch.setattr(belief, "AT_ONCE", 7)
    done: list[int] = []
    pieces = belief.judge_beliefs(
        "rules", ["greedy"], rules=SHORT, hands=30, seed=2, progress=done.append
    )
    assert [one.gains.tolist() for one in whole] == [one.gains.tolist() for one in pieces]
    assert done == [7, 7, 7, 7, 2]


def test_a_seat_sees_from_its_own_cards_alone() -> None:
    """What is asked of partners is open to it, and one at most is certain of every two."""
    found = belief.judge_beliefs("rules", ["uniform"], rules={}, hands=20, seed=5)
    early = [one for one in found if one.trick == 3]
    assert any(one.open.any() for one in early)
    for one in early:
        flat = one.partners[0]
        assert not one.open[(flat == 0) | (flat > 1 - 1e-9)].any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hands": 0}, "0 hands are asked for: 1 to 10,000,000 are accepted"),
        ({"temper": 0.0}, "temper is 0.0 and uniform 0.1, but both must be from 0 to 1"),
        ({"uniform": 1.5}, "temper is 0.7 and uniform 1.5"),
        ({"beliefs": ["level:5"]}, "level:5 cannot tell how probable its actions are"),
        ({"beliefs": ["nobody"]}, "unknown agent 'nobody'"),
        ({"beliefs": ["rules or nobody"]}, "unknown agent 'nobody'"),
        ({"beliefs": ["greedy"], "uniform": 0.0}, "uniform must be more than 0"),
    ],
)
def test_what_cannot_be_asked_is_refused(settings: "dict[str, object]", message: str) -> None:
    asked = {"policy": "rules", "beliefs": ["uniform"], "rules": {}, "hands": 5, "seed": 0}
    with pytest.raises(ConfigError, match=message):
        belief.judge_beliefs(**(asked | settings))  # type: ignore[arg-type]
