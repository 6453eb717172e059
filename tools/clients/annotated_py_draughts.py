"""Reads annotated games with py-draughts and plays them."""

import sys
import tempfile

from draughts import RussianBoard

from annotated import annotated_games
from common import CheckFailed, Report, arguments


def main():
    """One check."""
    options = arguments(__doc__.splitlines()[0])
    report = Report()
    with report.check("annotated") as detail, tempfile.TemporaryDirectory() as folder:
        start = RussianBoard().fen
        for number, texts in enumerate(annotated_games(options.engine, folder), 1):
            plain, marked = (RussianBoard.from_pdn(text).fen for text in texts)
            if plain != marked or plain == start:
                raise CheckFailed(f"game {number}: {plain} {marked}")
        detail.text = f"{number} games"
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
