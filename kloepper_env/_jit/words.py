"""Words of 64 bits: what machines do with them in an instruction or two."""

import os
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba.core import types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from kloepper_env._jit.compiling import JIT_ENABLED, F, IntArray, jit

_WORD = (1 << 64) - 1


def _intrinsic(function: F) -> F:
    return cast(F, intrinsic(function))  # what numba makes of it is typed as no function


# --- plain Python ------------------------------------------------------------------------------


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
    """Whether the target has the instructions pdep and pext.

    It need not be this machine: NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name another.
    """
    if os.environ.get("KLOEPPER_NO_PDEP"):
        return False
    triple, _, features = cpu_target.target_context.codegen().magic_tuple()
    settings = [feature for feature in features.split(",") if feature[1:] == "bmi2"]
    return "x86_64" in triple and settings[-1:] == ["+bmi2"]  # the last of several holds


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
