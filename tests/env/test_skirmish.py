"""A game of three or six seats, 200 actions, drawn parties and looks at hands, in every frame."""

import copy
import json
import pickle
import random
import re
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test

import tests.games  # noqa: F401  # makes Skirmish known
from kloepper_env import Batch, State, engine
from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.errors import ConfigError, IllegalActionError, RecordMismatchError
from kloepper_env.games import get_game, set_up
from kloepper_env.games.action import Kind
from kloepper_env.records import Record, to_record
from kloepper_env.render import render_svg, render_text
from kloepper_env.render.faces import svg_cards
from tests.games.positions import VARIANTS, name_of, played
from tests.games.skirmish.record import CODES, POINTS

variants = pytest.mark.parametrize("rules", VARIANTS, ids=name_of)


def scores_by_hand(record: dict[str, Any]) -> list[int]:
    """What each seat scores, counted from a record by the sentences of the game's docstring."""
    plays = [(seat, action) for seat, action in record["actions"] if ":" not in action]
    said = [(seat, action) for seat, action in record["actions"] if action.startswith("bid:")]
    n = sum(map(len, record["teams"]))
    points = Counter[int]()
    for start in range(0, len(plays), n):
        trick = plays[start : start + n]
        led = [(CODES.index(card), seat) for seat, card in trick if card[1] == trick[0][1][1]]
        points[max(led)[1]] += sum(int(POINTS[CODES.index(card)]) for _, card in trick)
    (captain, bid), scores = said[0], [0] * n
    for team in record["teams"]:
        own = sum(points[seat] for seat in team)
        amount = int(bid.partition(":")[2])
        stake = (amount // 10 if own >= amount else -(amount // 10)) if captain in team else 0
        for seat in team:
            scores[seat] = own + stake
    return scores


@variants
def test_scores_are_those_of_a_count_by_hand(rules: dict[str, Any]) -> None:
    for seed in range(60):
        record = to_record(played(rules, seed))
        assert record["scores"] == scores_by_hand(record)


@variants
def test_options_make_the_game(rules: dict[str, Any]) -> None:
    game, options = set_up("skirmish", rules)
    assert game.n_seats == options.players == len(game.accounts)
    assert game.n_actions == 194 + game.n_seats
    assert game.dtype["hands"].shape == (game.n_seats,)
    assert game.setup(options) is game
    assert pickle.loads(pickle.dumps(game)) is copy.deepcopy(game) is game
    assert get_game(game) is game
    kinds = Counter(action.kind for action in game.actions)
    assert (kinds[Kind.PLAY], kinds[Kind.LAY], kinds[Kind.SAY]) == (48, 48, 98 + game.n_seats)
    assert game.heads.sum() == kinds[Kind.SAY]  # cards laid away are chosen as cards


@variants
def test_pettingzoo(rules: dict[str, Any]) -> None:
    env = CardGameEnv("skirmish", rules)
    with pytest.warns(UserWarning, match="Observation"):  # it is a Dict
        api_test(env, num_cycles=100)
    env.reset(seed=4)
    state = State.deal("skirmish", rules, seed=4)
    rng = random.Random(4)
    for agent in env.agent_iter():
        observation, reward, terminated, _, _ = env.last()
        if terminated:
            assert reward == state.scores()[int(agent[-1])]
            env.step(None)
            continue
        seat = int(agent[-1])
        assert seat == state.turn
        assert (observation["observation"] == state.observation(seat)).all()
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert legal == state.legal_actions()
        action = rng.choice(legal)
        env.step(action)
        state.push(action)
    assert state.is_over


@variants
def test_batch_plays_the_hands_of_state(rules: dict[str, Any]) -> None:
    batch = Batch("skirmish", n=16, seed=3, rules=rules)
    states = [State.deal("skirmish", rules, seed=3, serial=lane) for lane in range(16)]
    for _ in range(45):
        actions = batch.sample()
        for lane, state in enumerate(states):
            mask = batch.action_mask[lane]
            assert state.legal_actions() == np.flatnonzero(mask).tolist()
            state.push(int(actions[lane]))
        batch.step(actions)
        for lane in range(16):
            if batch.ended[lane]:
                assert batch.rewards[lane].tolist() == states[lane].scores()
                serial = int(batch.hands["serial"][lane])
                states[lane] = State.deal("skirmish", rules, seed=3, serial=serial)
    with pytest.raises(IllegalActionError, match="is not legal in lane 0"):
        batch.step(np.full(16, 199 if states[0].history else 0))


@variants
def test_vector_form_does_what_single_environments_do(rules: dict[str, Any]) -> None:
    several = SeatVectorEnv(6, "skirmish", rules)
    single = [SeatEnv("skirmish", rules) for _ in range(6)]
    seen, _ = several.reset(seed=9)
    each = [env.reset(seed=9 + lane)[0] for lane, env in enumerate(single)]
    rng = random.Random(9)
    for _ in range(60):
        for lane, one in enumerate(each):
            assert (seen["observation"][lane] == one["observation"]).all()
            assert (seen["action_mask"][lane] == one["action_mask"]).all()
        actions = [rng.choice(np.flatnonzero(one["action_mask"]).tolist()) for one in each]
        seen, rewards, ended, _, _ = several.step(np.array(actions))
        for lane, env in enumerate(single):
            each[lane], reward, over, _, _ = env.step(actions[lane])
            assert (reward, over) == (rewards[lane], ended[lane])
            if over:
                each[lane], _ = env.reset()


@variants
def test_every_action_of_a_wide_mask_is_drawn_alike(rules: dict[str, Any]) -> None:
    """97 of 98 bids lie beyond bit 63, some of them in the fourth word."""
    batch = Batch("skirmish", n=20_000, seed=1, rules=rules)
    drawn = np.bincount(batch.sample(), minlength=batch.game.n_actions)
    legal = batch.action_mask[0] != 0
    assert legal.sum() == 98
    assert not drawn[~legal].any()
    assert (abs(drawn[legal] - 20_000 / 98) < 5 * np.sqrt(20_000 / 98)).all()


@variants
def test_records_replay_and_name_the_parties(rules: dict[str, Any], tmp_path: Path) -> None:
    state = played(rules, 5)
    data = to_record(state, legal=True)
    line = json.dumps(data)
    record = Record.parse(line)
    record.check()
    assert record.state().scores() == state.scores()
    assert sorted(chain.from_iterable(data["teams"])) == list(range(state.game.n_seats))
    other = data | {"teams": [list(reversed(data["teams"][0])), *data["teams"][1:]]}
    if state.game.set_teams is None:  # they follow from the dealer
        with pytest.raises(RecordMismatchError, match="teams is"):
            Record.parse(json.dumps(other | {"teams": data["teams"][:1]})).check()
    else:
        Record.parse(json.dumps(other)).check()  # any order of the seats of a party is read
        del data["teams"]
        with pytest.raises(ConfigError, match=r"teams is None, but must be [23] lists of"):
            Record.parse(json.dumps(data))


@pytest.mark.parametrize("teams", [None, 5, [[0, 1], [2, 3, 4, 5]], [[0, 1, 2], [2, 4, 5]], "ab"])
def test_parties_that_are_none(teams: Any) -> None:
    with pytest.raises(ConfigError, match=r"^teams is .*, but must be 2 lists of 3 seats$"):
        State.deal("skirmish", deck=list(CODES), teams=teams)


def test_a_deal_with_given_parties() -> None:
    teams = [[5, 0, 1], [2, 3, 4]]
    state = State.deal("skirmish", deck=list(CODES), dealer=2, teams=teams)
    assert state.view(4).teams == ((0, 1, 5), (2, 3, 4))
    env = CardGameEnv("skirmish")
    env.reset(options={"deck": list(CODES), "dealer": 2, "teams": teams})
    assert env.position.view(0).teams == state.view(0).teams
    with pytest.raises(ConfigError, match="but then the seed draws them"):
        State.deal("skirmish", teams=teams)
    with pytest.raises(ConfigError, match="kloepper draws none"):
        State.deal(deck=State.deal(seed=1).deck(), teams=teams)


# --- what a seat sees


@variants
def test_a_seat_sees_nothing_of_what_others_hold_lay_away_or_look_at(rules: dict[str, Any]) -> None:
    """Hidden cards change places; of two seats that know of them only one sees it."""
    rng, told = random.Random(2), 0
    for seed in range(40):
        state = played(rules, seed, rng.randrange(3, 3 + 3 * 3))
        n, hand = state.game.n_seats, state.hand
        captain, scout = int(hand.captain), (int(hand.captain) + 1) % n
        seat = next(s for s in range(n) if s not in (captain, scout))
        other = rng.choice([s for s in range(n) if s not in (captain, seat) and hand.hands[s]])
        twin = state.copy()
        _exchange(twin.hand, captain, other)
        before, after = state.view(seat), twin.view(seat)
        assert before.information_state == after.information_state
        assert (before.observation == after.observation).all()
        assert (before.information_tensor == after.information_tensor).all()
        assert render_text(state, seat) == render_text(twin, seat)
        assert render_svg(state, seat) == render_svg(twin, seat)
        assert before.known == {}
        assert state.view(captain).information_state != twin.view(captain).information_state
        told += state.view(scout).known["seen"] != twin.view(scout).known["seen"]
    assert told > 5


def _exchange(hand: Any, captain: int, other: int) -> None:
    """The card laid away becomes one that another seat holds, and that seat gets it."""
    laid, card = int(hand.laid), int(hand.hands[other]) & -int(hand.hands[other])
    for field in (hand.hands, hand.dealt):
        field[other] ^= laid | card
    hand.dealt[captain] ^= laid | card
    one_was_seen = (hand.seen & card == 0) != (hand.seen & laid == 0)
    hand.seen ^= laid | card if one_was_seen else 0
    hand.laid = card


@variants
def test_what_seats_know_beyond_their_own_cards(rules: dict[str, Any]) -> None:
    state = played(rules, 1, 3)
    captain, scout = int(state.hand.captain), (int(state.hand.captain) + 1) % state.game.n_seats
    laid, looked = state.history[2][1], int(state.history[1][1][-1])
    assert state.view(captain).known == {"laid away": (laid[-2:],)}
    seen = state.view(scout).known["seen"]
    was_laid = {laid[-2:]} if looked == captain else set()
    assert set(seen) == set(state.cards(looked)) | was_laid
    others = set(range(state.game.n_seats)) - {captain, scout}
    assert all(state.view(seat).known == {} for seat in others)
    assert (captain, laid) in state.view(captain).history
    assert all((captain, laid) not in state.view(seat).history for seat in {scout, *others})


@variants
def test_pictures(rules: dict[str, Any]) -> None:
    for actions in (0, 1, 2, 3, 20, None):
        state = played(rules, 8, actions)
        for seat in (None, *range(state.game.n_seats)):
            text, picture = render_text(state, seat), render_svg(state, seat)
            assert text.count("\n") >= state.game.n_seats
            assert all(f"seat {other}" in picture for other in range(state.game.n_seats))
            places = re.findall(r'<g transform="translate\(([\d.]+) ([\d.]+)\)', picture)
            assert all(float(x) < 960 - 35 and float(y) < 720 - 49 for x, y in places)
    assert "bid 0, bid 1" in render_text(played(rules, 8, 0))
    assert "and 82 more" in render_text(played(rules, 8, 0))


def test_all_48_cards_have_faces() -> None:
    assert svg_cards(list(CODES)).count("<rect") > 48
    assert State.deal("skirmish", seed=1).action("hh") == CODES.index("HH")


# --- what the record and the drivers can hold


def test_a_log_too_narrow_for_the_actions_is_refused() -> None:
    narrow = np.dtype((np.record, [("log", "u1", (8,))]))
    engine.make_room(narrow, 4, 64)
    with pytest.raises(ValueError, match="no room for 5 seats and 64 actions"):
        engine.make_room(narrow, 5, 64)
    with pytest.raises(ValueError, match="no room for 4 seats and 65 actions"):
        engine.make_room(narrow, 4, 65)
