"""A tournament of the engine with itself, run by the tournament class of pydraughts.

It starts two processes for every game, gives them clocks and never times them out, so what is
checked is that ten games come to their end without an exception and are written as PDN.
"""

import os
import random
import sys
import tempfile

import draughts.tournament
from draughts import Board, Move
from draughts.ballots import Ballots
from draughts.PDN import PDNReader

from common import CheckFailed, Report, Watchdog, arguments, on_termination
from pydraughts_client import WatchedHubEngine, kill_engines, version

# White moves first and cannot yet know how this version numbers its squares.
OPTIONS = {"variant": "russian", "hub-squares": "a1"}
SECONDS = 0.6
INCREMENT = 0.01
MAX_PLIES = 100
# A game cannot take longer unless an engine hangs or ignores its clock.
GAME_SECONDS = 2 * (SECONDS + MAX_PLIES * INCREMENT) + 20.0


# The tournament starts its engines itself; this way they can be killed when one is silent.
draughts.tournament.HubEngine = WatchedHubEngine


class WatchedRoundRobin(draughts.tournament.RoundRobin):
    """The tournament, with a list of its engines and a limit for the length of a game."""

    engines = ()

    def get_engine(self, *settings):
        engine = super().get_engine(*settings)
        self.engines += (engine,)
        return engine

    def play_game(self, *settings):
        with Watchdog(GAME_SECONDS, kill_engines, "playing a game of a tournament"):
            return super().play_game(*settings)


def replay(game):
    """The position at the end of a game read from PDN."""
    board = Board("russian", game.tags["FEN"])
    for text in game.moves:
        board.push(Move(board, pdn_move=text))
    return board


def check_tournament(report, path, rng, games):
    """Ten short games: some from the start, some from the library's table of openings."""
    ballots = Ballots("russian", basic_positions=True).positions
    # The reader of the library reads the first move twice in a game that Black begins.
    fens = sorted(fen for fen in ballots.values() if fen.startswith("W"))
    openings = ["startpos", *rng.sample(fens, max(0, games // 2 - 1))]
    with report.check("tournament") as detail, tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "tournament.pdn")
        played = white_wins = draws = 0
        engines = ()
        for fen in openings:
            tournament = WatchedRoundRobin(
                name,
                [([path, "hub"], "hub", dict(OPTIONS), None)] * 2,
                SECONDS,
                INCREMENT,
                "russian",
                games_per_pair=2,
                starting_fen=fen,
                max_moves=MAX_PLIES,
            )
            try:
                scores = tournament.play()
            except (IndexError, KeyError, ValueError) as error:
                traffic = " // ".join(engine.tail() for engine in tournament.engines[-2:])
                raise CheckFailed(f"{type(error).__name__} {error}; {traffic}") from error
            if sum(scores) != 4:
                raise CheckFailed(f"scores {scores} of two games do not add up to 4")
            for result, _ in (pair for rounds in tournament.complete_results for pair in rounds):
                played += 1
                white_wins += result[0]
                draws += result[1]
            engines += tournament.engines
        for engine in engines:
            if engine.errors:
                raise CheckFailed(f"answered {engine.errors[0]!r}; {engine.tail()}")
        records = PDNReader(filename=name).games
        if len(engines) != 2 * played or len(records) != played or played < games:
            raise CheckFailed(f"{played} of {games} games, {len(records)} of them in the PDN file")
        plies = 0
        for number, game in enumerate(records, 1):
            replay(game)
            plies += len(game.moves)
            if len(game.moves) != int(game.tags["PlyCount"]) or not game.moves:
                raise CheckFailed(
                    f"game {number}: {len(game.moves)} of {game.tags['PlyCount']} plies"
                )
        report.count(games=played, engine_moves=plies)
        detail.text = (
            f"{played} games, {plies} plies, White +{white_wins} ={draws} "
            f"-{played - white_wins - draws}"
        )


def main():
    """Runs all checks of this file."""
    options = arguments(__doc__.splitlines()[0], games={"type": int, "default": 10})
    on_termination(kill_engines)
    report = Report(kill_engines)
    report.note(f"pydraughts {version()}")
    check_tournament(report, options.engine, random.Random(options.seed), options.games)
    kill_engines()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
