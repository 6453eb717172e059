"""Games that the engine has annotated, as the scripts that read them need them."""

import os
import subprocess
from pathlib import Path

from common import CheckFailed

SAMPLE = Path(__file__).resolve().parents[2] / "positions" / "pdn" / "generated_2000_random.pdn"
GAMES = 8


def run(*command):
    """Standard output of a command that must end well."""
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    if done.returncode:
        raise CheckFailed(f"{' '.join(command[1:3])}: {done.stderr.decode()[-300:]}")
    return done.stdout.decode()


def annotated_games(engine, folder):
    """Pairs of texts of a game: as it was, and with marks, comments and variations."""
    run(engine, "pdn", "split", str(SAMPLE), "--dir", folder, "--games", str(GAMES))
    first = os.path.join(folder, "000001.pdn")
    plain = os.path.join(folder, "plain.pdn")
    # pydraughts reads captures with a cross only.
    run(engine, "pdn", "convert", "--cross", first, "--out", plain)
    marked = run(engine, "annotate", "--nodes", "3000", plain)
    with open(plain, encoding="utf-8") as file:
        pairs = list(zip(games(file.read()), games(marked)))
    if len(pairs) != GAMES:
        raise CheckFailed(f"{len(pairs)} games instead of {GAMES}")
    if not all("[%eval" in text and "$" in text and "(" in text for _, text in pairs):
        raise CheckFailed("a game without scores, marks or variations")
    return pairs


def games(text):
    """The texts of the games of a file."""
    return ["[Event " + game for game in ("\n" + text).split("\n[Event ")[1:]]
