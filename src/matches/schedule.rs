//! Who plays whom, with which colours, from where: known before the first game.

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engine meets all others.
    Gauntlet,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fixture {
    /// Its number, from 0. Games 2n and 2n + 1 have the same opening and exchanged colours.
    pub(super) game: usize,
    /// Counts the openings.
    pub(super) round: usize,
    pub(super) white: usize,
    pub(super) black: usize,
}

/// All games: in each round every pairing plays a pair of games from the same opening.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    pub(super) fn new(format: Format, engines: usize, rounds: usize) -> Schedule {
        let pairings = match format {
            Format::Gauntlet => (1..engines).map(|other| (0, other)).collect(),
            Format::RoundRobin => (0..engines)
                .flat_map(|one| (one + 1..engines).map(move |other| (one, other)))
                .collect(),
        };
        Schedule { pairings, rounds }
    }

    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// A game by its number.
    pub(super) fn fixture(&self, game: usize) -> Option<Fixture> {
        let pair = game / 2;
        let round = pair.checked_div(self.pairings.len())?;
        let &(one, other) = self.pairings.get(pair % self.pairings.len())?;
        let (white, black) = if game.is_multiple_of(2) {
            (one, other)
        } else {
            (other, one)
        };
        (round < self.rounds).then_some(Fixture {
            game,
            round,
            white,
            black,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::new(Format::RoundRobin, 4, 3);
        assert_eq!(schedule.len(), 36);
        let mut met: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for game in 0..schedule.len() {
            let fixture = schedule.fixture(game).expect("a game");
            let rounds = met.entry((fixture.white, fixture.black)).or_default();
            rounds.push(fixture.round);
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|rounds| *rounds == [0, 1, 2]));
        assert_eq!(schedule.fixture(36), None);
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 5);
        assert_eq!(schedule.len(), 20);
        let games = (0..20).filter_map(|game| schedule.fixture(game));
        assert!(
            games
                .into_iter()
                .all(|game| (game.white == 0) != (game.black == 0))
        );
        assert_eq!(Schedule::new(Format::Gauntlet, 1, 5).fixture(0), None);
    }
}
