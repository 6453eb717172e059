#!/usr/bin/env python3
"""Talks to the engine in its UCI-style protocol: a short game of the engine against itself.

    python3 examples/uci_talk.py [ENGINE] [PLIES]
"""

import subprocess
import sys


class Engine:
    """A running engine."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.wait_for("uciok")

    def say(self, line):
        """Sends a line."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, word):
        """The lines up to the first that begins with a word."""
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines
        raise RuntimeError(f"the engine ended before it said {word}")

    def best_move(self, moves, milliseconds):
        """The best move behind some moves from the start, and its score as the engine writes it."""
        self.say("position startpos moves " + " ".join(moves))
        self.say(f"go movetime {milliseconds}")
        *infos, last = self.wait_for("bestmove")
        scored = [line.split() for line in infos if " score " in line]
        words = scored[-1] if scored else []
        at = words.index("score") if words else 0
        return last.split()[1], " ".join(words[at + 1 : at + 3])

    def quit(self):
        """Ends it."""
        self.say("quit")
        return self.process.wait(timeout=10)


def main():
    """Plays."""
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/shashki"
    plies = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    engine = Engine(path)
    moves = []
    for ply in range(plies):
        move, score = engine.best_move(moves, 50)
        if move == "(none)":
            break
        moves.append(move)
        number = f"{ply // 2 + 1}." if ply % 2 == 0 else "   "
        print(f"{number:4} {move:10} {score}")
    engine.quit()


if __name__ == "__main__":
    main()
