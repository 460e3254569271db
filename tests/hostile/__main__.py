"""`python -m tests.hostile KIND COUNT`: reads so many wrong files and prints what became of them.

Nothing but a KloepperError may come of one: anything else ends with its number and a traceback.
"""

import json
import resource
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from kloepper_env.errors import KloepperError
from tests.hostile.kinds import KINDS, Kind


def read_all(kind: Kind, folder: Path, count: int) -> dict[str, float]:
    """How many of the files were refused, processor seconds of the slowest, and the peak in MB."""
    refused, slowest = 0, 0.0
    for number in range(count):
        path = folder / "file"
        kind.make(path, np.random.default_rng(number))
        began = time.process_time()
        try:
            kind.use(path)
        except KloepperError as error:
            refused += 1
            sentence = str(error)
            assert 0 < len(sentence) < 600, f"file {number}: {len(sentence)} characters"
            assert "\n" not in sentence, f"file {number}: {sentence!r}"
        except BaseException:
            print(f"file {number}", file=sys.stderr)
            raise
        if number:  # the first one compiles
            slowest = max(slowest, time.process_time() - began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"files": count, "refused": refused, "slowest": round(slowest, 3), "peak": round(peak)}


if __name__ == "__main__":
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps(read_all(KINDS[sys.argv[1]], Path(place), int(sys.argv[2]))))
