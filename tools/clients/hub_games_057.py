"""Whole games through pydraughts 0.5.7, the library inside the bot for lidraughts.org.

This version numbers squares 1 = b8 ... 32 = g1 everywhere. It has two faults of its own which
must not be charged to the engine, nor serve as an excuse for it:

* it lets a capturing king stop where it has to go on, so its list of legal moves is filtered here;
* it raises IndexError on some legal captures that share both end squares with another move.

Whenever the library fails on an answer, the line the engine wrote is judged by itself: a wrong
move fails the check; a right one gives the game up, and only few games may be given up.
"""

import random
import sys
import time

import draughts
from draughts.engine import Limit

from common import CheckFailed, Report, Watchdog, arguments, hub_move_key, move_key
from common import numeric_fen, on_termination, square_from_b8
from pydraughts_client import ClientFault, EnginePlayer, Pondering, RandomPlayer, ask, blame
from pydraughts_client import end, judge, kill_engines, play_game, random_opening, require_legal
from pydraughts_client import start, version

OPTIONS = {"variant": "russian", "initial-time": 60.0, "bb-size": 0}
# The bot passes command-line words of its own and parameters an engine may not know.
BOT_WORDS = ["--ponder=true", "--some-option=5"]
BOT_OPTIONS = {"book-ply": 20, "tt-size": 18, "bb-size": 0, "variant": "russian",
               "initial-time": 60.0, "an-unknown-parameter": "yes"}
MAX_PLIES = 120
# h4:f6:d4:b6, f8:b4 (one piece) and f8:h6:f4:d6:b4 (four): the last two have the same ends.
AMBIGUOUS_FEN = "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8"


class Library:
    """The few things the game loop needs to know about this version."""

    has_faults = True
    square_name = staticmethod(square_from_b8)
    limit = Limit

    @staticmethod
    def new_board(fen=None):
        """A board with the start position or an algebraic FEN (0.5.7 reads only numbers right)."""
        return draughts.Game("russian", numeric_fen(fen) if fen else "startpos")

    @staticmethod
    def moves(board):
        """Key -> move in the library's own form, without the captures that must go on."""
        routes, captures = board.legal_moves()
        listed = [
            (route, [square for square in capture if square is not None])
            for route, capture in zip(routes, captures)
        ]
        legal = {}
        for route, captured in listed:
            unfinished = any(
                other[0][0] == route[0][0]
                and len(more) > len(captured)
                and more[: len(captured)] == captured
                for other, more in listed
            )
            if not unfinished:
                names = [square_from_b8(square) for square in captured]
                key = move_key(square_from_b8(route[0][0]), square_from_b8(route[-1][1]), names)
                legal[key] = route
        return legal

    @staticmethod
    def push(board, route):
        """Makes a move."""
        board.push(route)

    @staticmethod
    def is_over(board):
        """Whether the library calls the game finished."""
        return board.is_over()

    @staticmethod
    def white_to_move(board):
        """Whose turn it is."""
        return board.whose_turn() == draughts.WHITE

    @staticmethod
    def last_key(board):
        """The key of the move made last."""
        return hub_move_key(board.move_stack[-1].hub_move, square_from_b8)


def check_command_line(report, path):
    """The bot's way to start an engine: unknown words and parameters are to be passed over."""
    with report.check("bot-command-line") as detail:
        engine = start([path, "hub", *BOT_WORDS], BOT_OPTIONS)
        board = Library.new_board()
        ask(Library, engine, board, Limit(movetime=0.1), Library.moves(board))
        detail.text = f"quit took {end(engine):.2f} s"


def check_limits(report, path, rng):
    """Every kind of limit the library can send, also a clock that has run out."""
    with report.check("limits") as detail:
        engine = start([path, "hub"], OPTIONS)
        cases = [
            ("time+inc", Limit(time=4.0, inc=0.1), 3.0),
            ("time", Limit(time=4.0), 3.0),
            ("negative time", Limit(time=0.05, inc=0.1), 1.0),
            ("movetime", Limit(movetime=0.2), 0.7),
            ("depth", Limit(depth=6), 8.0),
            ("nodes", Limit(nodes=5000), 8.0),
        ]
        for name, limit, seconds in cases:
            board = Library.new_board()
            random_opening(Library, board, rng, 8)
            legal = Library.moves(board)
            started = time.monotonic()
            ask(Library, engine, board, limit, legal)
            took = time.monotonic() - started
            if took > seconds:
                raise CheckFailed(f"{name}: {took:.2f} s, more than {seconds:g} s")
        end(engine)
        detail.text = ", ".join(name for name, _, _ in cases)


def check_games(report, path, rng, games):
    """Whole games move by move: the engine with itself and with a random player."""
    with report.check("games") as detail:
        first, second = (start([path, "hub"], OPTIONS) for _ in range(2))
        players = {
            "movetime": lambda engine: EnginePlayer(engine, Limit(movetime=0.015)),
            "clock": lambda engine: EnginePlayer(engine, None, clock=(1.5, 0.02)),
            "depth": lambda engine: EnginePlayer(engine, Limit(depth=4)),
        }
        moves = finished = 0
        slowest = []
        given_up = []
        for number in range(games):
            kind = list(players)[number % 3]
            white, black = players[kind](first), players[kind](second)
            sides = [white, black]
            if number % 2:  # a random player leads to many captures and many kings
                sides[number // 2 % 2] = RandomPlayer(rng)
            board = Library.new_board()
            random_opening(Library, board, rng, rng.randrange(0, 5))
            try:
                play_game(Library, board, *sides, MAX_PLIES)
                finished += 1
            except ClientFault as fault:
                given_up.append(str(fault))
            for player in (white, black):
                moves += player.moves
                if kind == "movetime":
                    slowest += player.seconds
        for engine in (first, second):
            end(engine)
        for fault in given_up:
            report.note(f"game given up, pydraughts 0.5.7 fails by itself: {fault}")
        report.count(games=finished, engine_moves=moves, client_faults=len(given_up))
        if len(given_up) > 1 + games // 6:
            raise CheckFailed(f"{len(given_up)} of {games} games given up: too many to judge")
        if max(slowest, default=0.0) > 1.0:
            raise CheckFailed(f"{max(slowest):.2f} s for a move of 0.015 s")
        detail.text = (
            f"{finished} games, {moves} moves, {len(given_up)} given up for faults of the library; "
            f"15 ms moves took up to {max(slowest, default=0.0) * 1000:.0f} ms"
        )


def check_ambiguous_capture(report, path):
    """Three captures, two of them with the same ends: the whole move must be spelt out."""
    with report.check("ambiguous-capture") as detail:
        engine = start([path, "hub"], OPTIONS)
        board = Library.new_board(AMBIGUOUS_FEN)
        legal = Library.moves(board)
        if len(legal) != 3:
            raise CheckFailed(f"{len(legal)} legal moves instead of 3: the position was misread")
        outcome = "the library could read it"
        try:
            ask(Library, engine, board, Limit(depth=4), legal)
        except ClientFault as fault:
            outcome = f"{fault}, a known fault of 0.5.7"
        end(engine)
        detail.text = f"{engine.answer()[0]}; {outcome}"


def check_ponder(report, path, rng):
    """Thinking on the opponent's time, as the bot does it: from a thread, then hit or stop."""
    with report.check("ponder-hit") as detail:
        engine = start([path, "hub"], OPTIONS)
        times = []
        for number in range(6):
            board = Library.new_board()
            random_opening(Library, board, rng, 2 * number)
            limit = Limit(movetime=0.1) if number % 2 else Limit(time=3.0, inc=0.1)
            pondering = Pondering(engine, board, limit)
            time.sleep(0.15 * (number % 3))  # a hit may come at once
            times.append(pondering.hit(2.0))
            legal = Library.moves(board)
            if pondering.error:
                blame(Library, engine, board, legal, pondering.error)
            judge(Library, engine, limit, legal)
        end(engine)
        detail.text = f"{len(times)} hits, answers up to {max(times):.2f} s later"

    with report.check("ponder-stop") as detail:
        engine = start([path, "hub"], OPTIONS)
        times = []
        for number in range(20):
            board = Library.new_board()
            random_opening(Library, board, rng, number % 7)
            pondering = Pondering(engine, board, Limit(time=60.0, inc=1.0))
            time.sleep(rng.choice((0.0, 0.0, 0.02, 0.1)))
            times.append(pondering.stop(2.0))
            require_legal(Library, engine, Library.moves(board))
            # The thrown-away answer must not be taken for that of the next search.
            board = Library.new_board()
            random_opening(Library, board, rng, 5)
            ask(Library, engine, board, Limit(movetime=0.02), Library.moves(board))
        end(engine)
        detail.text = f"{len(times)} stops, answers up to {max(times):.2f} s later"

    with report.check("ponder-games") as detail:
        engine = start([path, "hub"], OPTIONS)
        hits = misses = moves = games = 0
        for engine_is_white in (True, False):
            player = EnginePlayer(engine, None, clock=(2.0, 0.05), ponder=True)
            opponent = RandomPlayer(rng, player)
            sides = (player, opponent) if engine_is_white else (opponent, player)
            try:
                play_game(Library, Library.new_board(), *sides, 100)
            except ClientFault as fault:
                report.note(f"ponder game given up, pydraughts 0.5.7 fails by itself: {fault}")
                report.count(client_faults=1)
                player.new_game()
            games += 1
            hits += player.hits
            misses += player.misses
            moves += player.moves
        end(engine)
        report.count(games=games, engine_moves=moves)
        if not hits or not misses:
            raise CheckFailed(f"{hits} hits and {misses} misses: no ponder moves to try")
        detail.text = f"{games} games, {moves} moves, {hits} hits, {misses} stops, no loss on time"


def check_ping(report, path):
    """`ping` must be answered before, between and after searches; `quit` must end the process."""
    with report.check("ping-quit") as detail:
        engine = start([path, "hub"], OPTIONS)
        board = Library.new_board()
        with Watchdog(5.0, kill_engines, "waiting for pong"):
            for _ in range(50):
                engine.ping()
            ask(Library, engine, board, Limit(depth=3), Library.moves(board))
            engine.ping()
        detail.text = f"51 pings, quit took {end(engine):.2f} s"


def main():
    """Runs all checks of this file."""
    options = arguments(__doc__.splitlines()[0], games={"type": int, "default": 12})
    on_termination(kill_engines)
    rng = random.Random(options.seed)
    report = Report(kill_engines)
    report.note(f"pydraughts {version()}")
    check_command_line(report, options.engine)
    check_limits(report, options.engine, rng)
    check_games(report, options.engine, rng, options.games)
    check_ambiguous_capture(report, options.engine)
    check_ponder(report, options.engine, rng)
    check_ping(report, options.engine)
    kill_engines()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
