"""A policy outside of the package: as ONNX, and read back in a few lines of NumPy."""

import re
import types
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer

from kloepper_agents.commands import app as agents_cli
from kloepper_agents.inputs import inputs_of
from kloepper_agents.kinds import make_agent
from kloepper_agents.neural import Policy
from kloepper_env.console import FAILED, FINE, USAGE_ERROR, main
from kloepper_env.games import get_game
from kloepper_env.state import State

DOCUMENT = Path(__file__).parents[2] / "docs" / "training.md"


def policy_of(game: str) -> Policy:
    made, random = get_game(game), np.random.default_rng(3)
    sizes = [made.layout.size, 24, 16, made.n_actions]
    shapes = list(pairwise(sizes))
    return Policy(
        game=game,
        rules={},
        decisions=5,
        weights=tuple(random.normal(0, 0.3, shape).astype(np.float32) for shape in shapes),
        biases=tuple(random.normal(0, 0.3, size).astype(np.float32) for size in sizes[1:]),
    )


def observations_of(game: str) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    random, seen = np.random.default_rng(1), []
    for seed in range(6):
        state = State.deal(game, seed=seed)
        while not state.is_over:
            assert state.turn is not None
            seen.append(state.observation(state.turn))
            state.push(int(random.choice(state.legal_actions())))
    return np.array(seen, np.int8)


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_the_exported_policy_gives_the_same_logits(game: str, tmp_path: Path) -> None:
    reference = pytest.importorskip("onnx.reference")
    onnx = pytest.importorskip("onnx")
    policy, observations = policy_of(game), observations_of(game)
    policy.save(tmp_path / "policy.safetensors")
    out = tmp_path / "policy.onnx"
    arguments = ["export", f"net:{tmp_path}", "--game", game, "-o", str(out)]
    assert main(agents_cli_app(), arguments) == FINE
    model = onnx.load(str(out))
    feeds: dict[str, object] = {"observation": observations}
    symmetry = get_game(game).learning.symmetry
    if symmetry is not None:
        ways = symmetry.choose(observations)
        assert len(set(ways.tolist())) > 1
        feeds["way"] = ways
    (logits,) = reference.ReferenceEvaluator(model).run(None, feeds)
    assert logits == pytest.approx(policy.logits(observations), abs=1e-4)
    about = {one.key: one.value for one in model.metadata_props}
    assert about["game"] == game
    assert about["action_names"].split() == list(get_game(game).action_names)


def test_the_policy_of_the_package_takes_derived_inputs(tmp_path: Path) -> None:
    reference = pytest.importorskip("onnx.reference")
    onnx = pytest.importorskip("onnx")
    out = tmp_path / "policy.onnx"
    assert main(agents_cli_app(), ["export", "net:pretrained", "-o", str(out)]) == FINE
    game, observations = get_game("kloepper"), observations_of("kloepper")
    net: Any = make_agent("net:pretrained")
    feeds = {"inputs": inputs_of(game, net.policy.inputs).widen(observations)}
    (logits,) = reference.ReferenceEvaluator(onnx.load(str(out))).run(None, feeds)
    assert logits == pytest.approx(net.policy.logits(observations), abs=1e-3)


def agents_cli_app() -> typer.Typer:
    app = typer.Typer()
    agents_cli.register(app)
    return app


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["{here}", "-o", "a.pt"], "'a.pt' must end in .onnx"),
        (["nowhere", "-o", "a.onnx"], "nowhere"),
        (["{here}", "-o", "a.onnx", "--game", "whist"], "unknown game 'whist'"),
    ],
)
def test_misuse_is_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy_of("kloepper").save(tmp_path / "policy.safetensors")
    command = ["export", *(one.format(here=tmp_path) for one in arguments)]
    assert main(agents_cli_app(), command) in (USAGE_ERROR, FAILED)
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1


def test_the_lines_of_numpy_in_the_document_play_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = DOCUMENT.read_text("utf-8")
    (code,) = re.findall(r"```py\n(import numpy.*?)```", text, re.DOTALL)
    assert len(list(filter(None, code.splitlines()))) <= 10
    (tmp_path / "runs" / "demo").mkdir(parents=True)
    policy = policy_of("kloepper")
    policy.save(tmp_path / "runs" / "demo" / "policy.safetensors")
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("reader")
    exec(compile(code, "docs", "exec"), module.__dict__)
    for seed in range(20):
        state = State.deal(seed=seed)
        assert state.turn is not None
        seen, mask = state.observation(state.turn), state.action_mask(state.turn)
        logits = np.where(mask, policy.logits(seen[None])[0], -np.inf)
        assert module.choose(seen, mask) == logits.argmax()
