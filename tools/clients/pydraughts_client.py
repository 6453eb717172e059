"""The Hub client of pydraughts (either version), watched.

Nothing of the library's behaviour is changed: the subclass only listens to the lines that pass,
so that a check can tell what the engine really said from what the library made of it.
"""

import collections
import contextlib
import importlib.metadata
import os
import re
import signal
import subprocess
import threading
import time
import warnings

from draughts.engine import HubEngine

from common import END_SECONDS, CheckFailed, Watchdog, hub_move_key, last_words

# pydraughts switches all warnings on and then leaves its own pipes open.
warnings.simplefilter("ignore", ResourceWarning)
warnings.simplefilter("ignore", DeprecationWarning)

# A single answer to the client: generous, only a silent engine gets there.
ANSWER_SECONDS = 10.0

_open_processes = []


def version():
    """The installed version of the library."""
    return importlib.metadata.version("pydraughts")


def kill_engines():
    """Kills every engine that a client of this process has started."""
    for process in _open_processes:
        if process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)


class ClientFault(Exception):
    """The library fails on a move that is legal and correctly spelt."""


class WatchedHubEngine(HubEngine):
    """HubEngine that remembers the traffic and can be killed before its constructor is done."""

    def __init__(self, command, **settings):
        self.traffic = collections.deque(maxlen=60)
        self.last_done = None
        self.errors = []
        super().__init__(command, **settings)

    def _open_process(self, *words, **settings):
        process = super()._open_process(*words, **settings)
        _open_processes.append(process)
        return process

    def send(self, line):
        self.traffic.append("> " + line)
        try:
            super().send(line)
        except OSError as error:
            raise EOFError(self._last_words()) from error

    def recv(self):
        try:
            line = super().recv()
        except EOFError as error:
            raise EOFError(self._last_words()) from error
        self.traffic.append("< " + line)
        if line.split(None, 1)[0] == "done":
            self.last_done = line
        elif line.split(None, 1)[0] == "error":
            self.errors.append(line)
        return line

    def _last_words(self):
        # The client reads the standard error together with the standard output.
        return f"the engine has ended; {last_words(self.traffic)}"

    def tail(self):
        """The last lines exchanged, for a message of failure."""
        shortened = (
            line if len(line) <= 100 else line[:50] + " ... " + line[-45:] for line in self.traffic
        )
        return " / ".join(list(shortened)[-6:])

    def answer(self):
        """The move and the ponder move of the last line `done move=M [ponder=P]`."""
        match = re.fullmatch(r"done move=([0-9x-]+)(?: ponder=([0-9x-]+))?", self.last_done or "")
        if not match:
            raise CheckFailed(f"malformed answer {self.last_done!r}; {self.tail()}")
        return match.group(1), match.group(2)


def start(command, options):
    """Starts an engine the way a user of the library does: configure, then init."""
    with Watchdog(ANSWER_SECONDS, kill_engines, "starting the engine"):
        engine = WatchedHubEngine(command)
        if "russian" not in engine.variants:
            raise CheckFailed(f"variants on offer: {sorted(engine.variants)}, not russian")
        engine.configure(options)
        engine.init()
    return engine


def end(engine):
    """`quit`, which must end the process quickly and with status 0."""
    started = time.monotonic()
    engine.quit()
    try:
        status = engine.p.wait(timeout=END_SECONDS)
    except subprocess.TimeoutExpired:
        kill_engines()
        raise CheckFailed(f"still running {END_SECONDS:g} s after quit") from None
    if status != 0:
        raise CheckFailed(f"status {status} instead of 0 after quit")
    if engine.errors:
        raise CheckFailed(f"answered {engine.errors[0]!r}; {engine.tail()}")
    return time.monotonic() - started


def require_legal(library, engine, legal):
    """Fails unless the move the engine itself wrote is one of the legal ones; returns its key."""
    text, _ = engine.answer()
    key = hub_move_key(text, library.square_name)
    if key not in legal:
        raise CheckFailed(f"illegal move {text} ({key}); {engine.tail()}")
    return key


def blame(library, engine, board, legal, error):
    """Decides who is to blame when the library could not digest an answer; always raises."""
    if isinstance(error, EOFError):
        raise CheckFailed(str(error)) from error
    key = require_legal(library, engine, legal)
    ponder = engine.answer()[1]
    if ponder:
        future = board.copy()
        library.push(future, legal[key])
        reply = hub_move_key(ponder, library.square_name)
        if reply not in library.moves(future):
            raise CheckFailed(f"illegal ponder move {ponder} ({reply}); {engine.tail()}")
    reason = f"{type(error).__name__} on the legal `{engine.last_done}`"
    if not library.has_faults:
        raise CheckFailed(f"the library raises {reason}; {engine.tail()}") from error
    raise ClientFault(reason) from error


def require_info(engine, limit):
    """Fails unless the search has told its depth and score, and has kept a depth limit.

    A missing score matters: the bot that plays on the site takes it for a win in one.
    """
    if "score" not in engine.info or "depth" not in engine.info:
        raise CheckFailed(f"no depth and score before the move; {engine.tail()}")
    pv = engine.info.get("pv", '""')
    if not (pv.startswith('"') and pv.endswith('"')):
        raise CheckFailed(f"pv is not in quotes: {pv}")
    if limit.depth is not None and engine.info["depth"] > limit.depth:
        raise CheckFailed(f"searched to depth {engine.info['depth']} of {limit.depth}")


def ask(library, engine, board, limit, legal):
    """One move through the library; returns its key and the library's result.

    An answer that never comes, an illegal one and a search without a score fail the check. A
    legal answer that the library cannot digest is the library's own fault, told by ClientFault.
    """
    engine.last_done = None
    try:
        with Watchdog(ANSWER_SECONDS, kill_engines, f"thinking; {engine.tail()}"):
            result = engine.play(board, limit, False)
    except (EOFError, IndexError, KeyError, ValueError) as error:
        blame(library, engine, board, legal, error)
    return judge(library, engine, limit, legal), result


def judge(library, engine, limit, legal):
    """Examines the answer the engine has given; returns the key of its move."""
    key = require_legal(library, engine, legal)
    require_info(engine, limit)
    return key


class Clock:
    """The time of one side in a game with clocks."""

    # The measured time includes the library's own work on the move, some 10 to 50 ms, and
    # whatever else the machine does; only a clear overdraft is held against the engine.
    TOLERANCE = 0.25

    def __init__(self, seconds, increment):
        self.left = seconds
        self.increment = increment

    def spend(self, seconds):
        """Takes the time of one move off the clock."""
        self.left -= seconds
        if self.left < -self.TOLERANCE:
            raise CheckFailed(f"lost on time by {-self.left:.2f} s")
        self.left = max(self.left, 0.0) + self.increment


class Pondering:
    """A search on the opponent's time, run in a thread as the bot for the site runs it."""

    def __init__(self, engine, board, limit):
        self.engine = engine
        self.result = None
        self.error = None
        engine.last_done = None
        engine._last_sent = ""  # so that the wait below is for this `go ponder`, not an old one
        self._thread = threading.Thread(target=self._run, args=(board, limit), daemon=True)
        self._thread.start()
        # `ponderhit` of the library spins until `go ponder` has been sent: wait for it in peace.
        deadline = time.monotonic() + ANSWER_SECONDS
        while engine._last_sent != "go ponder" and self._thread.is_alive():
            if time.monotonic() > deadline:
                raise CheckFailed("the client never sent `go ponder`")
            time.sleep(0.002)

    def _run(self, board, limit):
        try:
            self.result = self.engine.play(board, limit, True)
        except Exception as error:  # kept for the main thread
            self.error = error

    def _join(self, seconds, doing):
        started = time.monotonic()
        with Watchdog(seconds, kill_engines, f"{doing}; {self.engine.tail()}"):
            self._thread.join(seconds + 5)
        return time.monotonic() - started

    def hit(self, seconds):
        """The opponent has played the expected move: `ponder-hit`, then the answer is due."""
        if self.engine.last_done is None:
            self.engine.ponderhit()
        return self._join(seconds, "waiting for the move after ponder-hit")

    def stop(self, seconds):
        """The opponent has played something else: `stop`, and the answer is thrown away."""
        self.engine.stop()
        return self._join(seconds, "waiting for done after stop")


class RandomPlayer:
    """Plays any legal move; often the one the engine is pondering on, if there is such a one."""

    def __init__(self, rng, opponent=None):
        self.rng = rng
        self.opponent = opponent

    def choose(self, _library, _board, legal):
        """A move out of the dictionary of legal moves."""
        expected = getattr(self.opponent, "expected", None)
        if expected in legal and self.rng.random() < 0.5:
            return expected
        return self.rng.choice(sorted(legal))

    def new_game(self):
        """Nothing to forget."""


class EnginePlayer:
    """Plays with an engine through the library and examines every answer."""

    def __init__(self, engine, limit, clock=None, ponder=False):
        self.engine = engine
        self.fixed_limit = limit
        self.clock_settings = clock
        self.clock = Clock(*clock) if clock else None
        self.ponder = ponder
        self.pondering = None
        self.expected = None
        self.moves = 0
        self.hits = 0
        self.misses = 0
        self.seconds = []

    def new_game(self):
        """A fresh clock, and no search left over from the former game."""
        self.abandon_pondering()
        self.clock = Clock(*self.clock_settings) if self.clock_settings else None

    def abandon_pondering(self):
        """Stops a search on the opponent's time whose move never came."""
        if self.pondering:
            self.pondering.stop(ANSWER_SECONDS)
        self.pondering = self.expected = None

    def _limit(self, library):
        if self.clock:
            return library.limit(time=self.clock.left, inc=self.clock.increment)
        return self.fixed_limit

    def choose(self, library, board, legal):
        """The engine's move, proven to be legal."""
        limit = self._limit(library)
        started = time.monotonic()
        if self.pondering and self.expected == library.last_key(board):
            self.hits += 1
            pondering, self.pondering = self.pondering, None
            pondering.hit(ANSWER_SECONDS)
            if pondering.error:
                blame(library, self.engine, board, legal, pondering.error)
            key, result = judge(library, self.engine, limit, legal), pondering.result
        else:
            self.misses += self.pondering is not None
            self.abandon_pondering()
            key, result = ask(library, self.engine, board, limit, legal)
        seconds = time.monotonic() - started
        self.moves += 1
        self.seconds.append(seconds)
        if self.clock:
            self.clock.spend(seconds)
        self.expected = None
        if self.ponder and result.ponder:
            self._start_pondering(library, board, legal[key])
        return key

    def _start_pondering(self, library, board, move):
        future = board.copy()
        library.push(future, move)
        replies = library.moves(future)
        expected = hub_move_key(self.engine.answer()[1], library.square_name)
        if expected not in replies:
            raise CheckFailed(f"illegal ponder move {expected}; {self.engine.tail()}")
        library.push(future, replies[expected])
        if library.is_over(future):
            return
        self.pondering = Pondering(self.engine, future, self._limit(library))
        self.expected = expected


def play_game(library, board, white, black, max_plies):
    """Plays from `board` to the end of the game or the given length; returns the plies played."""
    for player in (white, black):
        player.new_game()
    plies = 0
    while plies < max_plies and not library.is_over(board):
        legal = library.moves(board)
        if not legal:
            break
        player = white if library.white_to_move(board) else black
        key = player.choose(library, board, legal)
        library.push(board, legal[key])
        plies += 1
    for player in (white, black):
        player.new_game()
    return plies


def random_opening(library, board, rng, plies):
    """Makes the given number of random legal moves."""
    for _ in range(plies):
        legal = library.moves(board)
        if not legal or library.is_over(board):
            return
        library.push(board, legal[rng.choice(sorted(legal))])
