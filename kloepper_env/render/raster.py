"""A picture as pixels, for libraries that record videos."""

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from kloepper_env.errors import MissingExtraError
from kloepper_env.render.svg import render_svg
from kloepper_env.state import State


def render_pixels(state: State, seat: int | None = None) -> NDArray[np.uint8]:
    """The picture of `render_svg` as red, green and blue, uint8 [720, 960, 3].

    Letters are drawn with the fonts of the system. Raises MissingExtraError where the extra
    `render` is not installed.
    """
    return pixels_of(render_svg(state, seat))


def pixels_of(svg: str) -> NDArray[np.uint8]:
    """Any SVG as pixels, uint8 [height, width, 3]; raises as above."""
    try:
        import resvg_py  # noqa: PLC0415  # of an extra
        from PIL import Image  # noqa: PLC0415  # the same
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name, "render") from error
    png = resvg_py.svg_to_bytes(svg_string=svg)
    with Image.open(BytesIO(png)) as image:
        return np.array(image.convert("RGB"))
