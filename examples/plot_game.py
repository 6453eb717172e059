#!/usr/bin/env python3
"""Draws the course of a game: White's expected result after each move, as SVG.

    python3 examples/plot_game.py [ENGINE] [GAME.pdn] [OUT.svg]
"""

import html
import json
import subprocess
import sys

GAME = "1. c3-d4 d6-c5 2. e3-f4 c5xg5 3. g3-h4 *"
WIDTH, HEIGHT, EDGE = 720, 260, 30
COLORS = {"??": "#c33a2c", "?": "#dd7a22", "?!": "#c9971c", "!": "#3d8b4a"}


def judged(path, game):
    """What `shashki annotate` says of the first game."""
    command = [path, "annotate", "--format", "json", "--nodes", "50000"]
    if game:
        command.append(game)
    done = subprocess.run(
        command, input=None if game else GAME, capture_output=True, text=True, encoding="utf-8"
    )
    if not done.stdout:
        sys.exit(done.stderr)
    report = json.loads(done.stdout.splitlines()[0])
    if report["error"]:
        print(f"only in part: {report['error']}", file=sys.stderr)
    return report


def points(move):
    """White's expected result after a move, from 0 to 1."""
    win, draw, _ = move["after"]["odds"]
    mover = (win + draw / 2) / 1000
    return mover if move["side"] == "white" else 1 - mover


def picture(report):
    """The SVG."""
    moves = report["moves"]
    across = (WIDTH - 2 * EDGE) / max(len(moves), 1)
    place = lambda ply, value: (EDGE + across * ply, HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * value)
    curve = [place(0, 0.5)] + [place(move["ply"], points(move)) for move in moves]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in curve)
    middle = place(0, 0.5)[1]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#faf7f1"/>',
        f'<line x1="{EDGE}" x2="{WIDTH - EDGE}" y1="{middle}" y2="{middle}" stroke="#bbb"/>',
        f'<polyline points="{line}" fill="none" stroke="#2f6f9f" stroke-width="2"/>',
    ]
    for move in moves:
        if move["mark"]:
            x, y = place(move["ply"], points(move))
            number = (move["ply"] + (moves[0]["side"] == "black") + 1) // 2
            text = html.escape(f"{number}. {move['played']} {move['mark']}")
            out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{COLORS[move["mark"]]}">'
                       f"<title>{text}</title></circle>")
    names = [report[side]["name"] or side for side in ("white", "black")]
    title = html.escape(f"{names[0]} - {names[1]} {report['result']}")
    out.append(f'<text x="{EDGE}" y="18" font-family="sans-serif" font-size="13">{title}</text></svg>')
    return "\n".join(out) + "\n"


def main():
    """Asks and draws."""
    words = sys.argv[1:] + [None] * 3
    report = judged(words[0] or "target/release/shashki", words[1])
    out = words[2] or "game.svg"
    with open(out, "w", encoding="utf-8") as file:
        file.write(picture(report))
    print(f"{len(report['moves'])} plies drawn in {out}")


if __name__ == "__main__":
    main()
