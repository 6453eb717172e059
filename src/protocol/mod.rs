//! The text protocols over standard input and output.
//!
//! Input is read by a thread of its own, so that `stop` and `isready` are heard while the engine
//! thinks. What may not happen during a search waits in line until it is over. Nothing here may panic
//! on outside input.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod conversation;
pub(crate) mod input;
pub(crate) mod output;

pub mod hub;
pub mod uci;

use crate::engine::options::Options;
use conversation::Turn;

/// Speaks UCI on standard input and output until it is told to quit or its input ends; begins with
/// `options`. If the first line is `hub`, goes on in Hub.
pub fn run_uci(options: Options) {
    let mut feed = input::Feed::from_stdin();
    let uci = uci::session::Session::new(options.clone(), feed.sender());
    if let Some(Turn::Switch) = conversation::hold(uci, &mut feed) {
        run_hub_on(options, &mut feed, true);
    }
}

/// Speaks Hub on standard input and output until it is told to quit or its input ends; begins with
/// `options`.
pub fn run_hub(options: Options) {
    run_hub_on(options, &mut input::Feed::from_stdin(), false);
}

/// `greeting`: the word `hub` has been said and is to be answered.
fn run_hub_on(options: Options, feed: &mut input::Feed, greeting: bool) {
    let hub = hub::session::Session::new(options, feed.sender());
    if greeting {
        hub.greet();
    }
    conversation::hold(hub, feed);
}
