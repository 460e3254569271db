"""Small words that the reasons of all games are built from."""

from collections.abc import Callable, Sequence

Who = Callable[[Sequence[int]], str]
"""Some seats -> how they are spoken of: `seat 1`, `seat 0 (you) and seat 2`, `Anna and Ben`."""


def sum_of(parts: Sequence[tuple[str, int]]) -> str:
    """An addition for people: `cards 38 + Belle 20 = 58`, without parts of 0 after the first."""
    shown = [f"{name} {value}" for i, (name, value) in enumerate(parts) if value or i == 0]
    total = sum(value for _, value in parts)
    return " + ".join(shown) + (f" = {total}" if len(shown) > 1 else "")
