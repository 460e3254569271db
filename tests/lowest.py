"""Print the lowest versions that pyproject.toml allows, as constraints of pip.

`make test-lowest` installs these. torch is always that of constraints.txt, since others come with
several GB of CUDA, and the tools of the extra `dev` are what pip finds.
"""

import re
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))[
    "project"
]


def requirements() -> list[str]:
    """What the package and its extras for users require."""
    found: list[str] = list(PROJECT["dependencies"])
    for extra, brought in PROJECT["optional-dependencies"].items():
        found += brought if extra != "dev" else []
    return found


if __name__ == "__main__":
    for requirement in requirements():
        if not requirement.startswith("torch>"):
            print(re.sub(r"\[.*\]", "", requirement).replace(">=", "=="))  # no extras there
