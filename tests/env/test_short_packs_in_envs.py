"""Short packs (K32) in every form of the environment: the same hands, and their own cards only."""

import json
import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

from kloepper_env import Batch, State, get_game, kloepper_v0
from kloepper_env.cards import pretty
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.errors import ConfigError, NotationError
from kloepper_env.records import Record, to_record
from kloepper_env.render import render_svg, render_text
from tests.env.hands import finished, positions
from tests.env.test_aec import EXPECTED_WARNINGS

GAME = get_game("kloepper")
PACKS = [12, 8]
each_pack = pytest.mark.parametrize("pack", PACKS)
FORMS: dict[str, Any] = {
    "raw_env": lambda rules: kloepper_v0.raw_env(rules=rules),
    "SeatEnv": lambda rules: SeatEnv(rules=rules),
    "SeatVectorEnv": lambda rules: SeatVectorEnv(2, rules=rules),
    "make": lambda rules: gymnasium.make("kloepper/Kloepper-v0", rules=rules),
    "Batch": lambda rules: Batch(n=2, rules=rules),
    "State": lambda rules: State.deal(rules=rules),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pack", [16, 0, "12", 8.0, True, None])
def test_an_unknown_pack_is_refused_with_a_sentence(form: str, pack: Any) -> None:
    with pytest.raises(ConfigError, match=f"^option pack is {pack!r}, but must be 24, 12 or 8$"):
        FORMS[form]({"pack": pack})


@each_pack
def test_layout_and_actions_are_those_of_the_full_pack(pack: int) -> None:
    short, full = kloepper_v0.env(rules={"pack": pack}), kloepper_v0.env()
    agent = short.possible_agents[0]
    assert short.observation_space(agent) == full.observation_space(agent)
    assert short.action_space(agent) == full.action_space(agent)
    assert GAME.layout.digest == "afec7a6f85e7c576"


@each_pack
@pytest.mark.parametrize("episode", ["hand", "game"])
def test_pettingzoo_plays_it(pack: int, episode: str) -> None:
    with warnings.catch_warnings():
        for message in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message)
        api_test(kloepper_v0.env(rules={"pack": pack}, episode=episode), num_cycles=50)


@each_pack
def test_a_batch_plays_the_hands_of_states(pack: int) -> None:
    batch, rng = Batch(n=20, seed=3, rules={"pack": pack}), np.random.default_rng(1)
    states = [State.deal(rules={"pack": pack}, seed=3, serial=i) for i in range(20)]
    ended = np.zeros(20, np.bool_)
    while not ended.all():
        for lane in np.flatnonzero(~ended):
            state = states[lane]
            seat = int(batch.turn[lane])
            assert state.turn == seat
            np.testing.assert_array_equal(batch.observation[lane], state.observation(seat))
            np.testing.assert_array_equal(batch.action_mask[lane], state.action_mask(seat))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.action_mask])
        for lane in np.flatnonzero(~ended):
            states[lane].push(int(actions[lane]))
        batch.step(actions)
        for lane in np.flatnonzero(~ended & (batch.ended == 1)):
            assert batch.rewards[lane].tolist() == states[lane].scores()
        ended |= batch.ended == 1


@each_pack
def test_a_lane_of_the_vector_form_is_a_seat_env(pack: int) -> None:
    rules = {"pack": pack}
    vector, single = SeatVectorEnv(3, rules=rules, opponents="rules"), []
    seen, _ = vector.reset(seed=5)
    for lane in range(3):
        single.append(SeatEnv(rules=rules, opponents="rules"))
        own, _ = single[lane].reset(seed=5 + lane)
        np.testing.assert_array_equal(own["observation"], seen["observation"][lane])
    for _ in range(40):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in seen["action_mask"]])
        seen, rewards, terminated, _, _ = vector.step(actions)
        for lane, env in enumerate(single):
            own, reward, over, _, _ = env.step(actions[lane])
            assert (reward, over) == (rewards[lane], terminated[lane])
            if over:
                own, _ = env.reset()
            np.testing.assert_array_equal(own["observation"], seen["observation"][lane])


@each_pack
def test_only_cards_of_the_pack_are_ever_seen(pack: int) -> None:
    cards = [GAME.action_of[code] for code in GAME.pack(GAME.options({"pack": pack}))]
    others = np.setdiff1d(np.arange(24), cards)
    for seed in range(20):
        for state in positions(seed, {"pack": pack}):
            for seat in range(4):
                parts = GAME.layout.decode(state.observation(seat))
                for name, part in parts.items():
                    if part.size == 24:
                        assert not part[others].any(), name
                assert parts["trick"][: pack // 4].sum() == 1
                assert not state.action_mask(seat)[others].any()


@each_pack
def test_records_replay_and_one_of_another_pack_is_refused(pack: int) -> None:
    for seed in range(20):
        record = to_record(finished(seed, {"pack": pack}), legal=True)
        assert record["rules"] == {"pack": pack}
        assert len(record["deck"]) == pack
        read = Record.parse(_line(record))
        read.check()
        for wrong in ({}, {"pack": 20 - pack}):
            with pytest.raises(NotationError) as raised:
                Record.parse(_line(record | {"rules": wrong}))
            assert "\n" not in str(raised.value)
            assert "the deck has" in str(raised.value) or "is not a card of" in str(raised.value)


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record)


@each_pack
def test_a_deck_can_be_given_to_reset(pack: int) -> None:
    state = State.deal(rules={"pack": pack}, seed=9, dealer=2)
    env = kloepper_v0.raw_env(rules={"pack": pack})
    env.reset(options={"deck": state.deck(), "dealer": 2})
    for seat in range(4):
        told = env.observe(env.possible_agents[seat])["observation"]
        np.testing.assert_array_equal(told, state.observation(seat))
    with pytest.raises(NotationError, match=r"the deck has|not a card"):
        env.reset(options={"deck": State.deal(seed=1).deck()})


@each_pack
def test_pictures_and_text_show_the_hand(pack: int) -> None:
    rng = random.Random(2)
    for seed in range(5):
        for state in positions(seed, {"pack": pack}):
            seat = rng.randrange(4)
            assert render_text(state, seat)
            assert render_svg(state, seat).startswith("<svg")
    over = finished(3, {"pack": pack, "stop_when_decided": False})
    dealt = {card for seat in range(4) for card in over.dealt(seat)}  # all were played: all shown
    assert all(pretty(card) in render_text(over, 0) for card in dealt)
