"""What the scripts of this folder share: the report format, time-outs, square names.

Every script prints lines which the driver (`tools/check-clients`) reads:

    PASS <check>: <detail>      a check that held
    FAIL <check>: <reason>      a check that did not
    NOTE <text>                 something worth knowing that is no verdict
    COUNT <what>=<number> ...   added up in the summary of the driver
    END                         the script has come to its end by itself

A script that stops without `END` counts as failed, so a crash is never mistaken for success.
"""

import argparse
import contextlib
import os
import signal
import sys
import threading
import time
import traceback

# The 32 dark squares in the order of the numbering 1 = b8 ... 32 = g1.
SQUARES = [
    column + str(row)
    for row in range(8, 0, -1)
    for column in ("bdfh" if row % 2 == 0 else "aceg")
]
NUMBER_FROM_B8 = {name: index + 1 for index, name in enumerate(SQUARES)}
START_FEN = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"


def square_from_b8(number):
    """The name of a square in the numbering 1 = b8 ... 32 = g1."""
    return SQUARES[number - 1]


def square_from_a1(number):
    """The name of a square in the numbering 1 = a1 ... 32 = h8 (the rows the other way up)."""
    row, column = divmod(number - 1, 4)
    return SQUARES[4 * (7 - row) + column]


def move_key(start, end, captured):
    """One text for what a move does: from, to and the set of captured squares.

    Two routes with the same key lead to the same position and are the same move.
    """
    return f"{start}>{end}({','.join(sorted(captured))})"


def hub_move_key(text, square_name):
    """The key of a Hub move such as `22-18` or `22x15x18` (from, to, then the captured squares)."""
    numbers = [int(part) for part in text.replace("-", "x").split("x")]
    if len(numbers) < 2 or not all(1 <= number <= 32 for number in numbers):
        raise CheckFailed(f"unreadable Hub move {text!r}")
    names = [square_name(number) for number in numbers]
    return move_key(names[0], names[1], names[2:])


def numeric_fen(fen):
    """An algebraic FEN rewritten with numbers 1 = b8 ... 32 = g1."""
    side, *lists = fen.split(":")
    parts = [side]
    for part in lists:
        items = [item for item in part[1:].split(",") if item]
        numbers = [
            "K" + str(NUMBER_FROM_B8[item[1:]]) if item[0] == "K" else str(NUMBER_FROM_B8[item])
            for item in items
        ]
        parts.append(part[0] + ",".join(numbers))
    return ":".join(parts)


def hub_position(fen):
    """An algebraic FEN rewritten as the 33 characters of a Hub position."""
    side, *lists = fen.split(":")
    board = ["e"] * 32
    for part in lists:
        man = part[0].lower()
        for item in filter(None, part[1:].split(",")):
            piece, name = (man.upper(), item[1:]) if item[0] == "K" else (man, item)
            board[NUMBER_FROM_B8[name] - 1] = piece
    return side + "".join(board)


def median(values):
    """The middle value; 0 for an empty list."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if ordered else 0.0


# Answers while searching (readyok, pong): the median must be below the first limit and none above
# the second, which leaves room for other programs on the machine.
MEDIAN_SECONDS = 0.05
WORST_SECONDS = 0.5
# After the end of its input, or `quit`, the engine must be gone within this time.
END_SECONDS = 1.0
# A line of nonsense this long must do no harm.
GARBAGE_BYTES = 1_000_000


class CheckFailed(Exception):
    """The thing under test did something wrong; the text is the one-line reason."""


def last_words(lines):
    """What a program that has ended said at last; a Rust panic begins with its reason."""
    lines = list(lines)
    for index, line in enumerate(lines):
        if "panicked at" in line:
            return " ".join(lines[index : index + 2])
    return " | ".join(lines[-4:])


def judge_latency(seconds):
    """The answering times in words; fails when they are beyond the limits above."""
    text = (
        f"{len(seconds)} answers, median {median(seconds) * 1000:.1f} ms, "
        f"slowest {max(seconds) * 1000:.1f} ms"
    )
    if median(seconds) >= MEDIAN_SECONDS or max(seconds) >= WORST_SECONDS:
        limits = f"{MEDIAN_SECONDS * 1000:g} ms and {WORST_SECONDS * 1000:g} ms"
        raise CheckFailed(f"{text}; the limits are {limits}")
    return text


class Detail:
    """What a running check wants to say when it has passed."""

    def __init__(self):
        self.text = ""


class Report:
    """Prints the verdicts of one script and remembers whether any of them was bad."""

    def __init__(self, clean_up=None):
        self.clean_up = clean_up
        self.failures = 0

    @contextlib.contextmanager
    def check(self, name):
        """Runs the body as one check: PASS if it ends normally, FAIL if anything is raised."""
        detail = Detail()
        started = time.monotonic()
        try:
            yield detail
        except CheckFailed as failure:
            self._fail(name, str(failure))
        except EOFError as error:
            self._fail(name, str(error) or "end of the engine's output")
        except Exception as error:  # whatever a client library raises is a failed check
            traceback.print_exc()
            self._fail(name, f"{type(error).__name__}: {error}")
        else:
            seconds = time.monotonic() - started
            separator = "; " if detail.text else ""
            self._print(f"PASS {name}: {detail.text}{separator}{seconds:.1f} s")

    def _fail(self, name, reason):
        self.failures += 1
        if self.clean_up:  # the engine of a failed check may still be busy
            self.clean_up()
        self._print(f"FAIL {name}: {' '.join(reason.split())[:600]}")

    def note(self, text):
        """Prints something worth knowing."""
        self._print("NOTE " + " ".join(text.split()))

    def count(self, **numbers):
        """Adds to the totals in the summary of the driver."""
        self._print("COUNT " + " ".join(f"{what}={number}" for what, number in numbers.items()))

    def finish(self):
        """Says that the script is complete; returns its exit status."""
        self._print("END")
        return 1 if self.failures else 0

    @staticmethod
    def _print(line):
        print(line, flush=True)


class Watchdog:
    """Kills the engine when a client library is still waiting for it after the given time.

    The client libraries wait without any time-out, so a silent engine would hang them for good.
    Killing the engine makes their read fail, and leaving the block then tells the true reason.
    """

    def __init__(self, seconds, kill, doing):
        self.seconds = seconds
        self.kill = kill
        self.doing = doing
        self.fired = False
        self._timer = threading.Timer(seconds, self._fire)
        self._timer.daemon = True

    def _fire(self):
        self.fired = True
        self.kill()

    def __enter__(self):
        self._timer.start()
        return self

    def __exit__(self, kind, error, trace):
        self._timer.cancel()
        if self.fired:
            message = f"no answer within {self.seconds:g} s while {self.doing}; engine killed"
            raise CheckFailed(message) from error
        return False


def on_termination(action):
    """Calls `action` before this process ends because somebody asked it to (SIGTERM, Ctrl-C)."""

    def handler(number, _frame):
        action()
        sys.stdout.flush()
        os._exit(128 + number)

    for name in ("SIGTERM", "SIGINT"):
        signal.signal(getattr(signal, name), handler)


def arguments(description, **extra):
    """The command line common to all scripts; `extra` maps option names to argparse settings."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--engine", required=True, help="path of the engine's program")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything random")
    for name, settings in extra.items():
        parser.add_argument("--" + name.replace("_", "-"), **settings)
    return parser.parse_args()
