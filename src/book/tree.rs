//! A book that grows by drop-out expansion (Lincke, 2001): what is opened next is the position that good
//! play reaches soonest.

use crate::book::{Book, GREATEST, moves_in_order};
use crate::rules::{Move, Position};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// A position whose moves have been judged.
#[derive(Clone, Debug)]
struct Node {
    moves: Vec<Move>,
    /// The keys of the positions behind the moves.
    behind: Vec<u64>,
    /// What a search said of each move, centi-men from the view of the side that makes it.
    judged: Vec<i16>,
}

/// The positions that have been opened, and where they begin.
#[derive(Clone, Debug)]
pub struct Tree {
    roots: Vec<Position>,
    /// How many centi-men of a worse move count as much as another move of the game.
    worth_a_ply: u32,
    nodes: HashMap<u64, Node>,
}

/// Values are brought back over no more plies than this: kings may go round in circles.
const LONGEST: usize = 200;

impl Tree {
    /// A tree that has nothing yet. Moves that are worse by `worth_a_ply` centi-men (1 or more) count as
    /// much as one more ply.
    #[must_use]
    pub fn new(roots: Vec<Position>, worth_a_ply: u32) -> Tree {
        Tree {
            roots,
            worth_a_ply: worth_a_ply.max(1),
            nodes: HashMap::new(),
        }
    }

    /// How many positions are open.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Opens a position. `judged` has what its moves are worth, in the order of
    /// [`moves_in_order`]; with another number of values nothing happens.
    pub fn open(&mut self, position: &Position, judged: Vec<i16>) {
        let moves = moves_in_order(position);
        if moves.len() == judged.len() && !moves.is_empty() {
            let judged = judged.into_iter().map(|v| v.clamp(-GREATEST, GREATEST));
            let judged = judged.collect();
            let behind = moves.iter().map(|&mv| position.play(mv).key()).collect();
            let node = Node {
                moves,
                behind,
                judged,
            };
            self.nodes.insert(position.key(), node);
        }
    }

    /// What the moves of all open positions are worth when both sides choose by what is known now.
    fn values(&self) -> HashMap<u64, Vec<i16>> {
        let judged = |(&key, node): (&u64, &Node)| (key, node.judged.clone());
        let mut values: HashMap<u64, Vec<i16>> = self.nodes.iter().map(judged).collect();
        // Each round brings the values one ply further, whatever the order of the positions.
        for _ in 0..LONGEST {
            let best = |(&key, values): (&u64, &Vec<i16>)| {
                (key, values.iter().copied().max().unwrap_or(0))
            };
            let best: HashMap<u64, i16> = values.iter().map(best).collect();
            let mut changed = false;
            for (key, node) in &self.nodes {
                let of_moves = node.behind.iter().zip(&node.judged);
                let now: Vec<i16> = of_moves
                    .map(|(behind, &judged)| best.get(behind).map_or(judged, |value| -value))
                    .collect();
                changed |= values
                    .insert(*key, now.clone())
                    .is_none_or(|before| before != now);
            }
            if !changed {
                break;
            }
        }
        values
    }

    /// The positions to open next, the most urgent first: no more than `count`, none if the tree is whole.
    #[must_use]
    pub fn next(&self, count: usize) -> Vec<Position> {
        if count == 0 {
            return Vec::new();
        }
        let values = self.values();
        // The cost of a position is the cheapest way to it: a ply and the loss for each move.
        let mut costs: HashMap<u64, u32> = HashMap::new();
        let mut queue = BinaryHeap::new();
        let mut positions: Vec<Position> = Vec::new();
        let mut reach = |position: Position,
                         cost: u32,
                         queue: &mut BinaryHeap<_>,
                         positions: &mut Vec<Position>| {
            let known = costs.entry(position.key()).or_insert(u32::MAX);
            if cost < *known {
                *known = cost;
                queue.push(Reverse((cost, positions.len())));
                positions.push(position);
            }
        };
        for &root in &self.roots {
            reach(root, 0, &mut queue, &mut positions);
        }
        let mut done = HashSet::new();
        let mut next = Vec::new();
        while let Some(Reverse((cost, at))) = queue.pop() {
            let position = positions[at];
            if !done.insert(position.key()) {
                continue;
            }
            let (Some(node), Some(values)) =
                (self.nodes.get(&position.key()), values.get(&position.key()))
            else {
                if !position.legal_moves().is_empty() {
                    next.push(position);
                }
                if next.len() == count {
                    break;
                }
                continue;
            };
            let best = values.iter().copied().max().map_or(0, i32::from);
            for (&mv, &value) in node.moves.iter().zip(values) {
                // Where a game is decided nobody needs a book.
                if value.abs() < DECIDED {
                    let loss = (best - i32::from(value)).unsigned_abs();
                    let cost = cost + self.worth_a_ply + loss;
                    reach(position.play(mv), cost, &mut queue, &mut positions);
                }
            }
        }
        next
    }

    /// The book of what is known now.
    #[must_use]
    pub fn book(&self) -> Book {
        Book::new(self.values())
    }
}

/// From this value on a position is not opened, centi-men.
const DECIDED: i16 = 300;

#[cfg(test)]
mod tests {
    use super::*;

    /// Values as if drawn by lot, the same each time.
    fn judge(position: &Position) -> Vec<i16> {
        let moves = moves_in_order(position);
        moves
            .iter()
            .map(|&mv| (position.play(mv).key() % 61) as i16 - 30)
            .collect()
    }

    fn grown(count: usize) -> Tree {
        let mut tree = Tree::new(vec![Position::start()], 5);
        while tree.len() < count {
            for position in tree.next(3) {
                tree.open(&position, judge(&position));
            }
        }
        tree
    }

    #[test]
    fn values_are_those_of_a_plain_negamax_over_the_open_positions() {
        fn negamax(tree: &Tree, position: &Position) -> Option<i16> {
            let node = tree.nodes.get(&position.key())?;
            let moves = node.moves.iter().zip(&node.judged);
            moves
                .map(|(&mv, &judged)| match negamax(tree, &position.play(mv)) {
                    Some(value) => -value,
                    None => judged,
                })
                .max()
        }
        let tree = grown(200);
        let book = tree.book();
        assert_eq!(book.len(), tree.len());
        let start = Position::start();
        let best = book.moves(&start).expect("the start")[0].1;
        assert_eq!(Some(best), negamax(&tree, &start));
        for &mv in &start.legal_moves() {
            let position = start.play(mv);
            let best = book.moves(&position).map(|moves| moves[0].1);
            assert_eq!(best, negamax(&tree, &position));
        }
    }

    #[test]
    fn the_best_line_is_longer_than_the_worst() {
        let tree = grown(900);
        let depth = |better: bool| {
            let (mut position, mut plies) = (Position::start(), 0);
            let book = tree.book();
            while let Some(moves) = book.moves(&position) {
                let at = if better { 0 } else { moves.len() - 1 };
                position = position.play(moves[at].0);
                plies += 1;
            }
            plies
        };
        let (best, worst) = (depth(true), depth(false));
        assert!(best > worst + 1, "{best} {worst}");
    }

    #[test]
    fn what_is_decided_is_left_alone() {
        let start = Position::start();
        let mut tree = Tree::new(vec![start], 5);
        let count = moves_in_order(&start).len();
        tree.open(&start, vec![DECIDED; count]);
        assert!(tree.next(10).is_empty());
        tree.open(&start, vec![0; 3]);
        assert_eq!(tree.len(), 1);
    }
}
