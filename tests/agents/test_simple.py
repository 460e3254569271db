"""The players `random`, `passive` and `greedy`."""

import numpy as np
import pytest

import tests.games  # noqa: F401  # makes Skirmish known
from kloepper_agents.arena.match import play_match
from kloepper_agents.base import ObservationAgent
from kloepper_agents.compiled import bits_of, words_of
from kloepper_agents.games.kloepper.features import MASK_WORDS, features_of
from kloepper_agents.games.kloepper.greedy import cheapest, greedy_action
from kloepper_agents.kinds import make_agent, plays
from kloepper_agents.simple import make_random
from kloepper_env.batch import Batch
from kloepper_env.errors import ConfigError
from kloepper_env.games import GAMES
from kloepper_env.games.kloepper.observe import WORDS
from kloepper_env.state import State
from tests.agents.positions import CODES, cards, state_of, to_card


def greedy(state: State) -> str:
    """The name of greedy's action for the seat that decides."""
    assert state.turn is not None
    view = state.view(state.turn)
    words = words_of(view.observation[None], WORDS)[0]
    legal = bits_of(words_of(view.action_mask[None], MASK_WORDS)[0], 0, MASK_WORDS)
    action = greedy_action(words, legal)
    assert make_agent("greedy").act(view, 0) == action
    assert features_of(words, legal).legal >> action & 1
    return state.game.action_names[action]


def test_random_is_uniform_over_the_legal_actions() -> None:
    n, legal = 60_000, [0, 7, 8, 23, 24, 29]
    mask = np.zeros((n, 30), np.int8)
    mask[:, legal] = 1
    words = np.random.default_rng(5).integers(0, 2**64, n, np.uint64)
    observations = np.zeros((n, 8 * WORDS), np.int8)
    counts = np.bincount(
        make_random("kloepper", "").act_many(observations, mask, words), minlength=30
    )
    assert counts.sum() == counts[legal].sum() == n
    expected = n / len(legal)
    chi_square = float(((counts[legal] - expected) ** 2 / expected).sum())
    assert chi_square < 20.5  # 5 degrees of freedom, one seed in a thousand is above


def test_random_chooses_by_its_word_alone() -> None:
    mask = np.ones((2, 30), np.int8)
    words = np.array([1 << 63, 1 << 63], np.uint64)
    agent = make_random("kloepper", "")
    first = agent.act_many(np.zeros((2, 8 * WORDS), np.int8), mask, words)
    assert list(first) == [15, 15]


def test_cheapest_takes_the_fewest_points_then_the_weakest() -> None:
    assert CODES[cheapest(cards("AD 9D 9H TC"))] == "9H"
    assert CODES[cheapest(cards("QC QD JH"))] == "JH"
    assert CODES[cheapest(cards("JC JS TH"))] == "JS"


def test_greedy_leads_an_ace_else_its_cheapest_card() -> None:
    assert greedy(to_card(state_of(["QC AH TH 9C 9S KD"]))) == "AH"
    assert greedy(to_card(state_of(["QC JC TH TC KS KD"]))) == "JC"


def test_greedy_takes_a_trick_worth_having_with_its_cheapest_winner() -> None:
    state = to_card(state_of(["TH 9C KC 9S KS JD", "AH QC TS KD 9D QD", "KH QH"], "TH"))
    assert greedy(state) == "AH"
    state = to_card(state_of(["TC TH KC 9S KS JD", "AH QC TS KD 9D QD"], "TC"))
    assert greedy(state) == "9D"


def test_greedy_throws_low_on_a_trick_that_is_worth_little() -> None:
    state = to_card(state_of(["9C TH KC 9S KS JD", "AH QC QS KD TS QD"], "9C"))
    assert greedy(state) == "QD"


def test_greedy_announces_nothing_but_a_call() -> None:
    assert greedy(state_of(["QC QS AC TH 9H 9C"])) == "call:S"
    assert greedy(state_of(["QC JC JS JH JD AD"])) == "pass"


@pytest.mark.parametrize(
    ("kind", "game"),
    [(kind, game) for kind in ("random", "greedy", "rules") for game in GAMES if plays(kind, game)],
)
def test_settings_are_refused(kind: str, game: str) -> None:
    with pytest.raises(ConfigError, match=f"agent {kind} takes no settings, but got 'x=1'"):
        make_agent(f"{kind}:x=1", game)


def test_a_game_that_an_agent_does_not_play_is_refused() -> None:
    others = "random, passive, greedy, rules, rollout, level or net"
    sentence = f"agent pimc plays kloepper, not klammern; that is played by {others}"
    with pytest.raises(ConfigError, match=f"^{sentence}$"):
        make_agent("pimc:worlds=1", "klammern")


@pytest.mark.parametrize("game", [*GAMES, "skirmish"])
def test_passive_passes_where_it_can_and_else_plays_any_card(game: str) -> None:
    batch, agent = Batch(game, n=256, seed=3), make_agent("passive", game)
    assert isinstance(agent, ObservationAgent)
    heads, rng = batch.game.heads, np.random.default_rng(4)
    pass_, seen = batch.game.action_of.get("pass"), set()
    others = batch.sample
    for turn in range(60):
        words = rng.integers(0, 2**64, 256, np.uint64)
        actions = agent.act_many(batch.observation, batch.action_mask, words)
        for mask, action in zip(batch.action_mask, actions.tolist(), strict=True):
            assert mask[action]
            if pass_ is not None and mask[pass_]:
                assert action == pass_
            elif (mask * (heads == 0)).any():
                assert heads[action] == 0
                seen.add(action)
        batch.step(actions if turn % 2 else others())
    assert len(seen) > 20


def test_passive_beats_random_and_loses_to_those_who_think() -> None:
    """A learner that beats `random` has shown little: it ruins itself by what it announces."""
    assert play_match("passive", "random", deals=300).low > 3
    assert play_match("passive", "greedy", deals=600).high < 0
    assert play_match("passive", "rules", deals=600).high < 0


def test_passive_has_no_settings() -> None:
    with pytest.raises(ConfigError, match="agent passive takes no settings"):
        make_agent("passive:often")
