"""Compares the engine's legal moves with the lists that the libraries have written.

A move is where it starts, where it ends and which pieces it takes. The lists must be equal as
sets, and the path the engine prints must be one of the routes that pydraughts found for that move
(py-draughts names only one route where several do the same).
"""

import json
import sys

from common import CheckFailed, Report, arguments, numeric_fen, on_termination
from engine_process import UciEngine, kill_engines

# Every fourth position is sent with numbers (1 = b8), the spelling of the site's own FENs.
NUMERIC_EVERY = 4


def read(name):
    """The lines of a file of move lists."""
    with open(name, encoding="utf-8") as source:
        return [json.loads(line) for line in source]


def difference(own, entry, all_routes):
    """What is wrong with the engine's list, or nothing; paths count if all routes are known."""
    missing = sorted(set(entry["moves"]) - set(own))
    surplus = sorted(set(own) - set(entry["moves"]))
    if missing or surplus:
        return f"missing {missing}, not legal {surplus}"
    for key, path in own.items():
        if all_routes and path not in entry["moves"][key]:
            return f"path {path} is none of {entry['moves'][key]}"
    return None


def main():
    """Asks the engine once for every position, then compares with each library."""
    options = arguments(
        __doc__.splitlines()[0],
        py_draughts={"required": True, "help": "file written by movelists_py_draughts.py"},
        pydraughts={"required": True, "help": "file written by movelists_pydraughts.py"},
    )
    on_termination(kill_engines)
    report = Report()
    files = {"py-draughts": read(options.py_draughts), "pydraughts": read(options.pydraughts)}
    fens = [entry["fen"] for entry in files["py-draughts"]]
    own = []
    with report.check("engine-lists") as detail, UciEngine(options.engine) as engine:
        engine.handshake()
        for number, fen in enumerate(fens):
            spelling = numeric_fen(fen) if number % NUMERIC_EVERY == 0 else fen
            own.append(engine.legal_moves(f"position fen {spelling}"))
        detail.text = f"{len(own)} positions, {sum(map(len, own))} moves, none listed twice"

    for library, entries in files.items():
        with report.check(f"equal-to-{library}") as detail:
            if not fens or len(own) != len(entries):
                raise CheckFailed(f"{len(own)} lists from the engine, {len(entries)} to compare")
            wrong = []
            for moves, entry in zip(own, entries):
                reason = difference(moves, entry, library == "pydraughts")
                if reason:
                    wrong.append(f"{entry['fen']}: {reason}")
            if wrong:
                raise CheckFailed(f"{len(wrong)} of {len(own)} positions differ; {wrong[0]}")
            detail.text = f"{len(own)} positions, no difference"
    report.count(positions=len(own), listed_moves=sum(map(len, own)))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
