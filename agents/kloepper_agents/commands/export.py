"""`kloepper export`: a trained policy as an ONNX file, for programs without this package."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from numpy.typing import NDArray

from kloepper_env.errors import ConfigError, MissingExtraError
from kloepper_env.files import whole_file
from kloepper_env.terminal import say, visible

# Games bring numba with them, so whatever needs one is imported inside the command.
if TYPE_CHECKING:
    from kloepper_agents.neural import Policy

OPSET: Final = 17  # of the operators: what runtimes of the last years know


def register(app: typer.Typer) -> None:
    """Add the command to the top-level app."""
    app.command("export", epilog="Example: kloepper export net:runs/demo -o demo.onnx")(export)


def export(
    policy: Annotated[
        str, typer.Argument(help="A trained policy: net:PATH, a run's folder, or its file.")
    ],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="An .onnx file.")],
    game: Annotated[str, typer.Option(help="Game that it plays.")] = "kloepper",
) -> None:
    """Write a trained policy as ONNX: int8 observations [N, W] to logits [N, A].

    The likeliest legal action is the largest logit where the action mask is 1.
    """
    from kloepper_agents.neural import make_net  # noqa: PLC0415  # see above

    if out.suffix != ".onnx":
        raise ConfigError(f"{visible(str(out))!r} must end in .onnx")
    found = make_net(game, policy.removeprefix("net:")).policy
    model = to_onnx(found)
    with whole_file(out) as partial:
        partial.write_bytes(model.SerializeToString())
    sizes = " - ".join(map(str, found.sizes))
    say(f"{visible(str(out))}: {game}, layers {sizes}, trained for {found.decisions:,} decisions")


def to_onnx(policy: "Policy") -> Any:
    """The ModelProto of a policy: `observation` int8 [N, W] to `logits` float32 [N, A].

    In a game with a symmetry there is a second input `way` int64 [N], what the game's
    `learning.symmetry.choose` gives for the observations. A policy with derived inputs takes
    `inputs` int8 [N, I] instead of the observation, what `inputs_of(game, policy.inputs).widen`
    makes of it. Raises MissingExtraError without onnx, ConfigError for a policy with both.
    """
    try:
        import onnx  # noqa: PLC0415  # of an extra
        from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415  # the same
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name, "onnx") from error
    from kloepper_agents.inputs import PLAIN  # noqa: PLC0415  # see above
    from kloepper_env.games import set_up  # noqa: PLC0415  # the same

    game = set_up(policy.game, policy.rules)[0]
    symmetry = game.learning.symmetry
    if symmetry is not None and policy.inputs != PLAIN:
        raise ConfigError(
            f"a policy of {policy.game} with the inputs {policy.inputs} cannot be exported: "
            "its cards are renamed before its inputs are derived"
        )
    value = "observation" if policy.inputs == PLAIN else "inputs"
    inputs = [helper.make_tensor_value_info(value, TensorProto.INT8, ["N", policy.sizes[0]])]
    nodes = []
    arrays: dict[str, NDArray[Any]] = {}
    if symmetry is not None:
        inputs.append(helper.make_tensor_value_info("way", TensorProto.INT64, ["N"]))
        arrays = {
            "rename": symmetry.observation[:, :, None],
            "name_back": symmetry.renamed_actions[:, :, None],
        }
        nodes += [
            helper.make_node("Gather", ["rename", "way"], ["renaming"]),
            helper.make_node("GatherND", [value, "renaming"], ["renamed"], batch_dims=1),
        ]
        value = "renamed"
    nodes.append(helper.make_node("Cast", [value], ["values.0"], to=TensorProto.FLOAT))
    last = len(policy.weights) - 1
    for i, (weight, bias) in enumerate(zip(policy.weights, policy.biases, strict=True)):
        arrays |= {f"weight.{i}": weight, f"bias.{i}": bias}
        taken, sums = f"values.{i}", f"sums.{i}"
        nodes.append(helper.make_node("Gemm", [taken, f"weight.{i}", f"bias.{i}"], [sums]))
        if i < last:
            nodes.append(helper.make_node("Relu", [sums], [f"values.{i + 1}"]))
    nodes += (
        [helper.make_node("Identity", [f"sums.{last}"], ["logits"])]
        if symmetry is None
        else [
            helper.make_node("Gather", ["name_back", "way"], ["naming"]),
            helper.make_node("GatherND", [f"sums.{last}", "naming"], ["logits"], batch_dims=1),
        ]
    )
    graph = helper.make_graph(
        nodes,
        policy.game,
        inputs,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["N", policy.sizes[-1]])],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="kloepper", ir_version=8)
    about = {
        "game": policy.game,
        "rules": json.dumps(dict(policy.rules)),
        "observation_layout": game.layout.digest,
        "action_names": " ".join(game.action_names),
        "decisions": str(policy.decisions),
        "inputs": str(policy.inputs),
    }
    helper.set_model_props(model, about)
    onnx.checker.check_model(model)
    return model
