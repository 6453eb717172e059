#![allow(clippy::print_stdout)]
//! temp
use shashki::rules::*;
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    if std::env::args().nth(2).as_deref() == Some("b") {
        let s = shashki::engine::bench::run(
            d,
            std::env::args().nth(3).map_or(1, |t| t.parse().unwrap()),
            |l| println!("{l:?}"),
        )
        .unwrap();
        println!(
            "{} nodes {:?} {} nps",
            s.nodes,
            s.time,
            s.nodes as f64 / s.time.as_secs_f64()
        );
        return;
    }
    let t = std::time::Instant::now();
    let n = perft::perft(&Position::start(), d);
    let e = t.elapsed().as_secs_f64();
    println!("perft {d} = {n} in {e:.3} s, {:.1} M/s", n as f64 / e / 1e6);
}
