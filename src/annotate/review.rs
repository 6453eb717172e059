//! Judging the moves of a game.

use crate::analyse::{Analysis, Analyst, Line, LineSays, TableSays};
use crate::annotate::report::{GameReport, Mark, MoveReport, Near, SCHEMA, SideReport};
use crate::board::Side;
use crate::book::Book;
use crate::notation::pdn::{Item, PdnGame};
use crate::notation::{Spelling, fen, movetext};
use crate::rules::{DrawRules, Game, GameEnd, Move, Position};
use crate::search::Limits;

/// From this loss of all others on, in thousandths of a point, a move is the only good one.
const ONLY: u32 = 160;
/// What is seen at once: by a search of so many plies.
const GLANCE: u32 = 3;

/// Judges games.
pub struct Reviewer<'a> {
    /// Who thinks.
    pub analyst: &'a mut Analyst,
    /// How long, about each move.
    pub limits: &'a Limits,
    /// The book that the game may leave.
    pub book: &'a Book,
    /// When a game is drawn.
    pub rules: &'a DrawRules,
    /// How moves are written.
    pub spelling: Spelling,
}

/// The points that a line is worth, in thousandths.
fn points(line: &Line) -> u32 {
    u32::from(line.odds.win) + u32::from(line.odds.draw) / 2
}

/// The start of a game, the moves up to the first fault, plies without progress before the start, and the
/// fault.
fn playable(game: &PdnGame) -> (Position, Vec<Move>, u16, Option<String>) {
    let error = match game.replay() {
        Ok(replay) => return (replay.start, replay.moves, replay.half_moves, None),
        Err(error) => error,
    };
    // The same game without what comes from the fault on.
    let mut shorter = game.clone();
    let mut plies = 0;
    shorter.items.retain(|item| {
        plies += usize::from(matches!(item, Item::Move { .. }));
        plies < error.ply && !matches!(item, Item::SetPosition(_))
    });
    match shorter.replay() {
        Ok(replay) => (
            replay.start,
            replay.moves,
            replay.half_moves,
            Some(error.to_string()),
        ),
        Err(_) => (Position::start(), Vec::new(), 0, Some(error.to_string())),
    }
}

impl Reviewer<'_> {
    /// Judges a game. What cannot be played is not judged: the report says why, and ends there.
    #[must_use]
    pub fn review(&mut self, game: &PdnGame) -> GameReport {
        let (start, moves, half_moves, error) = playable(game);
        let mut so_far = Game::continued(start, self.rules.clone(), half_moves);
        let mut reports: Vec<MoveReport> = Vec::new();
        let mut drawn = false;
        for &mv in &moves {
            let mut report = self.judge_move(&so_far, mv);
            so_far.play(mv);
            if let (false, Some(GameEnd::Draw(reason))) = (drawn, so_far.end()) {
                drawn = true;
                report.near.drawn_by = Some(reason.to_string());
            }
            reports.push(report);
        }
        let in_book = |report: &&MoveReport| report.near.book;
        let stay = reports.iter().take_while(in_book).count();
        let side = |side: Side| side_report(game, side, &reports);
        GameReport {
            schema: SCHEMA,
            number: game.number,
            line: game.line,
            tags: game.tags.clone(),
            result: game.outcome().to_string(),
            white: side(Side::White),
            black: side(Side::Black),
            left_book: (stay > 0 && stay < reports.len()).then_some(stay + 1),
            end: fen::write(so_far.position(), self.spelling),
            moves: reports,
            error,
        }
    }

    fn judge_move(&mut self, game: &Game, mv: Move) -> MoveReport {
        let position = game.position();
        let legal = position.legal_moves();
        let analysis = self.analyst.analyse_within(
            game,
            &Limits {
                multi_pv: 2,
                ..self.limits.clone()
            },
        );
        let best = analysis.best();
        let is_played = |line: &&Line| line.moves.first() == Some(&mv);
        let found = analysis.lines.iter().find(is_played).cloned();
        let played = found.unwrap_or_else(|| self.only(game, mv));
        // A closer look may find more in the move than in the best.
        let is_best = is_played(&best) || points(&played) >= points(best);
        let best = if is_best { &played } else { best };
        let loss = points(best) - points(&played);
        let only = legal.len() > 1 && is_best && self.is_only(&analysis, mv, points(best));
        let mark = match Mark::of_loss(loss) {
            None if only && !self.is_seen_at_once(game, mv) => Some(Mark::Good),
            mark => mark,
        };
        let says = |line: &Line| LineSays::new(line, position, self.spelling);
        MoveReport {
            ply: game.moves().len() + 1,
            side: match position.side() {
                Side::White => "white",
                Side::Black => "black",
            },
            played: movetext::write_full(position, mv, self.spelling),
            fen: fen::write(position, self.spelling),
            best: says(best),
            after: says(&played),
            loss,
            mark,
            near: Near {
                book: self.book.moves(position).is_some(),
                forced: legal.len() == 1,
                only,
                table: analysis.table.map(TableSays::new),
                drawn_by: None,
            },
        }
    }

    /// What a search says that looks at one move only.
    fn only(&mut self, game: &Game, mv: Move) -> Line {
        let limits = Limits {
            multi_pv: 1,
            search_moves: vec![mv],
            ..self.limits.clone()
        };
        self.analyst.analyse_within(game, &limits).best().clone()
    }

    /// Whether all other moves are clearly worse.
    fn is_only(&self, analysis: &Analysis, mv: Move, best: u32) -> bool {
        let mut others = analysis
            .lines
            .iter()
            .filter(|line| line.moves.first() != Some(&mv));
        let second = others.next().map(points);
        second.is_some_and(|second| second + ONLY <= best)
    }

    fn is_seen_at_once(&mut self, game: &Game, mv: Move) -> bool {
        let glance = self.analyst.analyse_within(game, &Limits::depth(GLANCE));
        glance.best().moves.first() == Some(&mv)
    }
}

fn side_report(game: &PdnGame, side: Side, moves: &[MoveReport]) -> SideReport {
    let (tag, name) = match side {
        Side::White => ("White", "white"),
        Side::Black => ("Black", "black"),
    };
    let own = moves.iter().filter(|report| report.side == name);
    let marked = |mark: Mark| {
        own.clone()
            .filter(|report| report.mark == Some(mark))
            .count()
    };
    let free = own
        .clone()
        .filter(|report| !report.near.forced && !report.near.book);
    let each = free.map(|report| 100.0 * libm::exp(-4.35 * f64::from(report.loss) / 1000.0));
    let each: Vec<f64> = each.collect();
    let mean = each.iter().sum::<f64>() / each.len() as f64;
    SideReport {
        name: game
            .tag(tag)
            .filter(|name| !name.is_empty())
            .map(str::to_owned),
        // Tenths are enough, and the same on every machine.
        accuracy: (!each.is_empty()).then_some((mean * 10.0).round() / 10.0),
        moves: each.len(),
        dubious: marked(Mark::Dubious),
        mistakes: marked(Mark::Mistake),
        blunders: marked(Mark::Blunder),
    }
}
