#![allow(clippy::print_stdout)]
//! temp
use shashki::rules::*;
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let which = std::env::args().nth(2).unwrap_or_default();
    let p = if which == "k" {
        let mut s = Setup::empty(shashki::board::Side::White);
        for f in [0, 2, 4, 6] {
            s.white = s.white.with(shashki::board::Square::new(f, 0).unwrap());
            s.black = s.black.with(shashki::board::Square::new(f + 1, 7).unwrap());
        }
        s.kings = s.white | s.black;
        s.validate().unwrap()
    } else {
        Position::start()
    };
    let t = std::time::Instant::now();
    let n = perft::perft(&p, d);
    let e = t.elapsed().as_secs_f64();
    println!("perft {d} = {n} in {e:.3} s, {:.1} M/s", n as f64 / e / 1e6);
}
