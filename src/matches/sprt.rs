//! A sequential test: stop as soon as the games say which of two Elo differences is the likelier.
//!
//! Wald's sequential probability ratio test on the pentanomial distribution of pairs. The likelihood
//! of each hypothesis is that of the best fitting distribution with its mean (generalised test; Van
//! den Bergh, "A practical introduction to the GSPRT"). Elo is logistic.

use crate::matches::stats::{self, Pairs};

/// The hypotheses and the risks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Elo difference of the hypothesis "no better".
    pub elo0: f64,
    /// Elo difference of the hypothesis "better"; above `elo0`.
    pub elo1: f64,
    /// Risk of calling `elo0` `elo1`, 0 to 1.
    pub alpha: f64,
    /// Risk of calling `elo1` `elo0`, 0 to 1.
    pub beta: f64,
}

/// What the test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Go on.
    Open,
    /// `elo1` it is.
    Accepted,
    /// `elo0` it is.
    Rejected,
}

/// Count that stands for a result that has not occurred, so that no likelihood is zero.
const TINY: f64 = 1e-3;

impl Sprt {
    /// The bounds of the log-likelihood ratio: below the first `elo0` is accepted, above the second
    /// `elo1`.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of `elo1` to `elo0`.
    #[must_use]
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let values = [0.0, 0.25, 0.5, 0.75, 1.0];
        let counts = pairs.map(|count| if count == 0 { TINY } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let fit = |elo| fitted(&values, &observed, stats::share(elo));
        let (no_better, better) = (fit(self.elo0), fit(self.elo1));
        let terms = observed.iter().zip(no_better.iter().zip(&better));
        total * terms.map(|(p, (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// What a ratio means.
    #[must_use]
    pub fn decide(&self, ratio: f64) -> Decision {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Decision::Accepted
        } else if ratio <= lower {
            Decision::Rejected
        } else {
            Decision::Open
        }
    }
}

/// The distribution with the given mean that makes the observed one likeliest: each probability is
/// divided by `1 + t (value - mean)`, where `t` is the root of a falling function.
fn fitted(values: &[f64; 5], observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let [least, .., greatest] = *values;
    let (mut low, mut high) = (-1.0 / (greatest - mean), 1.0 / (mean - least));
    let slope = |t: f64| {
        let terms = values.iter().zip(observed);
        terms
            .map(|(v, p)| p * (v - mean) / (1.0 + t * (v - mean)))
            .sum::<f64>()
    };
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            // No number lies between them.
            break;
        }
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let t = f64::midpoint(low, high);
    let mut fitted = *observed;
    for (p, v) in fitted.iter_mut().zip(values) {
        *p /= 1.0 + t * (v - mean);
    }
    fitted
}
