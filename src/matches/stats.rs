//! What results prove: Elo, its interval, and how likely one engine is the better one.
//!
//! Pairs of games with the same opening and exchanged colours are the unit: their two games are not
//! independent, so the spread is measured over pairs (pentanomial). Elo is logistic: a score share
//! `s` is `-400 log10(1/s - 1)`. Intervals are normal approximations on the share, carried over to
//! Elo.

/// Wins, draws, losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Won games.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
}

impl Counts {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, half a point for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }
}

/// Pairs by points of the first engine: none, half, one, one and a half, two.
pub type Pairs = [u64; 5];

/// How a share of the points spreads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The mean share of the points, 0 to 1.
    pub share: f64,
    /// Standard error of the mean.
    pub error: f64,
    /// Variance of one observation.
    pub variance: f64,
}

/// The spread of weighted values; `None` without any.
fn spread(values: &[f64], counts: &[u64]) -> Option<Spread> {
    let number: u64 = counts.iter().sum();
    if number == 0 {
        return None;
    }
    let weighted = values.iter().zip(counts);
    let n = number as f64;
    let share = weighted.clone().map(|(v, &c)| v * c as f64).sum::<f64>() / n;
    let squares = weighted.map(|(v, &c)| (v - share).powi(2) * c as f64);
    let variance = squares.sum::<f64>() / n;
    Some(Spread {
        share,
        error: (variance / n).sqrt(),
        variance,
    })
}

/// Over single games.
#[must_use]
pub fn of_games(counts: &Counts) -> Option<Spread> {
    spread(
        &[0.0, 0.5, 1.0],
        &[counts.losses, counts.draws, counts.wins],
    )
}

/// Over pairs.
#[must_use]
pub fn of_pairs(pairs: &Pairs) -> Option<Spread> {
    spread(&[0.0, 0.25, 0.5, 0.75, 1.0], pairs)
}

/// The Elo difference of a share of the points; infinite for none and for all of them.
#[must_use]
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of the points that an Elo difference gives.
#[must_use]
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Quantile of the normal distribution for an interval of 95%.
const NORMAL_95: f64 = 1.959_963_984_540_054;

impl Spread {
    /// The Elo difference.
    #[must_use]
    pub fn elo(&self) -> f64 {
        elo(self.share)
    }

    /// The 95% interval of the Elo difference.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let margin = NORMAL_95 * self.error;
        (elo(self.share - margin), elo(self.share + margin))
    }

    /// The likelihood that the first engine is the stronger one, 0 to 1.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        if self.error > 0.0 {
            0.5 * (1.0 + libm::erf((self.share - 0.5) / self.error / std::f64::consts::SQRT_2))
        } else if self.share > 0.5 {
            1.0
        } else if self.share < 0.5 {
            0.0
        } else {
            0.5
        }
    }
}
