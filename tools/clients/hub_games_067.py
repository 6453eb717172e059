"""Whole games through pydraughts 0.6.7, written as PDN and replayed.

This version sends the position in the order b8 ... g1 but numbers the squares of moves
1 = a1 ... 32 = h8. An engine that moves first cannot know that and must be told
(`hub-squares=a1`); one that has seen a move of its opponent must find out by itself (`auto`).
"""

import os
import random
import sys
import tempfile
import time

from draughts import WHITE, Board, Move
from draughts.ballots import Ballots
from draughts.engine import Limit
from draughts.PDN import PDNReader, PDNWriter

from common import CheckFailed, Report, arguments, hub_move_key, move_key, on_termination
from common import square_from_a1
from engine_process import UciEngine
from engine_process import kill_engines as kill_uci_engines
from pydraughts_client import EnginePlayer, Pondering, RandomPlayer, blame, end, judge
from pydraughts_client import kill_engines, play_game, random_opening, start, version

OPTIONS = {"variant": "russian", "initial-time": 60.0, "bb-size": 0}
MAX_PLIES = 120
# How often on the way through a game the engine's legal moves are compared with the library's.
CHECKPOINT_PLIES = 6
# Set-up positions with long captures, captures with equal ends, crowning in mid capture and
# captures that return to their first square; the engine moves first in each.
CAPTURE_FENS = [
    "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8",
    "W:WKa1:Bb2,f2,g5,b6,e7",
    "W:WKd8:Bc3,f4,f6,c7",
    "W:Wh6:Bb4,e7,g7",
    "W:WKe7:Bf2,c3,f4,f6",
    "W:Wf6:Bc7,e7",
    "B:Wc5,g5:Bb6,d2",
]


class Library:
    """The few things the game loop needs to know about this version."""

    has_faults = False
    square_name = staticmethod(square_from_a1)
    limit = Limit

    @staticmethod
    def new_board(fen=None):
        """A board with the start position or an algebraic FEN."""
        return Board("russian", fen or "startpos")

    @staticmethod
    def moves(board):
        """Key -> move in the library's own form."""
        legal = {}
        for move in board.legal_moves():
            names = [square_from_a1(square) for square in move.captures]
            route = move.board_move
            key = move_key(square_from_a1(route[0][0]), square_from_a1(route[-1][1]), names)
            legal[key] = move
        return legal

    @staticmethod
    def push(board, move):
        """Makes a move."""
        board.push(move)

    @staticmethod
    def is_over(board):
        """Whether the library calls the game finished."""
        return board.is_over()

    @staticmethod
    def white_to_move(board):
        """Whose turn it is."""
        return board.turn == WHITE

    @staticmethod
    def last_key(board):
        """The key of the move made last."""
        return hub_move_key(board.move_stack[-1].hub_move, square_from_a1)


def kill_all():
    """Kills the engines started by the library and those started here."""
    kill_engines()
    kill_uci_engines()


def check_white_told(report, path, rng, games):
    """The engine moves first: it has to be told the numbering."""
    boards = []
    with report.check("white-hub-squares-a1") as detail:
        engine = start([path, "hub"], {**OPTIONS, "hub-squares": "a1"})
        moves = 0
        for number in range(games):
            board = Library.new_board()
            player = (
                EnginePlayer(engine, None, clock=(2.0, 0.02))
                if number % 2
                else EnginePlayer(engine, Limit(movetime=0.015))
            )
            play_game(Library, board, player, RandomPlayer(rng), MAX_PLIES)
            boards.append(board)
            moves += player.moves
        end(engine)
        report.count(games=games, engine_moves=moves)
        detail.text = f"{games} games, {moves} moves"
    return boards


def check_black_auto(report, path, rng, games):
    """The engine answers: it finds the numbering out, and keeps to it in the next games."""
    boards = []
    with report.check("black-auto") as detail:
        moves = 0
        for number in range(games):
            # A new process each time, for each has to find out anew.
            engine = start([path, "hub"], OPTIONS)
            board = Library.new_board()
            limit = Limit(depth=4) if number % 2 else Limit(movetime=0.015)
            player = EnginePlayer(engine, limit)
            play_game(Library, board, RandomPlayer(rng), player, MAX_PLIES)
            boards.append(board)
            moves += player.moves
            if number == games - 1:
                board = Library.new_board()
                player = EnginePlayer(engine, Limit(movetime=0.015))
                play_game(Library, board, player, RandomPlayer(rng), MAX_PLIES)
                boards.append(board)
                moves += player.moves
            end(engine)
        report.count(games=games + 1, engine_moves=moves)
        detail.text = f"{games} games as Black, one as White in the same process, {moves} moves"
    return boards


def check_self_play(report, path, rng, games):
    """Engine against engine from the library's own table of openings."""
    boards = []
    with report.check("ballots-self-play") as detail:
        options = {**OPTIONS, "hub-squares": "a1"}
        white, black = (start([path, "hub"], options) for _ in range(2))
        ballots = Ballots("russian", basic_positions=True).positions
        # The reader of the library reads the first move twice in a game that Black begins.
        fens = sorted(fen for fen in ballots.values() if fen.startswith("W"))
        moves = 0
        for fen in rng.sample(fens, games):
            board = Library.new_board(fen)
            players = [EnginePlayer(engine, Limit(movetime=0.01)) for engine in (white, black)]
            play_game(Library, board, *players, MAX_PLIES)
            boards.append(board)
            moves += sum(player.moves for player in players)
        for engine in (white, black):
            end(engine)
        report.count(games=games, engine_moves=moves)
        detail.text = f"{games} games, {moves} moves"
    return boards


def check_captures(report, path):
    """Captures that are hard to spell, chosen by the engine."""
    with report.check("hard-captures") as detail:
        engine = start([path, "hub"], {**OPTIONS, "hub-squares": "a1"})
        played = []
        for fen in CAPTURE_FENS:
            board = Library.new_board(fen)
            player = EnginePlayer(engine, Limit(depth=3))
            play_game(Library, board, player, player, 2)
            played.append(board.move_stack[0].hub_move)
        end(engine)
        detail.text = f"{len(played)} positions: {', '.join(played)}"


def check_ponder(report, path, rng):
    """Pondering in a game, with expected and unexpected moves."""
    with report.check("ponder") as detail:
        engine = start([path, "hub"], {**OPTIONS, "hub-squares": "a1"})
        player = EnginePlayer(engine, None, clock=(2.0, 0.05), ponder=True)
        play_game(Library, Library.new_board(), player, RandomPlayer(rng, player), 80)
        for wait in (0.0, 0.0, 0.05):
            board = Library.new_board()
            random_opening(Library, board, rng, 3)
            pondering = Pondering(engine, board, Limit(time=3.0, inc=0.1))
            time.sleep(wait)
            pondering.hit(2.0)
            legal = Library.moves(board)
            if pondering.error:
                blame(Library, engine, board, legal, pondering.error)
            judge(Library, engine, Limit(time=3.0), legal)
        end(engine)
        report.count(games=1, engine_moves=player.moves)
        if not player.hits or not player.misses:
            raise CheckFailed(f"{player.hits} hits, {player.misses} misses: nothing tried")
        detail.text = f"{player.moves} moves, {player.hits} hits, {player.misses} stops"


def check_pdn(report, path, boards):
    """The games as PDN: read and replayed by the library, then by the engine itself."""
    games = []
    with report.check("pdn-library") as detail:
        if not boards:
            raise CheckFailed("no game was played to its end")
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "games.pdn")
            for board in boards:
                PDNWriter(name, board, tags={"Event": "check"}, game_ending="*")
            games = PDNReader(filename=name).games
        if len(games) != len(boards):
            raise CheckFailed(f"{len(games)} games read, {len(boards)} written")
        for number, (game, board) in enumerate(zip(games, boards), 1):
            replay = Library.new_board(game.tags["FEN"])
            for text in game.moves:
                replay.push(Move(replay, pdn_move=text))
            if len(game.moves) != len(board.move_stack) or replay.fen != board.fen:
                raise CheckFailed(f"game {number} does not end as it was played")
        plies = sum(len(game.moves) for game in games)
        detail.text = f"{len(games)} games, {plies} plies"

    with report.check("pdn-engine") as detail:
        compared = 0
        with UciEngine(path) as engine:
            engine.handshake()
            for game, board in zip(games, boards):
                replay = Library.new_board(board.initial_fen)
                for ply in range(len(game.moves) + 1):
                    if ply % CHECKPOINT_PLIES == 0 or ply == len(game.moves):
                        position = f"position fen {board.initial_fen}"
                        if ply:
                            position += " moves " + " ".join(game.moves[:ply])
                        own = set(engine.legal_moves(position))
                        theirs = set(Library.moves(replay))
                        if own != theirs:
                            raise CheckFailed(
                                f"after `{position}` the legal moves differ: "
                                f"engine only {sorted(own - theirs)}, "
                                f"library only {sorted(theirs - own)}"
                            )
                        compared += 1
                    if ply < len(game.moves):
                        replay.push(board.move_stack[ply])
        if not compared:
            raise CheckFailed("no game to replay")
        detail.text = f"{len(games)} games, legal moves equal at {compared} places"

    with report.check("pdn-captures") as detail:
        spellings = []
        with UciEngine(path) as engine:
            engine.handshake()
            for fen in CAPTURE_FENS:
                board = Library.new_board(fen)
                for move in Library.moves(board).values():
                    text = Move(board, board_move=move.board_move).pdn_move
                    after = Library.new_board(fen).push(move)
                    if set(engine.legal_moves(f"position fen {fen} moves {text}")) != set(
                        Library.moves(after)
                    ):
                        raise CheckFailed(f"{text} in {fen} leads to another position")
                    spellings.append(text)
        detail.text = f"{len(spellings)} spellings, {max(spellings, key=len)} the longest"


def main():
    """Runs all checks of this file."""
    options = arguments(__doc__.splitlines()[0], games={"type": int, "default": 4})
    on_termination(kill_all)
    rng = random.Random(options.seed)
    report = Report(kill_all)
    report.note(f"pydraughts {version()}")
    boards = []
    boards += check_white_told(report, options.engine, rng, options.games)
    boards += check_black_auto(report, options.engine, rng, options.games)
    boards += check_self_play(report, options.engine, rng, options.games)
    check_captures(report, options.engine)
    check_ponder(report, options.engine, rng)
    check_pdn(report, options.engine, boards)
    kill_all()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
