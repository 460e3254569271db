"""The one package that imports numba.

`jit` keeps the signature of the function it wraps, so strict type checkers see through it. With
NUMBA_DISABLE_JIT=1 everything here has a plain Python twin.

    compiling   jit, and kernels that each game defines for its own records
    words       words of 64 bits
    cache       compiled functions on disk
    origin      what a compiled function is made from: the name of its file there
"""

from kloepper_env._jit.compiling import IntArray, define, jit, jit_recursive, kernel
from kloepper_env._jit.words import (
    deposit,
    extract,
    high_half,
    lowest,
    mix,
    popcount,
    spread32,
    spread64,
    wrapping_add,
)

__all__ = [
    "IntArray",
    "define",
    "deposit",
    "extract",
    "high_half",
    "jit",
    "jit_recursive",
    "kernel",
    "lowest",
    "mix",
    "popcount",
    "spread32",
    "spread64",
    "wrapping_add",
]
