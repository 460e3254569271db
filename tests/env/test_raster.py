"""`rgb_array`: pixels of the SVG, by an extra that nothing but drawing needs."""

import re
import sys
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from numpy.typing import NDArray

from kloepper_env import State
from kloepper_env.envs.gym import SeatEnv
from kloepper_env.envs.vector import SeatVectorEnv
from kloepper_env.errors import MissingExtraError
from kloepper_env.render import render_pixels, svg_cards
from kloepper_env.render.raster import pixels_of
from kloepper_env.render.svg import VIEW_HEIGHT, VIEW_WIDTH

from .cases import Case

SHAPE = (VIEW_HEIGHT, VIEW_WIDTH, 3)


def is_picture(frame: NDArray[np.uint8]) -> bool:
    return frame.shape == SHAPE and frame.dtype == np.uint8 and len(np.unique(frame)) > 20


def test_pixels_show_what_the_seat_sees() -> None:
    state = State.deal(seed=1)
    everything, hidden = render_pixels(state), render_pixels(state, seat=0)
    assert is_picture(everything)
    assert is_picture(hidden)
    left = (slice(300, 410), slice(50, 230))  # the cards of seat 1
    assert (everything[left] != hidden[left]).any()
    again = State.deal(seed=1)
    assert (render_pixels(again, seat=0) == hidden).all()


def test_every_environment_draws_pixels(case: Case) -> None:
    aec = case.env(render_mode="rgb_array")
    aec.reset(seed=1)
    seat = SeatEnv(case.name, render_mode="rgb_array", seat=2)
    seat.reset(seed=1)
    vector = SeatVectorEnv(2, case.name, render_mode="rgb_array")
    vector.reset(seed=1)
    assert is_picture(aec.render())
    assert is_picture(seat.render())
    assert [is_picture(frame) for frame in vector.render()] == [True, True]
    for environment in (aec, seat, vector):
        assert "rgb_array" in environment.metadata["render_modes"]


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_only_drawing_needs_the_extra(
    case: Case, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stable-Baselines3 asks for rgb_array whenever it makes an environment by its name."""
    monkeypatch.setitem(sys.modules, missing, None)
    env = gymnasium.make(f"kloepper/{case.name.capitalize()}-v0", render_mode="rgb_array")
    _, info = env.reset(seed=1)
    env.step(int(np.argmax(info["action_mask"])))
    sentence = f'this needs {missing}, which is not installed: pip install "kloepper[render]"'
    with pytest.raises(MissingExtraError, match=re.escape(sentence)):
        env.render()


def test_a_video_is_recorded(case: Case, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """MoviePy, which writes the film, is no dependency of ours: here something else takes it."""
    film: list[NDArray[np.uint8]] = []

    class Clip:
        def __init__(self, frames: list[NDArray[np.uint8]], fps: int) -> None:
            assert fps == 2
            film.extend(frames)

        def write_videofile(self, *arguments: Any, **settings: Any) -> None:
            pass

    name = "moviepy.video.io.ImageSequenceClip"
    for part in ("moviepy", "moviepy.video", "moviepy.video.io", name):
        monkeypatch.setitem(sys.modules, part, ModuleType(part))
    monkeypatch.setattr(sys.modules[name], "ImageSequenceClip", Clip, raising=False)

    made = SeatEnv(case.name, render_mode="rgb_array", illegal="raise")
    env = RecordVideo(made, str(tmp_path / "video"), episode_trigger=lambda episode: True)
    _, info = env.reset(seed=1)
    steps, over = 0, False
    while not over:
        _, _, over, _, info = env.step(int(np.argmax(info["action_mask"])))
        steps += 1
    env.close()  # type: ignore[no-untyped-call]  # of Gymnasium
    assert len(film) == steps + 1
    assert all(map(is_picture, film))


def test_french_clubs_have_no_holes() -> None:
    """The leaves and the stem of a club overlap, and are one black shape all the same."""
    pixels = pixels_of(svg_cards(["AC"]))
    height, width = pixels.shape[:2]
    column = pixels[int(0.38 * height) : int(0.6 * height), width // 2].sum(axis=1)
    assert (column[:-1] < 180).sum() > 0.9 * len(column)
