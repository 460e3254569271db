"""Make the frozen deals beside this script, byte for byte the same on every Python.

    python seeds/deals/make_deals.py            # make what is missing
    python seeds/deals/make_deals.py --check    # do the files still hold what they should?

Only the standard library is used, and no random module: its streams may change between versions.
Deal k of a set is the pack shuffled by a stream of SHA-256 digests that begins with the name of
the set and k, so that the name is the seed and each deal can be remade by itself.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
SUMS = "SHA256SUMS"
SUITS = "CSHD"
RANKS = {"kloepper": "ATKQJ9", "klammern": "789TJQKA"}  # of the pack of a game
SEATS = 4
SETS = {  # name of the set, which begins with its game -> number of deals
    "kloepper/dev": 10_000,
    "kloepper/test": 20_000,
    "klammern/dev": 10_000,
    "klammern/test": 15_000,
}


def random_bytes(seed: str) -> Iterator[int]:
    """Bytes 0..255 without end: the SHA-256 digests of "seed/0", "seed/1", ..."""
    for block in count():
        yield from hashlib.sha256(f"{seed}/{block}".encode("ascii")).digest()


def below(limit: int, stream: Iterator[int]) -> int:
    """A number from 0 to limit - 1 (limit at most 256), each equally likely."""
    even = 256 - 256 % limit  # bytes from here on would favour the small numbers: draw again
    return next(byte for byte in stream if byte < even) % limit


def shuffled(cards: list[str], seed: str) -> list[str]:
    """Fisher-Yates from the back; the argument stays as it is."""
    cards, stream = list(cards), random_bytes(seed)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1, stream)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def pack_of(name: str) -> list[str]:
    """The pack of a set's game, suit by suit."""
    return [rank + suit for suit in SUITS for rank in RANKS[name.partition("/")[0]]]


def deal_line(name: str, index: int) -> str:
    """One deal as it stands in the file: dealer, a space, the cards as they leave the pack."""
    return f"{index % SEATS} {''.join(shuffled(pack_of(name), f'{name}/{index}'))}\n"


def make_files() -> dict[str, bytes]:
    """Everything this script makes: relative name of the file -> content."""
    files = {
        f"{name}.txt": "".join(deal_line(name, k) for k in range(deals)).encode("ascii")
        for name, deals in SETS.items()
    }
    sums = (f"{hashlib.sha256(data).hexdigest()}  {file}\n" for file, data in files.items())
    return files | {SUMS: "".join(sums).encode("ascii")}


def differing(files: dict[str, bytes]) -> list[str]:
    """Names of the files that exist with other content."""
    return [
        file
        for file, data in files.items()
        if (FOLDER / file).exists() and (FOLDER / file).read_bytes() != data
    ]


def write(files: dict[str, bytes], force: bool) -> str | None:
    """Write the files; the answer says what stands in the way, None if nothing does."""
    if not force and (others := differing(files)):
        return f"{', '.join(others)} would change: give --force to overwrite frozen deals."
    for file, data in files.items():
        (FOLDER / file).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / file).write_bytes(data)
    return None


def check() -> str | None:
    """Compare the files with SHA256SUMS; the answer names the first that is wrong."""
    if not (FOLDER / SUMS).is_file():
        return f"{SUMS} is missing: run make_deals.py without --check to make it."
    listed = dict.fromkeys((f"{name}.txt" for name in SETS), "")
    for number, line in enumerate((FOLDER / SUMS).read_text("ascii").splitlines(), start=1):
        digest, gap, file = line.partition("  ")
        if not gap or file not in listed:
            names = " or ".join(listed)
            return f"{SUMS} line {number} is {line!r}, but must be a digest, two spaces, {names}."
        listed[file] = digest
    for file, digest in listed.items():
        path = FOLDER / file
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no file"
        if found != digest:
            return f"{file} has checksum {found}: {SUMS} says {digest or 'nothing'}."
    return None


def main() -> int:
    """Command line: 0 if all is well, 1 with a sentence on stderr if not."""
    parser = argparse.ArgumentParser(description="Make or check the frozen deals.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help=f"compare the files with {SUMS}")
    choice.add_argument("--force", action="store_true", help="overwrite files that differ")
    options = parser.parse_args()
    problem = check() if options.check else write(make_files(), options.force)
    if problem is not None:
        print(problem, file=sys.stderr)
        return 1
    print(f"{', '.join(f'{file}.txt' for file in SETS)}: fine")
    return 0


if __name__ == "__main__":
    sys.exit(main())
