"""Policy files: equal ones are the same bytes, and a wrong one is refused before it plays."""

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save

from kloepper_agents import tensorfile
from kloepper_agents.inputs import PLAIN, inputs_of
from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import NetAgent, Policy
from kloepper_env.batch import Batch
from kloepper_env.errors import CheckpointError, ConfigError
from kloepper_env.games import get_game

Arrays = dict[str, NDArray[Any]]
GAME = get_game("kloepper")
WIDTH, ACTIONS = GAME.layout.size, GAME.n_actions


def layer(inputs: int, outputs: int, value: float = 0.5) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.full((inputs, outputs), value, np.float32), np.zeros(outputs, np.float32)


def policy(*layers: tuple[NDArray[Any], NDArray[Any]]) -> Policy:
    weights, biases = zip(*layers, strict=True)
    return Policy("kloepper", {"announce": "own_turn"}, 7, weights, biases)


SOUND = policy(layer(WIDTH, 4), layer(4, ACTIONS))


def write_anything(path: Path, arrays: Arrays, about: Any) -> None:
    """Write a file as a stranger could, with the digest that belongs to it."""
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = about if isinstance(about, str) else json.dumps(about)
    digest = tensorfile._digest(contiguous, text)
    path.write_bytes(save(contiguous, {"kloepper": text, "sha256": digest}))


@pytest.fixture
def sound(tmp_path: Path) -> tuple[Path, Arrays, dict[str, Any]]:
    """A sound file, and what is in it."""
    path = tmp_path / "policy.safetensors"
    SOUND.save(path)
    arrays, about = tensorfile.read_tensors(path)
    return path, dict(arrays), about


def test_equal_policies_are_equal_bytes(tmp_path: Path) -> None:
    """The library puts metadata in a random order, another one for every write."""
    found = set()
    for number in range(12):
        SOUND.save(tmp_path / f"{number}")
        found.add((tmp_path / f"{number}").read_bytes())
    assert len(found) == 1


def test_a_file_as_it_was_written_before_means_the_same(
    sound: tuple[Path, Arrays, dict[str, Any]],
) -> None:
    path, arrays, about = sound
    write_anything(path, arrays, about)  # with the header as the library leaves it
    again = Policy.load(path, GAME)
    assert (again.rules, again.decisions, again.sizes) == (SOUND.rules, 7, SOUND.sizes)
    for one, other in zip(again.weights, SOUND.weights, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_a_policy_takes_is_in_its_file(tmp_path: Path) -> None:
    wide = inputs_of(GAME, 1).size
    weights, biases = zip(layer(wide, 4), layer(4, ACTIONS), strict=True)
    made = Policy("kloepper", {}, 7, weights, biases, inputs=1)
    made.save(tmp_path / "policy")
    again = Policy.load(tmp_path / "policy", GAME)
    assert (again.inputs, again.sizes) == (1, (wide, 4, ACTIONS))
    batch = Batch(GAME, 20, seed=3)
    np.testing.assert_array_equal(again.logits(batch.observation), made.logits(batch.observation))
    assert NetAgent(again).act_many(
        batch.observation, batch.action_mask, np.zeros(20, np.uint64)
    ).shape == (20,)


def test_a_policy_of_the_observation_alone_is_written_as_before(
    sound: tuple[Path, Arrays, dict[str, Any]],
) -> None:
    *_, about = sound
    assert "inputs" not in about
    assert Policy.load(sound[0], GAME).inputs == PLAIN


def put(**entries: Any) -> Callable[[Arrays, dict[str, Any]], None]:
    return lambda arrays, about: about.update(entries)


def drop(name: str) -> Callable[[Arrays, dict[str, Any]], None]:
    return lambda arrays, about: about.pop(name)


def other(name: str, change: Callable[[NDArray[Any]], NDArray[Any]]) -> Any:
    return lambda arrays, about: arrays.update({name: change(arrays[name])})


def resized(*sizes: int) -> Callable[[Arrays, dict[str, Any]], None]:
    """A network whose layers follow on each other, but that is none for this game."""

    def change(arrays: Arrays, about: dict[str, Any]) -> None:
        arrays.clear()
        for i, (inputs, outputs) in enumerate(pairwise(sizes)):
            arrays[f"weight.{i}"], arrays[f"bias.{i}"] = layer(inputs, outputs)
        about["sizes"] = list(sizes)

    return change


WRONG: dict[str, tuple[Callable[[Arrays, dict[str, Any]], Any], str]] = {
    "too many inputs": (resized(WIDTH + 112, ACTIONS), f"but must lead from {WIDTH} inputs"),
    "far too many": (resized(3_000_000, 1), f"but must lead from {WIDTH} inputs"),
    "too few actions": (resized(WIDTH, 1), f"to {ACTIONS} actions"),
    "inputs of another version": (put(inputs=1), "but must lead from"),
    "inputs there are not": (put(inputs=3), "but the versions of kloepper are 0, 1 or 2"),
    "inputs of text": (put(inputs="1"), "inputs is '1', but the versions"),
    "one size": (put(sizes=[WIDTH]), "but must lead from"),
    "no sizes": (drop("sizes"), "the layers are None"),
    "sizes of text": (put(sizes=["a", "b"]), "the layers are ['a', 'b']"),
    "sizes of truth": (put(sizes=[WIDTH, True, ACTIONS]), "the layers are"),
    "another size": (put(sizes=[WIDTH, 5, ACTIONS]), "does not hold the layers"),
    "a huge size": (put(sizes=[WIDTH, 1 << 62, ACTIONS]), "does not hold the layers"),
    "an empty layer": (put(sizes=[WIDTH, 0, ACTIONS]), "the layers are"),
    "an array more": (
        lambda arrays, about: arrays.update(x=np.zeros(1, np.float32)),
        "does not hold the layers",
    ),
    "turned": (other("weight.0", lambda a: a.T), "does not hold the layers"),
    "double": (other("weight.0", lambda a: a.astype("f8")), "holds numbers of type F64, not F32"),
    "half": (other("bias.1", lambda a: a.astype("f2")), "holds numbers of type F16, not F32"),
    "whole": (other("bias.1", lambda a: a.astype("i4")), "holds numbers of type I32, not F32"),
    "NaN": (other("bias.1", lambda a: a * np.nan), "a number in it is not finite"),
    "infinite": (other("weight.1", lambda a: a * np.inf), "a number in it is not finite"),
    "sums": (other("weight.0", lambda a: a * 1e38), "or so large that sums are not"),
    "no rules": (drop("rules"), "the rules are None, but must be an object"),
    "rules of text": (put(rules="x"), "the rules are 'x', but must be an object"),
    "unknown rule": (put(rules={"knock": 1}), "unknown option 'knock'"),
    "no decisions": (drop("decisions"), "decisions is -1"),
    "decisions of text": (put(decisions="x"), "decisions is 'x'"),
    "another game": (put(game="klammern"), "was made with game 'klammern'"),
    "a version that is true": (put(format=True), "was made with format True"),
}


@pytest.mark.parametrize(("change", "sentence"), WRONG.values(), ids=WRONG.keys())
def test_a_policy_that_does_not_fit_the_game_is_refused(
    sound: tuple[Path, Arrays, dict[str, Any]],
    change: Callable[[Arrays, dict[str, Any]], Any],
    sentence: str,
) -> None:
    path, arrays, about = sound
    change(arrays, about)
    write_anything(path, arrays, about)
    with pytest.raises(CheckpointError, match=re.escape(sentence)) as caught:
        make_agent(f"net:{path}")
    assert str(path) in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "about", ["", "[]", "null", "{", "[" * 100_000, '{"format": 1, "format": 1}', "1" * 5000]
)
def test_a_description_that_is_none_is_refused(
    sound: tuple[Path, Arrays, dict[str, Any]], about: str
) -> None:
    path, arrays, _ = sound
    write_anything(path, arrays, about)
    with pytest.raises(CheckpointError, match="the description in"):
        make_agent(f"net:{path}")


def test_a_header_without_end_and_what_is_no_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes((1 << 40).to_bytes(8, "little") + b"{}")
    with pytest.raises(CheckpointError, match="header too long"):
        Policy.load(path, GAME)
    for place in (Path("/dev/zero"), tmp_path, tmp_path / ("x" * 300), Path("a\0b")):
        with pytest.raises(CheckpointError, match="is not a file"):
            Policy.load(place, GAME)


@pytest.mark.parametrize(
    "layers",
    [
        [layer(WIDTH + 1, ACTIONS)],
        [layer(WIDTH, ACTIONS - 1)],
        [layer(WIDTH, 4), layer(5, ACTIONS)],
        [(np.zeros((WIDTH, ACTIONS), np.float32), np.zeros(3, np.float32))],
        [(np.zeros((WIDTH, ACTIONS)), np.zeros(ACTIONS))],
        [layer(WIDTH, ACTIONS, np.nan)],
        [layer(WIDTH, ACTIONS, 1e37)],
    ],
    ids=["inputs", "actions", "chain", "bias", "double", "NaN", "sums"],
)
def test_layers_that_do_not_fit_make_no_policy(
    layers: list[tuple[NDArray[Any], NDArray[Any]]],
) -> None:
    with pytest.raises(ConfigError, match=r"of a policy|layers"):
        policy(*layers)


def test_a_policy_needs_layers_and_judges_observations_of_its_game() -> None:
    with pytest.raises(ConfigError, match="the layers are"):
        Policy("kloepper", {}, 0, (), ())
    for shape in ((WIDTH,), (3, WIDTH - 8), (3, WIDTH + 8)):
        with pytest.raises(ConfigError, match="observations must have 288 columns"):
            SOUND.logits(np.zeros(shape, np.int8))


def test_numbers_that_are_not_finite_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "a"
    tensorfile.write_tensors(path, {"x": np.zeros(2, np.float32)}, {})
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match="cannot hold 'x': a number in it is not finite"):
        tensorfile.write_tensors(path, {"x": np.array([1, np.inf], np.float32)}, {})
    assert path.read_bytes() == before
