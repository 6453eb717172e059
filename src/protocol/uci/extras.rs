//! Commands beyond UCI, for scripts and for people at a terminal.

use crate::board::{Bitboard, Side};
use crate::engine::bench;
use crate::engine::options::Options;
use crate::eval::{self, Accumulator};
use crate::notation::{Spelling, board_text, fen, movetext};
use crate::protocol::input::Message;
use crate::protocol::output;
use crate::protocol::uci::session::{Job, Session, say, say_error};
use crate::rules::{Position, Setup, perft};

impl Session {
    /// Does something that takes long in a thread of its own.
    fn work(&mut self, work: impl FnOnce() + Send + 'static) {
        let messages = self.messages.clone();
        let whole = move || {
            work();
            let _ = messages.send(Message::Finished);
        };
        let thread = std::thread::Builder::new()
            .stack_size(crate::search::STACK)
            .spawn(whole);
        match thread {
            Ok(_) => self.job = Some(Job::Other),
            Err(error) => say_error(&format!("cannot start a thread: {error}")),
        }
    }

    pub(super) fn perft(&mut self, depth: Result<u32, String>) {
        let depth = match depth {
            Ok(depth) if depth <= perft::GREATEST_DEPTH => depth,
            Ok(_) => {
                return say_error(&format!("perft goes to depth {}", perft::GREATEST_DEPTH));
            }
            Err(error) => return say_error(&error),
        };
        let Some(game) = self.game() else { return };
        let position = *game.position();
        let (spelling, threads) = (self.engine.spelling(), self.engine.options().threads);
        self.work(move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let counts = match pool {
                Ok(pool) => pool.install(|| perft::divide_parallel(&position, depth)),
                Err(_) => perft::divide(&position, depth),
            };
            let mut total = u64::from(depth == 0);
            for (mv, leaves) in counts {
                total += leaves;
                output::line(&format!(
                    "{}: {leaves}",
                    movetext::write_full(&position, mv, spelling)
                ));
            }
            output::line(&format!("Nodes searched: {total}"));
        });
    }

    pub(super) fn bench(&mut self, depth: Result<u32, String>) {
        let depth = match depth {
            Ok(depth) => depth.max(1),
            Err(error) => return say_error(&error),
        };
        let Options {
            threads,
            draw_rules,
            ..
        } = self.engine.options().clone();
        self.work(move || {
            let told = bench::run(depth, threads, &draw_rules, |line| {
                say(&format!(
                    "{} nodes {} {}",
                    line.fen, line.nodes, line.answer
                ));
            });
            match told {
                Ok(summary) => summary.lines().iter().for_each(|line| output::line(line)),
                Err(error) => say_error(&error.to_string()),
            }
        });
    }

    pub(super) fn list_moves(&self) {
        let Some(game) = self.game() else { return };
        let lines = movetext::list(game.position(), self.engine.spelling());
        lines.iter().for_each(|line| output::line(line));
    }

    pub(super) fn display(&self) {
        let Some(game) = self.game() else { return };
        let position = game.position();
        board_text::board(position)
            .iter()
            .for_each(|line| output::line(line));
        output::line("");
        let numeric = Spelling::Numeric(self.engine.options().numbering);
        output::line(&format!(
            "fen {}",
            fen::write(position, Spelling::Algebraic)
        ));
        output::line(&format!("numeric {}", fen::write(position, numeric)));
        output::line(&format!("hub {}", fen::write_hub(position)));
        output::line(&format!("key {:016x}", position.key()));
        output::line(&format!("side {}", position.side()));
        output::line(&format!("rules {}", game.rules()));
        let clock = game.clock();
        output::line(&format!(
            "plies since capture or man move in this game {}",
            clock.reversible()
        ));
        if let Some(left) = clock.plies_left(game.rules(), position) {
            output::line(&format!("plies to the nearest draw by counter {left}"));
        }
        output::line(&format!("occurrences {}", game.occurrences()));
        let result = game
            .end()
            .map_or_else(|| "game goes on".to_owned(), |end| end.to_string());
        output::line(&format!("result {result}"));
        let legal = position.legal_moves();
        let moves: Vec<String> = legal
            .iter()
            .map(|&mv| movetext::write_full(position, mv, Spelling::Algebraic))
            .collect();
        output::line(format!("legal {}", moves.join(" ")).trim_end());
    }

    pub(super) fn explain(&mut self) {
        self.get_ready();
        let Some(game) = self.game() else { return };
        let position = game.position();
        let network = self.engine.network();
        let judge = |position: &Position| {
            let mut accumulator = Accumulator::new(network);
            eval::evaluate(network, &mut accumulator, position)
        };
        let score = judge(position);
        // What each piece is worth: the difference that it makes to be there.
        for side in Side::ALL {
            let mut worth = String::new();
            for square in position.pieces(side) {
                let without = |set: Bitboard| set.without(square.bitboard());
                let setup = Setup {
                    white: without(position.pieces(Side::White)),
                    black: without(position.pieces(Side::Black)),
                    kings: without(position.all_kings()),
                    side: position.side(),
                };
                if let Ok(less) = setup.validate() {
                    let difference = score.raw() - judge(&less).raw();
                    let sign = if side == position.side() { 1 } else { -1 };
                    worth.push_str(&format!(" {square} {}", sign * difference));
                }
            }
            output::line(&format!("{side}{worth}"));
        }
        output::line(&format!(
            "evaluation {score} men for {}",
            game.position().side()
        ));
    }
}
