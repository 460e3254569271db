"""Files that come with the package, found from anywhere: rules, deals, configs, policies."""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).parent

# kind -> its folder in a checkout, and how its files end
_KINDS: Final = {
    "configs": ("configs", ".yaml"),
    "deals": ("seeds/deals", ".txt"),
    "policies": ("policies", ".safetensors"),
    "rules": ("seeds/rules", ".md"),
}


def packaged(kind: str) -> dict[str, Path]:
    """All files of a kind by name, which is the path without its ending: `kloepper/test`.

    They lie in `data` of an installed package; in a checkout, also when that is installed to be
    edited, beside the package.
    """
    beside, ending = _KINDS[kind]
    installed = _PACKAGE / "data" / kind
    folder = installed if installed.is_dir() else _PACKAGE.parent / beside
    found = sorted(folder.rglob(f"*{ending}"))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in found}
