"""Many learners side by side, each in one seat: dealing, opponents, and what the learners earn.

No library's interface stands in this file; `vector` puts Gymnasium's around it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kloepper_env import engine
from kloepper_env._jit import IntArray, jit
from kloepper_env.engine import Records
from kloepper_env.envs.common import deal_hands, episode_layout, paid, relative_standing
from kloepper_env.envs.opponents import Opponent, choose, drawn_seats
from kloepper_env.games.game import Game, Match
from kloepper_env.state import State
from kloepper_env.view import Int8Array


@jit
def _act(hands: Records, lanes: IntArray, actions: IntArray) -> None:
    for i in range(len(lanes)):
        engine.apply(hands[lanes[i]], int(actions[i]))


@jit
def _score(hands: Records, lanes: IntArray, scores: IntArray) -> None:
    for i in range(len(lanes)):
        engine.result(hands[lanes[i]], scores[i])


@jit
def _observe(hands: Records, seats: IntArray, words: IntArray, mask_words: IntArray) -> None:
    for i in range(len(hands)):
        hand = hands[i]
        engine.observe(hand, int(seats[i]), words[i])
        if hand.turn == seats[i]:
            engine.write_mask(hand, mask_words[i])
        else:
            engine.spread(0, mask_words[i])


class Lanes:
    """N hands, or games of many hands, with a learner in one seat of each.

    `seats` int64 [N] are the learners', `over` bool [N] says whose episode has been played to its
    end, `earned` float64 [N] what each has got since `act` was called last.
    """

    def __init__(
        self,
        game: Game,
        options: Any,
        n: int,
        *,
        seat: int | None,
        episode: str,
        reward: str,
    ) -> None:
        self.game, self.options, self.n = game, options, n
        self.reward, self.of_games = reward, episode == "game"
        self.layout = episode_layout(game, options, episode)
        self.hands = game.new_hands(n, options, 0)
        self.seats: IntArray = np.full(n, seat or 0, np.int64)
        self.over = np.zeros(n, bool)
        self.earned = np.zeros(n)
        self.opponents: list[Opponent] = []
        self.first_dealer = game.match_type(options).dealer() if self.of_games else -1
        self._is_drawn = seat is None  # whether every episode draws the seat anew
        self._matches: list[Match] = [game.match_type(options) for _ in range(n)]
        self._standing = np.zeros((n, self.layout.size - game.layout.size), np.int8)

    def state(self, lane: int) -> State:
        """The hand in play of a lane."""
        return State(self.game, self.options, self.hands[lane : lane + 1])

    def carry(self, lane: int) -> dict[str, int]:
        """What the hand in play of a lane took over."""
        return self.game.carry(self.hands[lane], self.options)

    # --- playing

    def begin(
        self, lanes: IntArray, seeds: Sequence[int | None], given: State | None, dealer: int
    ) -> None:
        """Begin an episode in some lanes, and play each up to its learner's first decision.

        Without a seed a lane goes on with the next hand of its stream. `given` is the hand to play,
        `dealer` who deals, -1 where the seed draws it.
        """
        hands = self.hands[lanes]
        hands["serial"] += 1
        for hand, seed in zip(hands, seeds, strict=True):
            if seed is not None:
                hand["key"], hand["serial"] = engine.seed_key(seed), 0
        for name in self.game.carries(self.options):
            hands[name] = 0
        deal_hands(self.game, hands, given, dealer)
        self.hands[lanes] = hands
        if self._is_drawn:
            self.seats[lanes] = drawn_seats(hands, self.game.n_seats)
        for lane in lanes if self.of_games else ():
            self._matches[lane] = self.game.match_type(self.options)
            self._note_standing(lane)
        self.over[lanes] = False
        self._answer(lanes)

    def act(self, lanes: IntArray, actions: IntArray) -> None:
        """Carry out legal actions of the learners in some lanes, and all answers to them."""
        self.earned[:] = 0
        _act(self.hands, lanes, actions)
        self._answer(lanes)

    def _answer(self, lanes: IntArray) -> None:
        """Let the opponents decide until every lane waits for its learner or is over."""
        while True:
            ended = self.hands["over"][lanes] != 0
            if ended.any():
                self._end_hands(lanes[ended])
                lanes = lanes[~self.over[lanes]]
            turn = self.hands["turn"][lanes]
            waiting = turn != self.seats[lanes]
            lanes, turn = lanes[waiting], turn[waiting]
            if not len(lanes):
                return
            relative = (turn - self.seats[lanes] - 1) % self.game.n_seats
            for opponent in {id(one): one for one in self.opponents}.values():
                sits = [k for k, other in enumerate(self.opponents) if other is opponent]
                group = lanes[np.isin(relative, sits)]
                if len(group):
                    chosen = choose(opponent, self.game, self.options, self.hands[group])
                    _act(self.hands, group, chosen)

    def _end_hands(self, lanes: IntArray) -> None:
        """Pay the hands of some lanes; deal the next one where a game goes on."""
        scores = np.zeros((len(lanes), self.game.n_seats), np.int64)
        _score(self.hands, lanes, scores)
        for i, lane in enumerate(lanes if self.of_games else ()):
            self._end_hand_of_game(lane, scores[i])
        if not self.of_games:
            rewards = paid(self.game, scores, self.reward, [])
            self.earned[lanes] += rewards[np.arange(len(lanes)), self.seats[lanes]]
            self.over[lanes] = True

    def _end_hand_of_game(self, lane: int, scores: NDArray[np.int64]) -> None:
        match, hand = self._matches[lane], self.hands[lane : lane + 1]
        match.add(self.game.outcome(hand[0], self.options))
        self._note_standing(lane)
        winners = match.winners()
        self.earned[lane] += paid(self.game, scores, self.reward, winners)[self.seats[lane]]
        if winners is not None:
            self.over[lane] = True
            return
        hand["serial"] += 1
        for name, left in match.carry().items():
            hand[name] = left
        engine.start(hand, self.game.tables, match.dealer())

    def _note_standing(self, lane: int) -> None:
        self._standing[lane] = relative_standing(self._matches[lane])[self.seats[lane]]

    # --- seeing

    def look(self) -> tuple[Int8Array, Int8Array]:
        """Observation [N, W] and mask [N, A] of every learner, new arrays."""
        game = self.game
        words = np.empty((self.n, game.words), np.int64)
        mask_words = np.empty((self.n, game.mask_words), np.int64)
        _observe(self.hands, self.seats, words, mask_words)
        observation: Int8Array = words.view(np.int8)
        if self.of_games:
            observation = np.concatenate([observation, self._standing], axis=1)
        return observation, mask_words.view(np.int8)[:, : game.n_actions].copy()
