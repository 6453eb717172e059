//! Random numbers and positions.

use shashki::board::{Side, Square};
use shashki::rules::{Position, Setup};

/// The random numbers of one of the jobs of a seed. Generators whose seeds differ in a few bits begin alike: the
/// numbers that the jobs draw first would go together.
#[must_use]
pub fn of_job(seed: u64, job: u64) -> fastrand::Rng {
    let mut mixer = fastrand::Rng::with_seed(seed ^ job.rotate_left(32));
    fastrand::Rng::with_seed(mixer.u64(..))
}

/// A random placement of so many pieces, men and kings alike, both sides present. Half of the tries or
/// more fall on bad squares; that is `None`.
#[must_use]
pub fn position(random: &mut fastrand::Rng, pieces: u8) -> Option<Position> {
    let mut setup = Setup::empty(Side::White);
    let white = random.u8(1..pieces);
    for number in 0..pieces {
        let square = *random.choice(&Square::ALL)?;
        let side = Side::ALL[usize::from(number >= white)];
        if (setup.white | setup.black).contains(square) {
            return None;
        }
        let set = setup.pieces_mut(side);
        *set = set.with(square);
        if random.bool() {
            setup.kings = setup.kings.with(square);
        }
    }
    if random.bool() {
        setup.side = Side::Black;
    }
    setup.validate().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a tuning, what one number does must not move another.
    #[test]
    fn signs_do_not_go_together() {
        const PAIRS: u64 = 8_000;
        const NUMBERS: usize = 12;
        let signs: Vec<Vec<f64>> = (1..=PAIRS)
            .map(|pair| {
                let mut random = of_job(1, pair);
                let sign = |_| if random.bool() { 1.0 } else { -1.0 };
                (0..NUMBERS).map(sign).collect()
            })
            .collect();
        for a in 0..NUMBERS {
            for b in 0..a {
                let together: f64 = signs.iter().map(|signs| signs[a] * signs[b]).sum();
                let together = together / PAIRS as f64;
                // Four standard deviations.
                assert!(
                    together.abs() < 4.0 / (PAIRS as f64).sqrt(),
                    "{a} {b} {together}"
                );
            }
        }
    }
}
