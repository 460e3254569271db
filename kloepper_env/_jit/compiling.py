"""Compiling functions, and kernels that mean something else for the records of each game."""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, typeinfer, types
from numba.extending import overload
from numpy.typing import NDArray

from kloepper_env._jit.cache import KernelCache
from kloepper_env.errors import KloepperError

IntArray = NDArray[np.integer[Any]]
F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED = not config.DISABLE_JIT  # type: ignore[attr-defined]  # numba sets it at run time

# Kernels are put inside their callers, and allocate nothing (the caller brings the arrays), so
# that numba keeps no reference counts: both cost more than a small kernel itself.
_OPTIONS: Any = {"forceinline": True, "_nrt": False}  # the second is in no stub


def jit(function: F) -> F:
    """Compile `function` in nopython mode and keep the result on disk. It may not allocate."""
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
    dispatcher: Any = numba.njit(**options)(function)
    dispatcher._cache = KernelCache(cast(FunctionType, function))
    with typeinfer.register_dispatcher(dispatcher):  # so that it can call itself by its name
        for each in signature:
            dispatcher.compile(each)
            dispatcher.disable_compile()
    return cast(F, dispatcher)


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
    dispatch.by_type = by_type  # type: ignore[attr-defined]  # for the digest of what calls it
    return cast(F, dispatch)


def define(kernel_function: Callable[..., Any], dtype: np.dtype[Any], code: F) -> None:
    """Make `code` the meaning of `kernel_function` for records of `dtype`."""
    kernel_function.define(dtype, code)  # type: ignore[attr-defined]
