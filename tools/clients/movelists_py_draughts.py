"""Makes the random positions for the comparison of move lists and lists them with py-draughts.

Half of the positions are pieces thrown on the board, which gives captures and kings no game ever
shows; the other half comes from games played at random, which gives the ordinary ones. A few
positions that have gone wrong in some program or other come first. Written to the file named by
`--out`, one JSON object a line:

    {"fen": "W:Wa1:Bb8", "moves": {"<from>><to>(<captured>)": ["<path>", ...], ...}}
"""

import json
import random
import sys
from importlib.metadata import version

from draughts import RussianBoard

from common import SQUARES, CheckFailed, Report, arguments, move_key

KNOWN_FENS = [
    "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
    "W:Wh6:Bg7,c5,d2",
    "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8",
    "W:WKa1:Bb2,f2,g5,b6,e7",
    "W:WKd8:Bc3,f4,f6,c7",
    "W:Wh6:Bb4,e7,g7",
    "W:WKe7:Bf2,c3,f4,f6",
    "W:Wf6:Bc7,e7",
    "B:Wc5,g5:Bb6,d2",
    "W:Wd6:Bc7,b6,b4,f2",
    "W:Wc7:Bb6,b4,d6,d4,f4,c3",
    "W:WKa1:BKb2",
    "W:WKa1:Bb2,c3",
    "W:Wh6:Bf8,g7",
    "B:Wh6,b4,f4,e3,b2,f2,a1:Bb8,f8,h8,e7,g7,d6,f6,c5,Ka5",
    "B:We5,e3:BKg1",
]


def random_placement(rng):
    """From 2 to 16 pieces anywhere, both sides present, with few or many kings."""
    total = rng.randint(2, 16)
    white = rng.randint(max(1, total - 12), min(12, total - 1))
    king_share = rng.choice((0.0, 0.15, 0.5, 1.0))
    lists = {"W": [], "B": []}
    for count, index in enumerate(rng.sample(range(32), total)):
        colour = "W" if count < white else "B"
        crowned = index < 4 if colour == "W" else index >= 28
        king = crowned or rng.random() < king_share
        lists[colour].append(("K" if king else "") + SQUARES[index])
    return f"{rng.choice('WB')}:W{','.join(lists['W'])}:B{','.join(lists['B'])}"


def algebraic_fen(board):
    """The position of a board with the names of its squares."""
    text = board.fen.split('"')[1]
    side, *lists = text.split(":")
    parts = [side]
    for part in lists:
        items = []
        for item in filter(None, part[1:].split(",")):
            king = "K" if item[0] == "K" else ""
            items.append(king + SQUARES[int(item.lstrip("K")) - 1])
        parts.append(part[0] + ",".join(items))
    return ":".join(parts)


def random_game(rng):
    """Positions met in one random game, about every third of them."""
    board = RussianBoard()
    for _ in range(200):
        moves = board.legal_moves
        if rng.random() < 0.35:
            yield algebraic_fen(board)
        if not moves:
            return
        board.push(rng.choice(moves))


def positions(rng, wanted):
    """The given number of different positions."""
    seen = {}
    for fen in KNOWN_FENS:
        seen.setdefault(fen)
    while len(seen) < wanted // 2:
        seen.setdefault(random_placement(rng))
    while len(seen) < wanted:
        for fen in random_game(rng):
            seen.setdefault(fen)
    return list(seen)[:wanted]


def legal_moves(fen):
    """Key -> all paths of the move that py-draughts lists."""
    moves = {}
    for move in RussianBoard.from_fen(fen).legal_moves:
        squares = [SQUARES[index] for index in move.square_list]
        captured = [SQUARES[index] for index in move.captured_list]
        path = (":" if captured else "-").join(squares)
        moves.setdefault(move_key(squares[0], squares[-1], captured), []).append(path)
    return moves


def main():
    """Writes the file."""
    options = arguments(
        __doc__.splitlines()[0],
        positions={"type": int, "default": 5000},
        out={"required": True, "help": "file to write"},
    )
    rng = random.Random(options.seed)
    report = Report()
    report.note(f"py-draughts {version('py-draughts')}")
    with report.check("positions") as detail:
        fens = positions(rng, options.positions)
        captures = moves = 0
        with open(options.out, "w", encoding="utf-8") as out:
            for fen in fens:
                listed = legal_moves(fen)
                moves += len(listed)
                captures += any(not key.endswith("()") for key in listed)
                out.write(json.dumps({"fen": fen, "moves": listed}) + "\n")
        if len(fens) < options.positions:
            raise CheckFailed(f"only {len(fens)} positions")
        detail.text = f"{len(fens)} positions, {captures} with captures, {moves} moves"
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
