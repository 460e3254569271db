"""A hand as text and as a picture, for everybody or as one seat may see it."""

from kloepper_env.render.faces import Picture, svg_cards
from kloepper_env.render.raster import render_pixels
from kloepper_env.render.svg import render_svg
from kloepper_env.render.text import render_text

__all__ = ["Picture", "render_pixels", "render_svg", "render_text", "svg_cards"]
