//! One game between two engines.

use crate::board::Side;
use crate::matches::adjudicate::Adjudication;
use crate::matches::cancel::Cancel;
use crate::matches::client::{Client, Clocks};
use crate::matches::openings::Opening;
use crate::matches::record::{Ending, Fault, GameRecord, MoveRecord};
use crate::matches::schedule::Fixture;
use crate::matches::spec::EngineSpec;
use crate::matches::time::GameClock;
use crate::notation::pdn::Outcome;
use crate::notation::{Spelling, fen, movetext};
use crate::rules::{DrawRules, Game};
use crate::score::Score;
use std::time::Instant;

/// A seat at the board: the engine, running or not.
pub(super) struct Seat<'a, 'c> {
    pub(super) spec: &'a EngineSpec,
    pub(super) client: &'a mut Option<Client<'c>>,
}

/// Plays a game. An engine at fault is no longer running afterwards. `None` if the match was called off.
pub(super) fn play<'c>(
    fixture: Fixture,
    [mut white, mut black]: [Seat<'_, 'c>; 2],
    opening: &Opening,
    rules: &DrawRules,
    adjudication: &Adjudication,
    cancel: Cancel<'c>,
) -> Option<GameRecord> {
    let mut game = Game::new(opening.start, rules.clone());
    let mut moves = Vec::new();
    for &mv in &opening.moves {
        let text = movetext::write_full(game.position(), mv, Spelling::Algebraic);
        game.play(mv);
        moves.push(MoveRecord {
            mv: text,
            ..MoveRecord::default()
        });
    }
    let book_plies = moves.len();
    let mut begun_thinking = Instant::now();
    let (winner, ending) = 'game: {
        for (seat, side) in [(&mut white, Side::White), (&mut black, Side::Black)] {
            if let Err(fault) = seat.sit_down(rules, cancel) {
                break 'game (Some(side.opponent()), Ending::Forfeit(fault));
            }
        }
        begun_thinking = Instant::now();
        let clock = |seat: &Seat<'_, '_>| seat.spec.thinking.clock.map(GameClock::new);
        let mut clocks: Clocks = [clock(&white), clock(&black)];
        let mut trackers = adjudication.trackers();
        loop {
            if let Some(end) = game.end() {
                break (end.winner(), Ending::Rules(end.to_string()));
            }
            if cancel.is_called() {
                return None;
            }
            let side = game.position().side();
            let seat = match side {
                Side::White => &mut white,
                Side::Black => &mut black,
            };
            let record = match seat.turn(&mut game, &mut clocks) {
                Ok(record) => record,
                Err(fault) => {
                    *seat.client = None;
                    break (Some(side.opponent()), Ending::Forfeit(fault));
                }
            };
            let score = record.score.map(Score::from_raw);
            moves.push(record);
            if game.end().is_some() {
                continue;
            }
            let ply = moves.len() as u32;
            let verdicts = trackers
                .iter_mut()
                .map(|t| t.update(side, ply, score, &game));
            // Each tracker sees each move.
            let verdicts: Vec<_> = verdicts.collect();
            if let Some((winner, why)) = verdicts.into_iter().flatten().next() {
                break (winner, Ending::Adjudication(why.to_owned()));
            }
        }
    };
    let wall_us = begun_thinking.elapsed().as_micros() as u64;
    for seat in [&mut white, &mut black] {
        // Too late to lose this game; an engine that does not stop is started anew for the next.
        if let Some(Err(fault)) = seat.client.as_mut().map(Client::rest) {
            if !cancel.is_called() {
                log::warn!("{} after a game: {fault}", seat.spec.name);
            }
            *seat.client = None;
        }
    }
    // An engine that was ended from outside has done nothing wrong.
    if matches!(ending, Ending::Forfeit(_)) && cancel.is_called() {
        return None;
    }
    let result = match winner {
        None => Outcome::Draw,
        Some(Side::White) => Outcome::WhiteWins,
        Some(Side::Black) => Outcome::BlackWins,
    };
    Some(GameRecord {
        game: fixture.game,
        white: fixture.white,
        black: fixture.black,
        opening: opening.name.clone(),
        fen: fen::write(&opening.start, Spelling::Algebraic),
        book_plies,
        result: result.to_string(),
        ending,
        moves,
        wall_us,
    })
}

impl<'c> Seat<'_, 'c> {
    /// Gets the engine ready for a game; one that has ended or hangs since the last is started anew.
    fn sit_down(&mut self, rules: &DrawRules, cancel: Cancel<'c>) -> Result<(), Fault> {
        if let Some(client) = self.client.as_mut() {
            match client.new_game() {
                Ok(()) => return Ok(()),
                Err(_) if cancel.is_called() => {}
                Err(fault) => log::warn!("{} between games: {fault}", self.spec.name),
            }
            *self.client = None;
        }
        let client = self.client.insert(Client::start(self.spec, rules, cancel)?);
        client.new_game().inspect_err(|_| *self.client = None)
    }

    /// The engine makes its move in the game.
    fn turn(&mut self, game: &mut Game, clocks: &mut Clocks) -> Result<MoveRecord, Fault> {
        let client = self.client.as_mut();
        let client = client.ok_or_else(|| Fault::Crash("it is not running".to_owned()))?;
        let side = game.position().side();
        let answer = client.think(game, clocks)?;
        let [white, black] = clocks;
        let clock = match side {
            Side::White => white,
            Side::Black => black,
        };
        if let Some(clock) = clock {
            clock.moved(answer.taken);
        }
        let record = MoveRecord {
            mv: movetext::write_full(game.position(), answer.mv, Spelling::Algebraic),
            score: answer.thoughts.score.map(Score::raw),
            depth: answer.thoughts.depth,
            nodes: answer.thoughts.nodes,
            time_us: answer.taken.as_micros() as u64,
            clock_ms: clock.map(|clock| clock.remaining.as_millis() as u64),
        };
        game.play(answer.mv);
        if let Some(expected) = answer.ponder
            && game.end().is_none()
        {
            client.ponder(game, expected, clocks)?;
        }
        Ok(record)
    }
}
