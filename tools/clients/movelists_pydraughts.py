"""Lists the moves of given positions with pydraughts, an author and a method apart from the first.

Reads the file of `movelists_py_draughts.py` and writes one of the same form to `--out`.
"""

import json
import sys
from importlib.metadata import version

from draughts import Board

from common import CheckFailed, Report, arguments, move_key, square_from_a1


def legal_moves(fen):
    """Key -> all paths of the move that pydraughts lists (it lists every route of a capture)."""
    moves = {}
    for move in Board("russian", fen).legal_moves():
        squares = [square_from_a1(square) for square in move.steps_move]
        captured = [square_from_a1(square) for square in move.captures]
        path = (":" if captured else "-").join(squares)
        moves.setdefault(move_key(squares[0], squares[-1], captured), []).append(path)
    return moves


def main():
    """Writes the file and says whether both libraries agree."""
    options = arguments(
        __doc__.splitlines()[0],
        positions={"required": True, "help": "file to read"},
        out={"required": True, "help": "file to write"},
    )
    report = Report()
    report.note(f"pydraughts {version('pydraughts')}")
    with report.check("libraries-agree") as detail:
        differences = []
        count = 0
        with open(options.positions, encoding="utf-8") as source, open(
            options.out, "w", encoding="utf-8"
        ) as out:
            for line in source:
                entry = json.loads(line)
                listed = legal_moves(entry["fen"])
                out.write(json.dumps({"fen": entry["fen"], "moves": listed}) + "\n")
                count += 1
                if set(listed) != set(entry["moves"]):
                    differences.append(entry["fen"])
        if differences:
            raise CheckFailed(
                f"py-draughts and pydraughts differ in {len(differences)} of {count} positions, "
                f"the first {differences[0]}"
            )
        detail.text = f"{count} positions, no difference between the libraries"
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
