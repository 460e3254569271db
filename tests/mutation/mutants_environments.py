"""Mutants of what the environments of all games share; their rules: tests/reliability.md."""

from typing import Final

from tests.mutation.mutant import Mutant, Suite

_RESET: Final = "super().reset(seed=None if seed is None else read_seed(seed))"

_ENVS: Final = "kloepper_env/envs/"
AEC, GYM, VECTOR = _ENVS + "aec.py", _ENVS + "gym.py", _ENVS + "vector.py"
LANES, COMMON = _ENVS + "lanes.py", _ENVS + "common.py"
WRAPPERS, SNAPSHOTS = _ENVS + "wrappers.py", _ENVS + "snapshots.py"

_AEC: Final = [
    Mutant(AEC, '": self._observation.copy()', '": self._observation', "PettingZoo#355"),
    Mutant(AEC, "self._seat_of[agent]\n        words", "0\n        words", "PettingZoo#355"),
    Mutant(
        AEC, "[observation, self._standing[seat]]", "[observation, self._standing[0]]", "pgx#204"
    ),
    Mutant(AEC, "self.infos[agent] = {", "_ = {", "mahjax#61"),
    Mutant(AEC, "self.infos[decider] = {", "_ = {", "pgx#204"),
    Mutant(AEC, "self._clear_rewards()\n", "pass\n", "mahjax#79"),
    Mutant(AEC, "self._paid = any(self.rewards.values())", "self._paid = False", "mahjax#79"),
    Mutant(AEC, "self._cumulative_rewards[agent] = 0.0", "pass", "mahjax#79"),
    Mutant(AEC, "self._accumulate_rewards()", "pass", "mahjax#79"),
    Mutant(AEC, "hand[name] = 0", "pass", "PettingZoo#1176"),
    Mutant(AEC, "self._skip_agent_selection = None", "pass", "PettingZoo#1176"),
    Mutant(
        AEC,
        "self._seeded = True\n",
        "self._seeded = True\n        self.reward = 'points'\n",
        "PettingZoo#1312",
    ),
    Mutant(
        AEC,
        "self._seeded = True\n",
        "self._seeded = True\n        [s.seed(seed) for s in self._action_spaces.values()]\n",
        "PettingZoo#1223",
    ),
    Mutant(SNAPSHOTS, '    "_match",\n', "", "OpenSpiel#276"),
    Mutant(WRAPPERS, "self.inner._look()  #", "pass  #", "pgx#754"),
    Mutant(
        WRAPPERS, "_illegal_value = self.unwrapped.ending_reward", "_illegal_value = 1.0", "pgx#754"
    ),
    Mutant(
        AEC,
        "            self._end_hand()\n",
        "            return self._end_hand()\n",
        "PettingZoo#1169",
    ),
]
_SEATS: Final = [
    Mutant(GYM, "_cumulative_rewards[self._agent]", "rewards[self._agent]", "tianshou#900"),
    Mutant(
        GYM,
        _RESET,
        f"{_RESET}, self.action_space.seed(seed)",
        "PettingZoo#1223",
    ),
    Mutant(
        VECTOR,
        _RESET,
        f"{_RESET}, self.action_space.seed(seed)",
        "PettingZoo#1223",
    ),
    Mutant(VECTOR, "[seed + lane for lane", "[seed for lane", "envpool#144"),
    Mutant(LANES, 'hands["serial"] += 1\n', "\n", "envpool#432"),
    Mutant(
        COMMON,
        "return mask.astype(self._dtype)",
        "return mask.astype(self._dtype, copy=False)",
        "sb3-contrib#49",
    ),
    Mutant(
        VECTOR,
        "self._begin_next(ended)",
        "self._begin_next(np.ones(self.num_envs, bool))",
        "AgileRL#263",
    ),
]

SUITES: Final = (
    Suite(
        "environments",
        (
            "tests/env/test_aec.py",
            "tests/env/test_aec_rewards.py",
            "tests/env/test_aec_snapshots.py",
            "tests/env/test_determinism.py",
            "-k",
            "masks or pure or sees_its_own or action_of_env or draws_the_end or relative or zero or"
            " needs or tens or every_hand_once or set_state or generators or options_survive",
        ),
        tuple(_AEC),
    ),
    Suite(
        "environments",
        (
            "tests/env/test_gym.py",
            "tests/env/test_gym_vector.py",
            "tests/env/test_gym_steps.py",
            "tests/env/test_determinism.py",
            "-k",
            "final_observation or pays_all or receiver or generators or vector_deals",
        ),
        tuple(_SEATS),
    ),
)
