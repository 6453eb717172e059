"""The engine's UCI conversation under pressure: stop, isready, end of input, garbage."""

import random
import subprocess
import sys
import time

from common import END_SECONDS, GARBAGE_BYTES, START_FEN
from common import CheckFailed, Report, arguments, judge_latency, median, on_termination
from engine_process import UciEngine, kill_engines

POSITIONS = [
    "position startpos",
    f"position fen {START_FEN} moves c3-d4 b6-a5 d4-c5 d6:b4 a3:c5",
    "position fen W:We3,g3,h4,a5,b2,h2,a3,Kf8:Bc5,e5,g5,g7,h8",
    "position fen W:Wc3,g3:Bd4",  # a forced move
    "position fen W:WKd8,Ke7,Ka5:BKf8",  # a long win
    "position fen W:WKb8:BKc1",  # one king each
    "position fen B:Wf2,Kb8:Bh4,a7,Kc1",
    "position fen W:Wh6:Bf8,g7",  # no move: the side to move has lost
]
# Each is sent as one line; none may stop the engine from answering.
NONSENSE = [
    b"",
    b"   \t  ",
    b"position",
    b"position fen",
    b"position fen blah",
    b"position fen W:W",
    b"position fen W:W" + b"K1," * 3000 + b":B",
    b"position fen W:Wa2:Bh8",
    b"position startpos moves",
    b"position startpos moves a1-a1",
    b"setoption",
    b"setoption name Nothing value 5",
    b"setoption name Hash value abc",
    b"setoption name Hash value -1",
    b"stop",
    b"ponderhit",
    b"xyzzy 0 0 0",
    bytes(range(0x80, 0x100)) * 20,
    b"\x00\x01\x02",
]


def is_bestmove(line):
    """Whether a line ends a search."""
    return line.split(" ", 1)[0] == "bestmove"


def has_score(line):
    """Whether a line tells a score."""
    words = line.split()
    return words[:1] == ["info"] and "score" in words


def require_answer(lines, legal, position):
    """One scored line at least, then one `bestmove`, of the position sent last."""
    answers = [line for line in lines if is_bestmove(line)]
    if len(answers) != 1:
        raise CheckFailed(f"{len(answers)} answers in {position!r}: {answers}")
    if not any(map(has_score, lines)):
        raise CheckFailed(f"no score before {answers[0]!r} in {position!r}")
    words = answers[0].split()
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "ponder"):
        raise CheckFailed(f"malformed {answers[0]!r}")
    expected = set(legal.values()) or {"(none)"}
    if words[1] not in expected:
        raise CheckFailed(f"{answers[0]!r} in {position!r}, legal: {sorted(expected)[:20]}")


def require_silence(engine, seconds, doing):
    """No `bestmove` within the given time; returns the other lines."""
    lines = engine.waiting_lines(seconds)
    answers = [line for line in lines if is_bestmove(line)]
    if answers:
        raise CheckFailed(f"{answers[0]!r} {doing}")
    return lines


def check_handshake(report, path):
    """Nothing before `uci`, then a complete answer within a second."""
    with report.check("handshake") as detail, UciEngine(path) as engine:
        early = engine.waiting_lines(0.3)
        if early:
            raise CheckFailed(f"said {early[0]!r} before it was asked")
        started = time.monotonic()
        engine.send("uci")
        lines, moment = engine.read_until(lambda line: line == "uciok", 5.0, "waiting for uciok")
        if moment - started > 1.0:
            raise CheckFailed(f"uciok after {moment - started:.2f} s")
        words = [line.split() for line in lines[:-1]]
        for kind in ("name", "author"):
            if not any(line[:2] == ["id", kind] and len(line) > 2 for line in words):
                raise CheckFailed(f"no `id {kind}`")
        options = [line for line in words if line[:2] == ["option", "name"]]
        if not options or not all("type" in line for line in options):
            raise CheckFailed("no option, or one without a type")
        engine.ready()
        detail.text = f"{len(options)} options, uciok after {(moment - started) * 1000:.0f} ms"


def check_stop(report, path, rng, cycles):
    """Every `go infinite` ends with exactly one `bestmove`, after `stop` and never before."""
    with report.check("stop") as detail, UciEngine(path) as engine:
        engine.handshake()
        legal = {position: engine.legal_moves(position) for position in POSITIONS}
        delays = []
        for number in range(1, cycles + 1):
            position = rng.choice(POSITIONS)
            require_silence(engine, 0.0, f"left over before search {number}")
            engine.send(position)
            engine.send("go infinite")
            time.sleep(rng.uniform(0.0, 0.02))
            lines = require_silence(engine, 0.0, f"before stop, search {number}, {position!r}")
            stopped = time.monotonic()
            engine.send("stop")
            rest, moment = engine.read_until(is_bestmove, 5.0, f"stopping search {number}")
            delays.append(moment - stopped)
            require_answer(lines + rest, legal[position], position)
        require_silence(engine, 0.3, "after the last search had been answered")
        engine.ready()
        if median(delays) > 0.1:
            raise CheckFailed(f"bestmove {median(delays):.3f} s after stop (median)")
        report.count(searches=cycles)
        detail.text = (
            f"{cycles} searches, bestmove {median(delays) * 1000:.1f} ms after stop (median), "
            f"slowest {max(delays) * 1000:.0f} ms"
        )


def check_burst(report, path, rng, cycles):
    """`stop` in the same breath as `go`, and searches so short that they end in no time."""
    with report.check("burst") as detail, UciEngine(path) as engine:
        engine.handshake()
        legal = {position: engine.legal_moves(position) for position in POSITIONS}
        for number in range(1, cycles + 1):
            position = rng.choice(POSITIONS)
            go = rng.choice(["go infinite\nstop", "go nodes 1", "go depth 1", "go movetime 1"])
            engine.send(f"{position}\n{go}")
            doing = f"in search {number}, {go!r}, {position!r}"
            lines, _ = engine.read_until(is_bestmove, 5.0, doing)
            require_answer(lines, legal[position], position)
        require_silence(engine, 0.3, "after the last search had been answered")
        report.count(searches=cycles)
        detail.text = f"{cycles} searches"


def check_isready(report, path):
    """`isready` during a search is answered at once and does not end the search."""
    with report.check("isready-while-searching") as detail, UciEngine(path) as engine:
        engine.handshake()
        engine.send("position startpos")
        engine.send("go infinite")
        times = []
        for _ in range(100):
            started = time.monotonic()
            engine.send("isready")
            lines, moment = engine.read_until(
                lambda line: line == "readyok" or is_bestmove(line), 5.0, "waiting for readyok"
            )
            if is_bestmove(lines[-1]):
                raise CheckFailed("isready ended the search")
            times.append(moment - started)
            time.sleep(0.005)
        engine.send("stop")
        engine.read_until(is_bestmove, 5.0, "stopping")
        detail.text = judge_latency(times)


def check_ponder(report, path):
    """A search on the opponent's time is silent until `ponderhit`, then keeps to its limit."""
    with report.check("ponder") as detail, UciEngine(path) as engine:
        engine.handshake()
        legal = engine.legal_moves("position startpos")
        waits = []
        for go, wait in (
            ("go ponder movetime 200", 0.5),
            ("go ponder depth 1", 0.3),
            ("go ponder wtime 3000 btime 3000 winc 50 binc 50", 0.3),
            ("go ponder movetime 100", 0.0),
        ):
            engine.send("position startpos")
            engine.send(go)
            lines = require_silence(engine, wait, f"before ponderhit: {go!r}")
            hit = time.monotonic()
            engine.send("ponderhit")
            rest, moment = engine.read_until(is_bestmove, 2.0, f"waiting after ponderhit: {go!r}")
            waits.append(moment - hit)
            require_answer(lines + rest, legal, "position startpos")
        detail.text = f"{len(waits)} searches, answers up to {max(waits):.2f} s after ponderhit"


def check_end_of_input(report, path):
    """The end of the input ends the process: no orphan may go on searching."""
    cases = {
        "at-start": "",
        "idle": "uci\nisready\nposition startpos\n",
        "infinite": "position startpos\ngo infinite\n",
        "unlimited": "position startpos\ngo\n",
        "pondering": "position startpos\ngo ponder wtime 60000 btime 60000\n",
        "no-moves": f"{POSITIONS[-1]}\ngo infinite\n",
    }
    for name, text in cases.items():
        with report.check(f"end-of-input-{name}") as detail, UciEngine(path) as engine:
            engine.send_bytes(text.encode(), "starting")
            time.sleep(0.2 if text else 0.0)
            engine.close_stdin()
            took, _ = engine.expect_end(END_SECONDS, "the end of its input")
            detail.text = f"gone after {took * 1000:.0f} ms, status 0"


def check_quit(report, path):
    """`quit` ends the process at once, whatever it is doing."""
    cases = {
        "first": "quit\n",
        "mid-search": "position startpos\ngo wtime 600000 btime 600000\n\nquit\n",
        "infinite": "position startpos\ngo infinite\n\nquit\n",
        "after-resize": "setoption name Hash value 64\n\nquit\n",
    }
    with report.check("quit") as detail:
        times = []
        for name, text in cases.items():
            with UciEngine(path) as engine:
                for part in text.splitlines(keepends=True):
                    if part == "\n":
                        time.sleep(0.2)
                    else:
                        engine.send_bytes(part.encode(), f"quitting ({name})")
                times.append(engine.expect_end(END_SECONDS, f"quit ({name})")[0])
        detail.text = f"{', '.join(cases)}; up to {max(times) * 1000:.0f} ms"


def check_piped(report, path):
    """Commands from a pipe: a limited search is finished although the input has ended."""
    cases = {
        "depth": b"position startpos\ngo depth 8\n",
        "movetime": b"position startpos\ngo movetime 200\n",
        "nodes": b"position startpos\ngo nodes 2000\n",
        "carriage-returns": b"uci\r\n\r\nposition  startpos\r\n\tgo  depth 8\r\n",
        "no-line-end": b"position startpos\ngo depth 8",
    }
    for name, text in cases.items():
        with report.check(f"piped-{name}") as detail:
            with UciEngine(path) as engine:
                legal = engine.legal_moves("position startpos")
            try:
                run = subprocess.run(
                    [path], input=text, capture_output=True, timeout=20, check=False
                )
            except subprocess.TimeoutExpired:
                raise CheckFailed("still running after 20 s") from None
            if run.returncode != 0:
                raise CheckFailed(f"status {run.returncode} {run.stderr[-300:]!r}")
            lines = run.stdout.decode("utf-8", "replace").splitlines()
            require_answer(lines, legal, "position startpos")
            reached = [line for line in lines if line.startswith("info depth 8 ")]
            if b"depth" in text and not reached:
                raise CheckFailed("depth 8 was asked for but never reported")
            detail.text = next(line for line in lines if is_bestmove(line))


def check_garbage(report, path):
    """Nonsense of any kind and length: the engine stays, and answers the next sensible line."""
    tokens = (b"xyz # 00 " * (GARBAGE_BYTES // 9 + 1))[:GARBAGE_BYTES]
    with report.check("garbage-1-MB") as detail, UciEngine(path) as engine:
        engine.handshake()
        legal = engine.legal_moves("position startpos")
        for line in (b"x" * GARBAGE_BYTES, tokens):
            engine.send_bytes(line + b"\n", "reading a line of 1 MB")
            engine.ready()
        engine.send("position startpos")
        engine.send("go infinite")
        engine.send_bytes(tokens + b"\n", "reading a line of 1 MB while searching")
        lines = engine.ready()
        if any(map(is_bestmove, lines)):
            raise CheckFailed("the garbage ended the search")
        engine.send("stop")
        rest, _ = engine.read_until(is_bestmove, 5.0, "stopping")
        require_answer(lines + rest, legal, "position startpos")
        detail.text = "idle and searching, then readyok and a legal move"

    with report.check("nonsense") as detail, UciEngine(path) as engine:
        engine.handshake()
        legal = engine.legal_moves("position startpos")
        for line in NONSENSE:
            engine.send_bytes(line + b"\n", f"reading {line[:40]!r}")
            lines = engine.ready()
            if any(map(is_bestmove, lines)):
                raise CheckFailed(f"{line[:40]!r} was answered by a bestmove")
        engine.send("position startpos\ngo depth 4")
        lines, _ = engine.read_until(is_bestmove, 5.0, "thinking after nonsense")
        require_answer(lines, legal, "position startpos")
        # A position that was refused must not leave the one before it to be searched.
        for bad in ("position fen blah", "position startpos moves c3-d4 b6-c5 g3-f4"):
            engine.send(f"{bad}\ngo depth 4")
            lines, _ = engine.read_until(is_bestmove, 5.0, f"go after {bad!r}")
            require_answer(lines, {}, bad)
        detail.text = f"{len(NONSENSE)} lines, then a legal move; no move for refused positions"


def main():
    """Runs all checks of this file."""
    options = arguments(__doc__, cycles={"type": int, "default": 1000})
    rng = random.Random(options.seed)
    on_termination(kill_engines)
    report = Report()
    check_handshake(report, options.engine)
    check_stop(report, options.engine, rng, options.cycles)
    check_burst(report, options.engine, rng, options.cycles)
    check_isready(report, options.engine)
    check_ponder(report, options.engine)
    check_end_of_input(report, options.engine)
    check_quit(report, options.engine)
    check_piped(report, options.engine)
    check_garbage(report, options.engine)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
