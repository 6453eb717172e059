"""Reads annotated games with pydraughts 0.6.7 and plays them."""

import os
import sys
import tempfile

from draughts import Board, Move
from draughts.PDN import PDNReader

from annotated import annotated_games
from common import CheckFailed, Report, arguments


def main():
    """One check."""
    options = arguments(__doc__.splitlines()[0])
    report = Report()
    with report.check("annotated") as detail, tempfile.TemporaryDirectory() as folder:
        plies = 0
        for number, texts in enumerate(annotated_games(options.engine, folder), 1):
            ends = []
            for text in texts:
                name = os.path.join(folder, "one.pdn")
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
                (game,) = PDNReader(filename=name).games
                board = Board("russian", game.tags.get("FEN", "startpos"))
                for move in game.moves:
                    board.push(Move(board, pdn_move=move))
                ends.append((board.fen, len(game.moves)))
            if ends[0] != ends[1] or not ends[0][1]:
                raise CheckFailed(f"game {number}: {ends}")
            plies += ends[0][1]
        detail.text = f"{number} games, {plies} plies"
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
