"""What a compiled function is made from, as a digest.

Numba files a compiled function under the place and the digest of its source file. So it misses an
edit in another file whose functions or constants went into the kernel, files what a running
process compiles under sources that have changed meanwhile, and ignores switches such as
NUMBA_BOUNDSCHECK. Here a kernel is known by what is in memory and goes into it: the byte code and
the constants of its function and of all that this one calls, wherever they were loaded from.
What cannot be told for certain is Unknown, and then the kernel is not kept.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final, cast

import numpy as np
from numba.core import types

# Their versions are part of every digest, so that their contents are known by name.
_LIBRARIES: Final = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"}
_DEEPEST: Final = 8  # modules within modules; beyond lies a circle
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None), type(...), np.dtype)
_SIMPLE_TYPES: Final = (types.Number, types.Boolean, types.Record, types.NoneType, types.Literal)


class Unknown(Exception):  # no error: the kernel is compiled and not kept
    """Something went into a kernel that may mean another thing in another process."""


def digest_of(function: FunctionType, signature: Any, build: Iterable[str]) -> str:
    """Name what compiling `function` for a numba signature gives, under this build of numba.

    Equal names mean equal machine code. Raises Unknown where that cannot be promised.
    """
    reader = _Reader(signature if isinstance(signature, str) else " ".join(map(str, signature)))
    reader.put("build", *build)
    reader.read_signature(signature)
    reader.read(function)
    return reader.hexdigest()


@dataclass(slots=True)
class _Met:
    """A function as it was when a kernel was first made from it."""

    code: bytes
    names: frozenset[str]
    stands_for: dict[str, Any]


_met: dict[FunctionType, _Met] = {}


def _look_up(function: FunctionType) -> _Met:
    """Read a function and what its names stand for now.

    Unknown where that has changed (a reloaded module, a replaced constant): kernels compiled
    before may hold the old value and are put into new ones.
    """
    known = _met.get(function)
    names = known.names if known else frozenset(_names(function.__code__))
    now = dict(_values(names, function.__globals__))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        now[f"cell {name}"] = cell.cell_contents
    if known is None:
        known = _met[function] = _Met(_digest_of_code(function), names, now)
    elif any(now.get(name, known) is not value for name, value in known.stands_for.items()):
        raise Unknown(function.__qualname__)
    return known


def _names(code: CodeType) -> Iterator[str]:
    """The global names in a function, and those of attributes, which look the same."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _values(names: Iterable[str], space: Mapping[str, Any], path: str = "") -> Iterator[Any]:
    """Yield dotted name and value of all that `names` may refer to, through modules as well."""
    for name in sorted(names):
        if name not in space:
            continue
        value = space[name]
        if isinstance(value, ModuleType) and not _is_library(value.__name__):
            if path.count(".") < _DEEPEST:
                yield from _values(names, vars(value), f"{path}{name}.")
        else:
            yield path + name, value


def _is_library(module: object) -> bool:
    return isinstance(module, str) and module.partition(".")[0] in _LIBRARIES


def _digest_of_code(function: FunctionType) -> bytes:
    reader = _Reader("")
    reader.put(function.__module__, function.__qualname__)
    reader.read(function.__code__)
    reader.read(function.__defaults__)
    reader.read(sorted((function.__kwdefaults__ or {}).items()))
    return reader.digest()


class _Reader:
    """Writes values into a digest, each kind in a way of its own, functions with all they call."""

    def __init__(self, signature: str) -> None:
        self._hash = sha256()
        self._signature = signature
        self._number: dict[FunctionType, int] = {}  # of the functions read, in order
        self.digest = self._hash.digest
        self.hexdigest = self._hash.hexdigest

    def put(self, *words: str | bytes) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else word.encode("utf-8", "surrogatepass")
            self._hash.update(b"%d:" % len(data))
            self._hash.update(data)

    def read(self, value: Any) -> None:
        kind = type(value)
        self.put(kind.__name__)
        if isinstance(value, _PLAIN):
            self.put(repr(value))
        elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
            strides = value.strides if isinstance(value, np.ndarray) else ()
            self.put(repr(value.dtype), repr(value.shape), repr(strides), value.tobytes())
        elif isinstance(value, tuple | list):
            self.put(str(len(value)), repr(getattr(value, "_fields", "")))
            for element in value:
                self.read(element)
        elif isinstance(value, frozenset):
            self.put(*sorted(map(repr, value)))
        elif isinstance(value, types.Type):
            self._read_type(value)
        elif isinstance(value, CodeType):
            self._read_code(value)
        elif isinstance(value, ModuleType):
            self.put(value.__name__)
        else:
            self._read_callable(value)

    def read_signature(self, signature: Any) -> None:
        if isinstance(signature, str):
            self.put(signature)
            return
        for argument in signature:
            self._read_type(argument)

    def _read_type(self, kind: types.Type) -> None:
        self.put(str(kind))
        if isinstance(kind, types.Array):
            self._read_type(kind.dtype)
        elif isinstance(kind, types.UniTuple | types.Tuple | types.BaseNamedTuple):
            self.put(repr(getattr(kind, "fields", "")))
            for element in cast(Any, kind).types:
                self._read_type(element)
        elif isinstance(kind, types.Omitted):
            self.read(kind.value)
        elif not isinstance(kind, _SIMPLE_TYPES):
            raise Unknown(str(kind))

    def _read_code(self, code: CodeType) -> None:
        numbers = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        self.put(code.co_code, code.co_exceptiontable, repr(numbers))
        self.put(repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
        self.read(code.co_consts)

    def _read_callable(self, value: Any) -> None:
        named = isinstance(value, type | FunctionType | BuiltinFunctionType)
        if isinstance(value, np.ufunc):
            self.put(value.__name__)
        elif named and _is_library(value.__module__):
            self.put(value.__module__, value.__qualname__)
        elif isinstance(value, type):
            self._read_class(value)
        elif (implementations := getattr(value, "by_type", None)) is not None:
            self._read_kernel(value.__name__, implementations)
        elif isinstance(value, FunctionType):
            self._read_function(value)
        elif isinstance(wrapped := getattr(value, "__wrapped__", None), FunctionType):
            self.put(repr(sorted(getattr(value, "targetoptions", {}).items())))
            self._read_function(wrapped)  # compiled functions and intrinsics
        else:
            raise Unknown(repr(value))

    def _read_class(self, value: type) -> None:
        fields = getattr(value, "_fields", None)
        if fields is None and not issubclass(value, Exception):
            raise Unknown(repr(value))
        self.put(value.__module__, value.__qualname__, repr(fields))

    def _read_kernel(self, name: str, implementations: Mapping[types.Type, Any]) -> None:
        """Read what a game defines for the records of this signature; other games do not matter."""
        self.put(name)
        met = [record for record in implementations if str(record) in self._signature]
        if not met:
            raise Unknown(name)
        for record in sorted(met, key=str):
            self.read(implementations[record])

    def _read_function(self, function: FunctionType) -> None:
        if function in self._number:
            self.put(str(self._number[function]))
            return
        self._number[function] = len(self._number)
        met = _look_up(function)
        self.put(met.code)
        for name, value in met.stands_for.items():
            self.put(name)
            self.read(value)
