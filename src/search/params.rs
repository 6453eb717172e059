//! The numbers of the search that may be tuned.

/// Makes the struct of parameters with its defaults, its names and a setter.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $least:literal..=$most:literal,)*) => {
        /// The numbers that may be tuned. The defaults are what measured best in matches.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }

        impl Params {
            /// Name, default, least and greatest value of each.
            pub const ALL: &[(&str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $least, $most),)*];

            /// Sets one by name; `None` if there is no such name or the value is out of range.
            pub fn set(&mut self, name: &str, value: i32) -> Option<()> {
                match name {
                    $(stringify!($name) if ($least..=$most).contains(&value) => {
                        self.$name = value;
                    })*
                    _ => return None,
                }
                Some(())
            }
        }
    };
}

params! {
    /// Half width of the first aspiration window, centi-men.
    aspiration = 20 in 1..=1000,
    /// Plies beyond the depth for which threats are looked into.
    threat_plies = 6 in 0..=64,
    /// A quiet position so much better than the window for each ply of depth left is not searched,
    /// centi-men.
    futility_margin = 34 in 1..=1000,
    /// Up to this depth, plies.
    futility_depth = 5 in 0..=20,
    /// With a window so far from a level game no node is cut off by judgement or ProbCut, centi-men.
    clear_lead = 316 in 100..=8_000,
    /// From this depth on a shallower search may show that a node is far outside its window, plies.
    probcut_depth = 5 in 2..=99,
    /// How far outside it must be, centi-men.
    probcut_margin = 26 in 1..=1000,
    /// How many plies shallower that search is, at least.
    probcut_reduction = 4 in 1..=20,
    /// From this depth on a node without a table move is searched one ply less deeply, plies.
    iir_depth = 3 in 1..=99,
    /// From this depth on a table move is looked at whether it is the only good one, plies.
    singular_depth = 7 in 3..=99,
    /// By how much all others must be worse for each ply of depth, in eighths of a centi-man.
    singular_margin = 12 in 1..=200,
    /// Reductions: what every late move has, in 1024ths of a ply.
    lmr_base = 385 in -2048..=4096,
    /// And for the product of the logarithms of depth and number of the move, in 1024ths.
    lmr_slope = 805 in 0..=4096,
    /// Less for a node on the best line, 1024ths.
    lmr_pv = 925 in 0..=4096,
    /// History that makes a ply of difference.
    lmr_history = 17000 in 512..=100_000,
    /// Late moves are reduced from this depth on, plies.
    lmr_depth = 3 in 1..=20,
    /// The first moves of a node are never reduced.
    lmr_moves = 3 in 1..=20,
    /// Up to this depth quiet moves in a position far below the window are left out, plies.
    move_futility_depth = 4 in 0..=20,
    /// How far below, centi-men.
    move_futility_base = 45 in 0..=1000,
    /// And for each ply of depth.
    move_futility_slope = 40 in 0..=1000,
    /// From this depth on the positions after all moves are looked up before any is searched, plies.
    etc_depth = 4 in 1..=99,
    /// Nodes up to this depth are kept in a table of the thread's own, plies.
    near_depth = 1 in 0..=99,
}

/// Rows and columns of the table; whatever is greater has the last.
const SIZE: usize = 64;

/// Reductions by depth and number of the move, in 1024ths of a ply.
pub(super) struct Reductions {
    table: Box<[[i32; SIZE]; SIZE]>,
    /// The base and the slope it is made from.
    made_from: (i32, i32),
}

impl Reductions {
    pub(super) fn new(params: &Params) -> Reductions {
        let mut table = Box::new([[0; SIZE]; SIZE]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = libm::log(depth as f64) * libm::log(number as f64);
                *entry = params.lmr_base + (product * f64::from(params.lmr_slope)) as i32;
            }
        }
        Reductions {
            table,
            made_from: (params.lmr_base, params.lmr_slope),
        }
    }

    /// Makes the table anew if it was made from other parameters.
    pub(super) fn fit(&mut self, params: &Params) {
        if self.made_from != (params.lmr_base, params.lmr_slope) {
            *self = Reductions::new(params);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        self.table[(depth.max(0) as usize).min(SIZE - 1)][number.min(SIZE - 1)]
    }
}

/// A ply in the parts that reductions are counted in.
pub(super) const PLY: i32 = 1024;
/// A window that would become wider is opened, centi-men.
pub(super) const WIDEST_ASPIRATION: i32 = 1000;
/// From this depth on, windows are used, plies.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// History values stay within plus and minus this.
pub(super) const HISTORY_LIMIT: i32 = 16_384;
