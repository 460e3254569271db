"""The one module that imports numba.

`jit` keeps the signature of the function it wraps, so strict type checkers see through it. The
cache on disk lies in a directory named by a digest of the sources and of the switches that change
what is compiled: numba itself notices neither an edit in another file nor NUMBA_BOUNDSCHECK nor
KLOEPPER_NO_PDEP when a cached function is at hand. With NUMBA_DISABLE_JIT=1 everything here has a
plain Python twin.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from kloepper_env.errors import KloepperError

IntArray = NDArray[np.integer[Any]]
F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED = not config.DISABLE_JIT  # type: ignore[attr-defined]  # numba sets it at run time
_WORD = (1 << 64) - 1


# Kernels are put inside their callers, and allocate nothing (the caller brings the arrays), so
# that numba keeps no reference counts: both cost more than a small kernel itself.
_OPTIONS: Any = {"forceinline": True, "_nrt": False}  # the second is in no stub


# --- compiling and caching ---------------------------------------------------------------------


def _cache_home() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "kloepper" / "numba"


@cache
def _cache_directory(package: str) -> str | None:
    """Where compiled functions of `package` are kept; None if nothing can be written.

    The digest covers this package, whose functions may be inlined anywhere, and the caller's own.
    """
    compiler = f"{config.BOUNDSCHECK}{numba.__version__}{_has_deposit()}"  # type: ignore[attr-defined]
    digest = hashlib.sha256(compiler.encode())
    roots = {
        Path(__file__).parent,
        Path(cast(str, sys.modules[package].__file__)).parent,
    }
    for root in sorted(roots):
        for path in sorted(root.rglob("*.py")):
            digest.update(path.read_bytes())
    directory = _cache_home() / digest.hexdigest()[:16]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            return str(directory)
    except OSError:
        return None


def jit(function: F) -> F:
    """Compile `function` in nopython mode and cache the result on disk. It may not allocate."""
    return _compiled(function, _OPTIONS)


def jit_recursive(signature: str) -> Callable[[F], F]:
    """`jit` for a function that calls itself and so cannot be put inside its callers.

    It is compiled for `signature` alone, in numba's notation, and at once. Left to itself numba
    compiles another version where a caller writes a number out, and what that version calls
    ("itself" with other types) is missing when it comes from the disk cache: a crash.
    """
    return lambda function: _compiled(function, _OPTIONS | {"forceinline": False}, signature)


def _compiled(function: F, options: dict[str, Any], *signature: str) -> F:
    if not JIT_ENABLED:
        return function
    directory = _cache_directory(function.__module__.partition(".")[0])
    outer = config.CACHE_DIR  # type: ignore[attr-defined]
    config.CACHE_DIR = outer or directory or ""  # type: ignore[attr-defined]
    njit: Any = numba.njit
    compiler = njit(*signature, cache=bool(outer or directory), **options)
    try:
        return cast(F, compiler(function))
    finally:
        config.CACHE_DIR = outer  # type: ignore[attr-defined]


def kernel(function: F) -> F:
    """Declare a function of a record that each game defines for its own record type.

    A jitted function that calls it is compiled once a record type and calls that game's code
    directly. (A jitted function passed as an argument would never be found in the disk cache.)
    """
    by_dtype: dict[np.dtype[Any], Callable[..., Any]] = {}
    by_type: dict[types.Type, Callable[..., Any]] = {}

    name = function.__name__
    call = f"define(engine.{name}, HAND, {name})"
    missing = f"{name} is not defined for this record: a game says {call}"

    @wraps(function)
    def dispatch(record: Any, *args: Any) -> Any:
        if record.dtype not in by_dtype:
            raise KloepperError(missing)
        return by_dtype[record.dtype](record, *args)

    # By number of further arguments: numba asks for a function with exactly these.
    callers: Any = (
        lambda code: lambda record: code(record),
        lambda code: lambda record, a: code(record, a),
        lambda code: lambda record, a, b: code(record, a, b),
    )

    def resolve(record: types.Type, *args: types.Type) -> Callable[..., Any] | None:
        if isinstance(record, types.Record) and record not in by_type:
            raise KloepperError(missing)
        return callers[len(args)](by_type[record]) if record in by_type else None

    def define(dtype: np.dtype[Any], implementation: Callable[..., Any]) -> None:
        by_dtype[dtype] = implementation
        by_type[numba.from_dtype(dtype)] = implementation

    if JIT_ENABLED:
        overload(dispatch, strict=False, jit_options=cast(Any, _OPTIONS))(resolve)
    dispatch.define = define  # type: ignore[attr-defined]
    return cast(F, dispatch)


def define(kernel_function: Callable[..., Any], dtype: np.dtype[Any], code: F) -> None:
    """Make `code` the meaning of `kernel_function` for records of `dtype`."""
    kernel_function.define(dtype, code)  # type: ignore[attr-defined]


def _intrinsic(function: F) -> F:
    return cast(F, intrinsic(function))  # what numba makes of it is typed as no function


# --- words of 64 bits --------------------------------------------------------------------------


def _signed(word: int) -> int:
    word &= _WORD
    return word - (1 << 64) if word >> 63 else word


def _py_popcount(word: int) -> int:
    return (int(word) & _WORD).bit_count()


def _py_lowest(word: int) -> int:
    word = int(word)
    return (word & -word).bit_length() - 1


def _py_mix(word: int) -> int:
    word = int(word) & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return _signed(word ^ word >> 31)


def _py_add(a: int, b: int) -> int:
    return _signed(int(a) + int(b))


def _py_high_half(word: int) -> int:
    return (int(word) & _WORD) >> 32


@_intrinsic
def _llvm_popcount(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@_intrinsic
def _llvm_lowest(typing_context: Any, word: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, 0))

    return types.int64(types.int64), codegen


def _bmi2(name: str) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = args[0].type
        from llvmlite import ir  # noqa: PLC0415  # only where numba has already loaded it

        function = builder.module.declare_intrinsic(
            f"llvm.x86.bmi.{name}.64", (), ir.FunctionType(word, (word, word))
        )
        return builder.call(function, args)

    return codegen


@_intrinsic
def _llvm_deposit(typing_context: Any, bits: Any, mask: Any) -> Any:
    return types.int64(types.int64, types.int64), _bmi2("pdep")


@_intrinsic
def _llvm_extract(typing_context: Any, word: Any, mask: Any) -> Any:
    return types.int64(types.int64, types.int64), _bmi2("pext")


def _llvm_spread(width: int) -> Any:
    """Build the intrinsic that writes `width` bits as bytes: two or three machine instructions."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from llvmlite import ir  # noqa: PLC0415  # only where numba has already loaded it

        array = context.make_array(signature.args[0])(context, builder, args[0])
        octets = ir.VectorType(ir.IntType(8), width)
        low = builder.trunc(args[2], ir.IntType(width)) if width < 64 else args[2]
        bits = builder.bitcast(low, ir.VectorType(ir.IntType(1), width))
        target = builder.bitcast(builder.gep(array.data, [args[1]]), octets.as_pointer())
        builder.store(builder.zext(bits, octets), target, align=8)
        return context.get_dummy_value()

    def typed(typing_context: Any, words: Any, at: Any, mask: Any) -> Any:
        return types.void(words, types.int64, types.int64), codegen

    return intrinsic(typed)


def _py_spread(width: int) -> Any:
    def write(words: IntArray, at: int, mask: int) -> None:
        bits = np.array([int(mask) >> i & 1 for i in range(width)], np.int8)
        words[at : at + width // 8] = bits.view(np.int64)

    return write


def _has_deposit() -> bool:
    from llvmlite import binding  # noqa: PLC0415  # costs nothing: numba has loaded it

    if "x86_64" not in binding.get_process_triple() or os.environ.get("KLOEPPER_NO_PDEP"):
        return False
    return bool(binding.get_host_cpu_features().get("bmi2"))


def _compiled_mix(word: int) -> int:
    w = np.uint64(word)
    w = (w ^ (w >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    w = (w ^ (w >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(w ^ (w >> np.uint64(31)))  # type: ignore[return-value]


def _compiled_add(a: int, b: int) -> int:
    # Not a + b: numba tells LLVM that signed sums do not overflow, which then may do as it likes.
    return np.int64(np.uint64(a) + np.uint64(b))  # type: ignore[return-value]


def _compiled_high_half(word: int) -> int:
    return np.int64(np.uint64(word) >> np.uint64(32))  # type: ignore[return-value]


def _loop_deposit(bits: int, mask: int) -> int:
    result = 0
    while mask:
        low = mask & -mask
        if bits & 1:
            result |= low
        bits >>= 1
        mask ^= low
    return result


_spread: Callable[[int], Any] = _llvm_spread if JIT_ENABLED else _py_spread


def _loop_extract(word: int, mask: int) -> int:
    result = 0
    place = 1
    while mask:
        low = mask & -mask
        if word & low:
            result |= place
        place <<= 1
        mask ^= low
    return result


spread64: Callable[[IntArray, int, int], None] = _spread(64)
"""Write the 64 bits of a mask as 64 int8 zeros and ones over the 8 words from `at` on."""
spread32: Callable[[IntArray, int, int], None] = _spread(32)
"""The same for the lower 32 bits, over 4 words."""
popcount: Callable[[int], int] = cast(Any, _llvm_popcount) if JIT_ENABLED else _py_popcount
"""Number of one bits of a mask."""
lowest: Callable[[int], int] = cast(Any, _llvm_lowest) if JIT_ENABLED else _py_lowest
"""Index of the lowest one bit of a mask that is not 0."""
deposit: Callable[[int, int], int] = (
    cast(Any, _llvm_deposit) if JIT_ENABLED and _has_deposit() else jit(_loop_deposit)
)
"""Spread the low bits of the first word over the one bits of the second (x86 `pdep`)."""
extract: Callable[[int, int], int] = (
    cast(Any, _llvm_extract) if JIT_ENABLED and _has_deposit() else jit(_loop_extract)
)
"""Collect the bits of the first word at the one bits of the second (x86 `pext`)."""
mix: Callable[[int], int] = jit(_compiled_mix) if JIT_ENABLED else _py_mix
"""The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words."""
wrapping_add: Callable[[int, int], int] = jit(_compiled_add) if JIT_ENABLED else _py_add
"""Sum of two int64 modulo 2**64."""
high_half: Callable[[int], int] = jit(_compiled_high_half) if JIT_ENABLED else _py_high_half
"""The upper 32 bits of a word as a number from 0 to 2**32 - 1."""
