//! From scores to results: how often a position with a score is won, drawn and lost.

use crate::score::Score;

/// Chances in thousandths, from the view of the side to move; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// Of a win.
    pub win: u16,
    /// Of a draw.
    pub draw: u16,
    /// Of a loss.
    pub loss: u16,
}

/// By number of pieces, four to a row from 1 to 4 on: the score in centi-men with which half of the games are
/// won, and how gently chances change below and above it. Fitted by `tools`' `calibrate` to games of the engine
/// against itself, see `weights.md`; there are none with so few pieces as in the first row, which is like
/// the second.
const BY_PIECES: [(f64, f64, f64); 6] = [
    (42.0, 8.0, 30.0),
    (42.0, 8.0, 30.0),
    (32.0, 8.0, 18.0),
    (29.0, 10.0, 18.0),
    (29.0, 14.0, 19.0),
    (28.0, 15.0, 20.0),
];

impl Odds {
    /// The chances where the result is known: that of the sign of the score.
    #[must_use]
    pub fn certain(score: Score) -> Odds {
        let [win, loss] = [score.raw() > 0, score.raw() < 0].map(|is| u16::from(is) * 1000);
        Odds {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }

    /// The chances of a score in a position with so many pieces. What is proven is certain.
    #[must_use]
    pub fn of(score: Score, pieces: u32) -> Odds {
        if score.is_proven() {
            return Odds::certain(score);
        }
        let row = (pieces.saturating_sub(1) / 4).min(BY_PIECES.len() as u32 - 1);
        let (half, below, above) = BY_PIECES[row as usize];
        let chance = |score: i32| {
            let past = f64::from(score) - half;
            let logit = past / if past < 0.0 { below } else { above };
            // The same on every machine.
            let chance = 1.0 / (1.0 + libm::exp(-logit));
            (1000.0 * chance).round() as u16
        };
        let (win, loss) = (chance(score.raw()), chance(-score.raw()));
        // With a half score below zero both might be more than half.
        let loss = loss.min(1000 - win);
        Odds {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_rise_with_the_score_and_turn_with_the_board() {
        for pieces in 1..=24 {
            let mut last = 0;
            for raw in (-3000..=3000).step_by(10) {
                let odds = Odds::of(Score::evaluation(raw), pieces);
                assert_eq!(odds.win + odds.draw + odds.loss, 1000);
                assert!(odds.win >= last);
                last = odds.win;
                let turned = Odds::of(Score::evaluation(-raw), pieces);
                assert_eq!((turned.win, turned.loss), (odds.loss, odds.win));
            }
            assert!(last > 990);
        }
        let odds = |score| Odds::of(score, 10);
        assert_eq!(odds(Score::win_at(5)).win, 1000);
        assert_eq!(odds(Score::table_loss_at(5)).loss, 1000);
        assert_eq!(Odds::certain(Score::DRAW).draw, 1000);
        let even = odds(Score::DRAW);
        assert_eq!(even.win, even.loss);
    }
}
