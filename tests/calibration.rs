//! The statistics of a match on simulated matches between engines of known strength: how often the
//! sequential test errs, and how often the interval holds the truth.

use crate::support::Random;
use shashki::matches::sprt::{Decision, Sprt};
use shashki::matches::stats::{self, Pairs};

/// Probabilities of 0, 1/2, 1, 3/2 and 2 points in a pair.
type Distribution = [f64; 5];

/// Engines that win and lose, as in fast games; and the draws of slow ones.
const LIVELY: Distribution = [0.06, 0.22, 0.44, 0.22, 0.06];
const DRAWISH: Distribution = [0.01, 0.08, 0.82, 0.08, 0.01];

/// A distribution with the mean that an Elo difference gives: `base` with each probability multiplied
/// by a power of one factor.
fn tilted(base: &Distribution, elo: f64) -> Distribution {
    let tilt = |exponent: f64| -> Distribution {
        let mut tilted = *base;
        for (p, value) in tilted.iter_mut().zip([-2.0, -1.0, 0.0, 1.0, 2.0]) {
            *p *= f64::exp(exponent * value);
        }
        let sum: f64 = tilted.iter().sum();
        tilted.map(|p| p / sum)
    };
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if mean(&tilt(middle)) < stats::share(elo) {
            low = middle;
        } else {
            high = middle;
        }
    }
    tilt(low)
}

fn mean(distribution: &Distribution) -> f64 {
    let terms = distribution.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
    terms.map(|(p, value)| p * value).sum()
}

/// Plays a pair.
fn pair(distribution: &Distribution, random: &mut Random) -> usize {
    let mut left = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
    for (points, p) in distribution.iter().enumerate() {
        left -= p;
        if left < 0.0 {
            return points;
        }
    }
    // The sum of the probabilities is below 1 by a rounding error.
    2
}

/// How a match under the test ends, and after how many pairs.
fn decided(sprt: &Sprt, distribution: &Distribution, random: &mut Random) -> (Decision, u64) {
    let mut pairs: Pairs = [0; 5];
    loop {
        pairs[pair(distribution, random)] += 1;
        let decision = sprt.decide(sprt.ratio(&pairs));
        if decision != Decision::Open {
            return (decision, pairs.iter().sum());
        }
    }
}

#[test]
fn the_sequential_test_errs_as_often_as_it_may() {
    const MATCHES: u32 = 2000;
    // Two different risks, so that one cannot stand for the other.
    let (alpha, beta) = (0.10, 0.03);
    let mut random = Random::new(1);
    for (base, elo0, elo1) in [(LIVELY, 0.0, 40.0), (DRAWISH, -5.0, 15.0)] {
        let sprt = Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        };
        for (truth, wrong, risk) in [
            (elo0, Decision::Accepted, alpha),
            (elo1, Decision::Rejected, beta),
        ] {
            let distribution = tilted(&base, truth);
            let ended = (0..MATCHES).map(|_| decided(&sprt, &distribution, &mut random));
            let ended: Vec<_> = ended.collect();
            let wrong = ended.iter().filter(|(decision, _)| *decision == wrong);
            let wrong = wrong.count() as f64 / f64::from(MATCHES);
            let length = ended.iter().map(|(_, pairs)| *pairs).sum::<u64>() as f64;
            let length = length / f64::from(MATCHES);
            println!("{elo0} {elo1} truth {truth}: wrong {wrong}, {length} pairs");
            // Three standard errors of the simulation above the risk. A test that errs much less
            // than it may plays more games than it must: ratios jump over their bounds by a little,
            // so some less is right.
            let error = 3.0 * (risk * (1.0 - risk) / f64::from(MATCHES)).sqrt();
            assert!(
                (0.7 * risk - error..risk + error).contains(&wrong),
                "elo0 {elo0}, elo1 {elo1}, truth {truth}: {wrong} wrong, the risk is {risk}"
            );
        }
    }
}

#[test]
fn the_interval_holds_the_truth_as_often_as_it_says() {
    const MATCHES: u32 = 4000;
    let mut random = Random::new(2);
    for (base, elo, pairs) in [
        (LIVELY, 0.0, 100),
        (LIVELY, 30.0, 500),
        (LIVELY, -150.0, 200),
        (DRAWISH, 0.0, 200),
        (DRAWISH, 10.0, 1000),
    ] {
        let distribution = tilted(&base, elo);
        let (mut held, mut below) = (0, 0);
        for _ in 0..MATCHES {
            let mut results: Pairs = [0; 5];
            for _ in 0..pairs {
                results[pair(&distribution, &mut random)] += 1;
            }
            let (low, high) = stats::of_pairs(&results).expect("pairs").interval();
            held += u32::from(low <= elo && elo <= high);
            below += u32::from(high < elo);
        }
        let share = f64::from(held) / f64::from(MATCHES);
        let below = f64::from(below) / f64::from(MATCHES);
        println!("{elo} {pairs} pairs: {share}, below {below}");
        assert!(
            (0.93..0.97).contains(&share),
            "{elo} Elo, {pairs} pairs: held in {share}"
        );
        // Not all of the errors are on one side.
        assert!((0.01..0.04).contains(&below), "{elo} Elo: {below} below");
    }
}
