"""Shows the `>>>` lines of a docstring as code: Markdown would take them for a quotation."""

import re
from typing import Any, Final

import griffe

_EXAMPLE: Final = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts every example, up to the next empty line, into a block of code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(
                lambda example: f"```pycon\n{example[0]}\n```", obj.docstring.value
            )
