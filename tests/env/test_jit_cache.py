"""Compiled functions on disk: what names them, what is wrong with a cache, what is cleared away.

The cache builds on parts of numba that are not public (NullCache, CompileResult._reduce and
_rebuild, Dispatcher._cache, CodeLibrary.has_dynamic_globals). Where a version of numba lacks one
nothing is kept any more, and `test_a_kernel_is_compiled_once` fails.
"""

import os
import pickle
import pwd
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import config, types

from kloepper_env._jit import cache, define, jit, kernel
from kloepper_env._jit.origin import Unknown, digest_of

MONTH = 31 * 86_400.0
TABLES = "import numpy as np\nVALUE = 10\nTABLE = np.array([1, 2])\n"
KERNELS = """
import tables
from tables import TABLE, VALUE
from kloepper_env._jit import jit
@jit
def twice(x: int) -> int:
    return x * 2
@jit
def answer(x: int) -> int:
    return twice(x) + VALUE + TABLE[1] + tables.VALUE
"""
ASK = """
from kernels import answer
print(answer(1), sum(answer.stats.cache_hits.values()), sum(answer.stats.cache_misses.values()))
"""


def started(script: str, place: Path, **environment: str) -> subprocess.Popen[str]:
    inherited = {name: value for name, value in os.environ.items() if "NUMBA" not in name}
    paths = [str(place), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-W", "error", "-c", script],
        env={
            **inherited,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONDONTWRITEBYTECODE": "",  # empty: byte code is written, as usual
            "XDG_CACHE_HOME": str(place / "caches"),
            **environment,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> list[str]:
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return output.split()


def ask(place: Path, script: str = ASK, **environment: str) -> list[str]:
    """What a new process answers: the value, and whether it came from the cache or not."""
    return printed(started(script, place, **environment))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "tables.py").write_text(TABLES)
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


# --- in this process: a new wrapper of the same function looks for it on disk


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_home", lambda: tmp_path / "numba")
    return tmp_path / "numba"


def add(a: int, b: int) -> int:
    return a + b


def add_anew(a: int = 2) -> str:
    """Call `add` as a new process would; returns how it came by it."""
    function: Any = jit(FunctionType(add.__code__, add.__globals__, "add"))
    assert function(a, 3) == a + 3
    (hits,), (misses,) = (
        [sum(counts.values())]
        for counts in (function.stats.cache_hits, function.stats.cache_misses)
    )
    return {(1, 0): "read", (0, 1): "compiled"}[hits, misses]


def the_file(home: Path) -> Path:
    (path,) = home.iterdir()
    return path


def test_a_kernel_is_compiled_once(home: Path) -> None:
    assert [add_anew(), add_anew()] == ["compiled", "read"]
    assert the_file(home).suffix == ".nbc"


def replaced(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)


def with_right_digest(path: Path, contents: bytes) -> None:
    path.write_bytes(sha256(contents).digest() + contents)


def as_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "empty": lambda path: replaced(path, b""),
    "cut within the digest": lambda path: replaced(path, path.read_bytes()[:20]),
    "cut at the end": lambda path: replaced(path, path.read_bytes()[:-1]),
    "other bytes": lambda path: replaced(path, bytes(byte ^ 1 for byte in path.read_bytes())),
    "nothing with its digest": lambda path: with_right_digest(path, b""),
    "garbage with its digest": lambda path: with_right_digest(path, b"garbage"),
    "another pickle": lambda path: with_right_digest(path, pickle.dumps(("another", "numba"))),
    "open to all": lambda path: path.chmod(0o666),
    "a pipe": as_pipe,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_compiled_and_written_anew(
    damage: Callable[[Path], None], home: Path
) -> None:
    add_anew()
    damage(the_file(home))
    assert [add_anew(), add_anew()] == ["compiled", "read"]


def test_a_directory_in_place_of_a_file_costs_only_time(home: Path) -> None:
    add_anew()
    as_directory(the_file(home))
    assert [add_anew(), add_anew()] == ["compiled", "compiled"]
    assert the_file(home).is_dir()  # and nothing is left beside it


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owner")
def test_a_file_of_another_user_is_never_unpickled(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_anew()
    path = the_file(home)
    mine = path.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    monkeypatch.setattr(pickle, "loads", lambda data: pytest.fail("unpickled"))
    if mine:  # root prepares caches for others
        assert add_anew() == "compiled"
    about = SimpleNamespace(st_uid=mine + 2, st_mode=0o100644)
    assert not cache._is_safe(about)  # type: ignore[arg-type]
    assert cache._is_safe(SimpleNamespace(st_uid=0, st_mode=0o100644))  # type: ignore[arg-type]


def test_a_cache_that_may_only_be_read_is_used(home: Path) -> None:
    add_anew()
    path = the_file(home)
    os.utime(path, (1e9, 1e9))
    path.chmod(0o444)
    home.chmod(0o555)
    try:
        assert add_anew() == "read"
        assert add_anew() == "read"
    finally:
        home.chmod(0o755)


def test_a_cache_that_is_deleted_meanwhile_is_written_again(home: Path) -> None:
    add_anew()
    the_file(home).unlink()
    home.rmdir()
    assert [add_anew(), add_anew()] == ["compiled", "read"]


# --- in processes of their own


def test_sources_that_change_under_a_process_are_not_mistaken_for_what_it_runs(
    sources: Path,
) -> None:
    script = f"""
import tables
from pathlib import Path
path = Path(tables.__file__)
path.write_text(path.read_text().replace("VALUE = 10", "VALUE = 0"))
{ASK}"""
    assert ask(sources, script) == ["24", "0", "1"]  # what it was started with
    assert ask(sources) == ["4", "0", "1"]  # what is there now
    assert ask(sources) == ["4", "1", "0"]
    (sources / "tables.py").write_text(TABLES)
    assert ask(sources) == ["24", "1", "0"]


def test_byte_code_of_an_older_source_is_taken_for_what_it_is(sources: Path) -> None:
    """Python does not notice an edit that keeps size and time; its byte code goes later."""
    path = sources / "tables.py"
    ask(sources, "import tables")
    about = path.stat()
    path.write_text(TABLES.replace("VALUE = 10", "VALUE = 20"))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert ask(sources)[0] == "24"
    for compiled in (sources / "__pycache__").iterdir():
        compiled.unlink()
    assert ask(sources)[0] == "44"


def test_code_without_sources_is_kept_apart(sources: Path) -> None:
    """In an archive, for instance, where there is no file to look at."""
    for value in ("10", "20"):
        (sources / "tables.py").write_text(TABLES.replace("10", value))
        pack = "import zipfile as z; a = z.ZipFile('code.zip', 'w'); a.write('tables.py');"
        subprocess.run(
            [sys.executable, "-c", pack + "a.write('kernels.py')"], cwd=sources, check=True
        )
        script = f"import sys; sys.path.insert(0, {str(sources / 'code.zip')!r}){ASK}"
        value_now = str(2 + 2 + 2 * int(value))
        assert ask(sources, script) == [value_now, "0", "1"]
        assert ask(sources, script) == [value_now, "1", "0"]


def test_switches_and_targets_get_kernels_of_their_own(sources: Path) -> None:
    ask(sources)
    for way in ({"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_CPU_NAME": "generic"}):
        assert ask(sources, **way) == ["24", "0", "1"]
    assert ask(sources) == ["24", "1", "0"]


def test_numba_is_asked_first_where_the_cache_lies(sources: Path) -> None:
    ask(sources, NUMBA_CACHE_DIR=str(sources / "elsewhere"))
    assert [path.name for path in (sources / "elsewhere").iterdir()] == ["kloepper"]
    assert not (sources / "caches").exists()


NO_HOME = """
import os, pwd
def nobody(uid):
    raise KeyError(uid)
pwd.getpwuid = nobody
del os.environ["HOME"], os.environ["XDG_CACHE_HOME"]
"""
SMALL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"


@pytest.mark.parametrize("fault", [NO_HOME, SMALL_DISK], ids=["no home", "full disk"])
def test_no_fault_of_the_cache_stops_the_program(fault: str, sources: Path) -> None:
    assert ask(sources, fault + ASK) == ["24", "0", "1"]
    assert not list(sources.glob("caches/kloepper/numba/*"))  # nothing half written


def test_a_file_in_place_of_the_cache_stops_nothing(sources: Path) -> None:
    (sources / "caches").write_text("not a directory")
    assert ask(sources) == ["24", "0", "1"]


def test_two_processes_at_once(sources: Path) -> None:
    assert [printed(each)[0] for each in [started(ASK, sources) for _ in range(2)]] == ["24"] * 2
    assert ask(sources) == ["24", "1", "0"]


@pytest.mark.slow
def test_a_process_killed_while_it_compiles_harms_nobody(sources: Path) -> None:
    hands = "from kloepper_env import Batch; b = Batch(n=1, seed=1); b.step(b.sample()); print(1)"
    for seconds in (2.0, 4.0, 8.0):
        process = started(hands, sources)
        time.sleep(seconds)
        process.kill()
        process.communicate()
    assert ask(sources, hands) == ask(sources, hands) == ["1"]


# --- where it lies


@pytest.mark.parametrize("caches", ["", "relative/path"])
def test_a_cache_home_that_is_no_absolute_path_is_ignored(
    caches: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", caches)
    monkeypatch.setenv("HOME", "/home/of/somebody")
    assert cache._user_home() == Path("/home/of/somebody/.cache/kloepper/numba")


def test_numba_is_asked_before_the_user_who_may_have_no_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert cache.cache_home.__wrapped__() is None
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    assert cache._user_home() == tmp_path / "kloepper"


# --- what is cleared away


def made(path: Path, age: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("something")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_what_nobody_has_used_for_a_month_is_removed_and_nothing_of_others(tmp_path: Path) -> None:
    digest, version = "0123456789abcdef" * 4, "0123456789abcdef"
    target = made(tmp_path / "elsewhere" / "file", MONTH)
    home = tmp_path / "numba"
    goes = [
        made(home / f"{digest}.nbc", MONTH),
        made(home / f"{digest}.{version}.partial", MONTH),
        made(home / version / "games_1a2b" / "kernels.step-12.py311.nbi", MONTH),
        made(home / version / "games_1a2b" / "kernels.step-12.py311.1.nbc", MONTH),
    ]
    stays = [
        made(home / f"{digest[::-1]}.nbc", MONTH - 2 * 86_400),
        made(home / f"{digest}.txt", MONTH),
        made(home / "notes.nbc", MONTH),
        made(home / version[::-1] / "games_1a2b" / "kernels.step-12.py311.nbi", MONTH),
        made(home / version[::-1] / "games_1a2b" / "kernels.draw-12.py311.nbi", 0),
        made(home / version.replace("0", "1") / "games_1a2b" / "a.nbi.txt", MONTH),
        made(home / "another" / "games_1a2b" / "kernels.step-12.py311.nbi", MONTH),
        made(home.parent / f"{digest}.nbc", MONTH),
        target,
    ]
    (home / f"{'a' * 64}.nbc").symlink_to(target)
    (home / ("b" * 16)).symlink_to(home / "another")
    cache._clean(home)
    assert [path for path in goes if path.exists()] == []
    assert [path for path in stays if not path.exists()] == []
    assert not (home / version).exists()
    cache._clean(tmp_path / "nothing here")


def test_what_is_read_counts_as_used(home: Path) -> None:
    add_anew()
    os.utime(the_file(home), (time.time() - MONTH,) * 2)
    assert add_anew() == "read"
    cache._clean(home)
    assert add_anew() == "read"


def test_a_process_clears_up_when_it_ends_and_keeps_what_it_used(sources: Path) -> None:
    ask(sources)
    home = sources / "caches" / "kloepper" / "numba"
    used = set(home.iterdir())
    for path in used:
        os.utime(path, (time.time() - MONTH,) * 2)
    old = made(home / f"{'a' * 64}.nbc", MONTH)
    assert ask(sources) == ["24", "1", "0"]
    assert not old.exists()
    assert used & set(home.iterdir())


# --- what names a kernel


def function(source: str, **names: Any) -> FunctionType:
    """`f` as defined by a source, in a module of its own."""
    space: dict[str, Any] = {"__name__": "a_module", "np": np, "jit": jit, **names}
    exec(source, space)
    made_function: FunctionType = space["f"]
    return getattr(made_function, "py_func", made_function)


def name_of(source: str, *arguments: types.Type, **names: Any) -> str:
    return digest_of(function(source, **names), arguments, ["build"])


CALL = "@jit\ndef g(x): return x + {}\ndef f(x): return g(x)"
CONSTANT = "VALUE = {}\ndef f(x): return x + VALUE"
CLOSURE = "def outer(value):\n def f(x): return x + value\n return f\nf = outer({})"


@pytest.mark.parametrize(
    ("source", "one", "other"),
    [
        ("def f(x): return x + {}", "1", "2"),
        ("def f(x): return x + {}", "1", "1.0"),
        ("def f(x): return x + {}", "1", "True"),
        ("def f(x): return x {} 1", "+", "-"),
        ("def f(x, y={}): return x + y", "1", "2"),
        ("def f(x): return x + (lambda y: y + {})(x)", "1", "2"),
        (CONSTANT, "1", "2"),
        (CONSTANT, "1", "1.0"),
        (CONSTANT, "0.0", "-0.0"),
        (CONSTANT, "np.int64(1)", "np.int32(1)"),
        (CONSTANT, "(1, (2, 3))", "((1, 2), 3)"),
        (CONSTANT, "np.arange(4)", "np.arange(4)[::-1][::-1] + 1"),
        (CONSTANT, "np.arange(4)", "np.arange(4).reshape(2, 2)"),
        (CONSTANT, "np.arange(4)", "np.arange(4, dtype=np.uint64)"),
        (CONSTANT, "np.ones((2, 2))", "np.ones((2, 2), order='F')"),
        (CONSTANT, "np.arange(5000)", "np.arange(5000) // 4000 * -1 + np.arange(5000)"),
        (CONSTANT, "min", "max"),
        (CONSTANT, "np.add", "np.subtract"),
        (CALL, "1", "2"),
        (CLOSURE, "1", "2"),
    ],
)
def test_whatever_goes_into_a_kernel_is_in_its_name(source: str, one: str, other: str) -> None:
    assert name_of(source.format(one)) == name_of(source.format(one))
    assert name_of(source.format(one)) != name_of(source.format(other))


def test_what_does_not_go_into_a_kernel_is_not_in_its_name() -> None:
    source = "VALUE, OTHER = 1, {}\n{}def f(x): return x + VALUE"
    assert name_of(source.format("2", "")) == name_of(source.format("object()", "# a remark\n"))


def test_functions_that_change_places_are_told_apart() -> None:
    source = "def a(x): return x + 1\ndef b(x): return x + 2\ng, h = {}\ndef f(x): return g(h(x))"
    assert name_of(source.format("a, b")) != name_of(source.format("b, a"))


def test_what_a_game_defines_for_its_records_is_in_the_name() -> None:
    record = np.dtype([("a", "i8")])
    names = []
    for value in (1, 2):
        legal: Any = kernel(function("def f(x): raise NotImplementedError"))
        define(legal, record, jit(function(f"def f(x): return {value}")))
        kinds = (numba.from_dtype(record), numba.from_dtype(record)[:])
        names += [name_of("def f(x): return legal(x)", kind, legal=legal) for kind in kinds]
        with pytest.raises(Unknown):
            name_of("def f(x): return legal(x)", types.int64, legal=legal)
    assert len(set(names)) == 4


def test_modules_are_read_through() -> None:
    source = "import tables_of_mine as t\ndef f(x): return x + t.VALUE"
    names = []
    for value in (1, 2):
        module: Any = type(sys)("tables_of_mine")
        module.VALUE, module.t, module.other = value, module, object()
        sys.modules["tables_of_mine"] = module
        names.append(name_of(source))
    del sys.modules["tables_of_mine"]
    assert names[0] != names[1]


def test_types_are_in_the_name() -> None:
    record = np.dtype([("a", "i8"), ("b", "i8")])
    swapped = np.dtype([("b", "i8"), ("a", "i8")])
    kinds: list[Any] = [types.int64, types.int32, types.boolean, types.int64[:], types.int64[::1]]
    made: Any = types  # untyped in numba
    kinds += [made.literal(1), made.literal(2), made.Omitted(1), made.Omitted(2)]
    kinds += [numba.from_dtype(record), numba.from_dtype(swapped)]
    pairs = [type("Pair", (tuple,), {"_fields": fields}) for fields in (("a", "b"), ("b", "a"))]
    kinds += [made.NamedUniTuple(types.int64, 2, pair) for pair in pairs]
    names = [name_of("def f(x): return x", kind) for kind in kinds]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "value", [{1: 2}, {1, 2}, object(), np.array([None]), SimpleNamespace(a=1)]
)
def test_what_cannot_be_told_is_not_kept(value: object) -> None:
    with pytest.raises(Unknown):
        name_of("def f(x): return x + VALUE", VALUE=value)
    with pytest.raises(Unknown):
        name_of("def f(x): return x", types.PyObject("object"))


def test_a_constant_that_is_replaced_under_a_process_ends_the_keeping() -> None:
    """A function compiled before holds the old one, and is put into what is compiled now."""
    f = function("VALUE = 1000\ndef g(x): return x + VALUE\ndef f(x): return g(x)")
    name = digest_of(f, (), [])
    assert digest_of(f, (), []) == name
    f.__globals__["VALUE"] = 2000
    with pytest.raises(Unknown):
        digest_of(f, (), [])
