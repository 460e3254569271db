"""PettingZoo's usual wrappers around our environments, without their cost."""

import copy
from collections.abc import Mapping
from typing import Any, Self, SupportsIndex

from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from kloepper_env.actions import read_action
from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.common import Observation


def _after_reset(name: str) -> Any:
    """A property that reads an attribute of the innermost environment."""

    def read(env: "OrderEnforcing") -> Any:
        if not env._has_reset:
            raise AttributeError(name)  # makes Python ask OrderEnforcingWrapper, which explains
        return getattr(env.inner, name)

    return property(read)


class TerminateIllegal(TerminateIllegalWrapper):  # type: ignore[misc]  # PettingZoo has no types
    """PettingZoo's wrapper, asking the environment what an illegal action costs in this hand."""

    def __init__(self, env: CardGameEnv) -> None:
        super().__init__(env, illegal_reward=env.ending_reward)

    def step(self, action: int | None) -> None:
        """Act for `agent_selection`; an illegal action ends the episode."""
        self._illegal_value = self.unwrapped.ending_reward
        super().step(action)


class OrderEnforcing(OrderEnforcingWrapper):  # type: ignore[misc]  # the same
    """The outermost wrapper; what no wrapper would object to goes straight to the environment.

    A PettingZoo wrapper finds an attribute by failing to find it in itself first; behind three of
    them the loop over a hand takes four times as long. Calls before `reset`, and actions that are
    not legal or outside the space, go through PettingZoo's own code.
    """

    def __init__(self, env: AssertOutOfBoundsWrapper) -> None:
        super().__init__(env)
        self._has_reset = self._has_updated = False
        self.inner: CardGameEnv = env.unwrapped

    agents = _after_reset("agents")
    agent_selection = _after_reset("agent_selection")
    rewards = _after_reset("rewards")
    terminations = _after_reset("terminations")
    truncations = _after_reset("truncations")
    infos = _after_reset("infos")

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions: the same object every time."""
        return self.inner.action_space(agent)

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        return self.inner.observe(agent) if self._has_reset else super().observe(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last turn, flags and info of the agent to act."""
        seen: tuple[Any, float, bool, bool, dict[str, Any]]
        seen = self.inner.last(observe) if self._has_reset else super().last(observe)
        return seen

    def step(self, action: SupportsIndex | None) -> None:
        """Act for `agent_selection`; an illegal action ends the episode.

        Raises IllegalActionError for what is no whole number.
        """
        if self._has_reset and self.inner.accepts(action):
            self._has_updated = True
            self.inner.step(action)
        elif self._has_reset and self.inner.is_awaited:
            super().step(read_action(action))
            self.inner._look()  # PettingZoo leaves the offender's mask in its info
        elif self._has_reset and self.inner.agents:
            self.inner.step(action)  # raises: a dead agent takes None
        else:
            super().step(action)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode; a reset that is refused does not count as one."""
        self.env.reset(seed=seed, options=options)
        self._has_reset = self._has_updated = True

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go back to what `get_state` gave; it serves as a reset."""
        self.inner.set_state(state)
        self._has_reset = self._has_updated = True

    def __str__(self) -> str:
        return str(self.inner)

    def clone(self) -> Self:
        """An independent copy of the environment, its wrappers and the episode in play."""
        return copy.deepcopy(self)

    __copy__ = clone


def wrap(env: CardGameEnv) -> OrderEnforcing:
    """An environment in the usual wrappers: illegal actions end the episode."""
    return OrderEnforcing(AssertOutOfBoundsWrapper(TerminateIllegal(env)))
