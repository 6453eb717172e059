#!/usr/bin/env python3
"""Has the engine think about many positions and sums the answers up.

    python3 examples/run_batch.py [ENGINE] [FILE]

FILE has a position a line; without it a few are made up. The questions go to `shashki analyse` on
its standard input as JSON, the answers come back in the same order.
"""

import json
import subprocess
import sys

POSITIONS = [
    "W:W21-32:B1-12",
    "W:WKd8,Ke7,Ka5:BKf8",
    "W:WKa5,a3:Ba7,f4",
    "this is no position",
]


def main():
    """Asks and prints."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/shashki"
    positions = POSITIONS
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            positions = [line.strip() for line in file if line.strip() and line[0] != "#"]
    questions = "".join(
        json.dumps({"id": number, "fen": fen}) + "\n" for number, fen in enumerate(positions, 1)
    )
    done = subprocess.run(
        [path, "analyse", "--nodes", "20000"], input=questions, capture_output=True, text=True
    )
    if done.returncode == 2:
        sys.exit(done.stderr)
    wins = draws = failed = 0
    for answer in map(json.loads, done.stdout.splitlines()):
        if "error" in answer:
            failed += 1
            print(f"{answer['id']:4}  {answer['error']}")
            continue
        win, draw, _ = answer["odds"]
        wins += win > 500
        draws += draw > 500
        score = answer["proven"] or f"{answer['score_cp'] / 100:+.2f}"
        print(f"{answer['id']:4}  {answer['best'] or '-':10} {score:>6}  {' '.join(answer['pv'][:6])}")
    print(f"{len(positions)} positions: {wins} likely wins, {draws} likely draws, {failed} not understood")


if __name__ == "__main__":
    main()
