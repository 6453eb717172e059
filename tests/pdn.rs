//! Game files: our own, and outside ones that may not be copied, where they are at hand.

use crate::support::{outside_files, position, positions_file};
use shashki::notation::pdn::{self, Encoding, Item, Outcome, PdnGame, Reader};
use std::fs::File;
use std::path::Path;

fn games(path: &Path) -> Vec<PdnGame> {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Reader::new(file)
        .map(|game| game.expect("readable"))
        .collect()
}

fn own(name: &str) -> Vec<PdnGame> {
    games(&positions_file("pdn").join(name))
}

fn read(text: &str) -> Vec<PdnGame> {
    Reader::new(text.as_bytes())
        .map(|game| game.expect("readable"))
        .collect()
}

#[test]
fn two_thousand_generated_games_end_where_they_say() {
    let games = own("generated_2000_random.pdn");
    assert_eq!(games.len(), 2000);
    let mut plies = 0;
    for game in &games {
        assert!(game.faults.is_empty());
        let replay = game.replay().unwrap_or_else(|e| panic!("{e}"));
        let end = game.tag("FinalFEN").expect("FinalFEN");
        assert_eq!(replay.end, position(end), "game {}", game.number);
        plies += replay.moves.len();
    }
    assert_eq!(plies, 96_943);
}

#[test]
fn what_is_written_is_read_back() {
    let mut files: Vec<_> = std::fs::read_dir(positions_file("pdn"))
        .expect("positions/pdn")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "pdn"))
        .collect();
    files.sort();
    for path in files {
        for game in games(&path) {
            let text = pdn::write(&game);
            let again = read(&text);
            assert_eq!(again.len(), 1, "{}\n{text}", path.display());
            assert_same_text(&game, &again[0]);
        }
    }
}

/// Equal but for places in the file.
fn assert_same_text(a: &PdnGame, b: &PdnGame) {
    fn bare(items: &[Item]) -> Vec<Item> {
        items
            .iter()
            .cloned()
            .map(|item| match item {
                Item::Move { text, .. } => Item::Move { text, line: 0 },
                Item::Variation(items) => Item::Variation(bare(&items)),
                other => other,
            })
            .collect()
    }
    assert_eq!(a.tags, b.tags);
    assert_eq!(bare(&a.items), bare(&b.items));
    assert_eq!(a.outcome(), b.outcome());
}

#[test]
fn a_rich_game_round_trips() {
    let text = r#"[Event "quotes \" and \\ backslash"]
[White "Иванов"]
[Result "1-1"]
[FEN "B:W18,23:B9,11"]

{before} 1... f6-g5! {[%clock w0:05:00 B0:04:58] good} (1... b6-c5 $2 2. d4:b6 (2. xx) {nested {brace} here}) 2. e3-f4 ; to the end
$14 g5:c5 1-1
"#;
    let games = read(text);
    assert_eq!(games.len(), 1);
    let game = &games[0];
    assert_eq!(game.tag("event"), Some("quotes \" and \\ backslash"));
    assert_eq!(game.outcome(), Outcome::Draw);
    assert_eq!(
        game.moves().collect::<Vec<_>>(),
        ["f6-g5", "e3-f4", "g5:c5"]
    );
    assert!(game.items.contains(&Item::Nag(1)) && game.items.contains(&Item::Nag(14)));
    let again = read(&pdn::write(game));
    assert_same_text(game, &again[0]);
}

#[test]
fn the_same_two_games_in_every_encoding_and_line_end() {
    let names = [
        "bom_utf8",
        "utf16le_bom",
        "cp1251_crlf",
        "cr_only",
        "no_final_newline_glued",
    ];
    for name in names {
        let games = own(&format!("{name}.pdn"));
        assert_eq!(games.len(), 2, "{name}");
        assert_eq!(games[0].tag("White"), Some("Полоусов А."), "{name}");
        let ends: Vec<_> = games
            .iter()
            .map(|game| game.replay().unwrap_or_else(|e| panic!("{name}: {e}")).end)
            .collect();
        assert_eq!(
            ends[0],
            position("B:W22,24,28,31,32,K13:B1,3,4,5,10,19"),
            "{name}"
        );
        assert_eq!(ends[1], position("B:W32,K12:B6,9,20"), "{name}");
        assert!(
            games
                .iter()
                .all(|game| game.outcome() == Outcome::WhiteWins)
        );
    }
    let dos = encoding_rs_866("[White \"Полоусов\"]\n1. c3-d4 *\n");
    let game = Reader::with_encoding(dos.as_slice(), Encoding::Cp866).next_game();
    assert_eq!(
        game.expect("readable").expect("a game").tag("White"),
        Some("Полоусов")
    );
}

/// cp866 by hand: А-п at 0x80, р-я at 0xE0.
fn encoding_rs_866(text: &str) -> Vec<u8> {
    text.chars()
        .map(|c| match c as u32 {
            c @ 0x410..=0x43F => (c - 0x410 + 0x80) as u8,
            c @ 0x440..=0x44F => (c - 0x440 + 0xE0) as u8,
            c => c as u8,
        })
        .collect()
}

#[test]
fn one_bad_game_does_not_hide_the_others() {
    let games = own("bad_game_in_the_middle.pdn");
    assert_eq!(games.len(), 3);
    assert!(games[0].replay().is_ok());
    assert!(games[2].replay().is_ok());
    let error = games[1].replay().expect_err("illegal");
    assert_eq!((error.game, error.ply), (2, 3));
    assert!(
        error.to_string().contains("a capture is compulsory"),
        "{error}"
    );
}

#[test]
fn a_cut_off_file_gives_the_whole_games_and_the_fault() {
    let games = own("truncated_in_comment.pdn");
    assert_eq!(games.len(), 2);
    assert!(games[0].faults.is_empty() && games[0].replay().is_ok());
    assert_eq!(games[1].faults.len(), 1);
    assert!(
        games[1].faults[0]
            .to_string()
            .contains("comment is not closed")
    );
    // In the middle of a file the next tags end the comment.
    let games = read("[White \"A\"]\n1. c3-d4 {cut\n[White \"B\"]\n1. c3-b4 *\n");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].tag("White"), Some("B"));
}

#[test]
fn cyrillic_letters_in_squares_are_read_as_what_they_look_like() {
    let games = own("cyrillic_lookalike_squares.pdn");
    assert_eq!(games.len(), 2);
    for game in games {
        assert!(game.replay().is_ok());
    }
}

#[test]
fn results_in_every_spelling() {
    let spellings = [
        ("1-0", Outcome::WhiteWins),
        ("2-0", Outcome::WhiteWins),
        ("0-1", Outcome::BlackWins),
        ("0-2", Outcome::BlackWins),
        ("1/2-1/2", Outcome::Draw),
        ("1-1", Outcome::Draw),
        ("½-½", Outcome::Draw),
        ("½–½", Outcome::Draw),
        ("0.5-0.5", Outcome::Draw),
        ("0-0", Outcome::NoPoints),
        ("*", Outcome::Unknown),
    ];
    for (text, outcome) in spellings {
        let games = read(&format!("1. c3-d4 d6-c5 {text}\n1. c3-b4 {text}"));
        assert_eq!(games.len(), 2, "{text}");
        assert!(games.iter().all(|game| game.outcome() == outcome), "{text}");
        let tagged = read(&format!("[Result \"{text}\"]\n1. c3-d4"));
        assert_eq!(tagged[0].outcome(), outcome, "{text}");
    }
    // Glued to the last move.
    assert_eq!(read("1. c3-d4*")[0].moves().collect::<Vec<_>>(), ["c3-d4"]);
    assert_eq!(read("1. c3-d4 d6-c51-1")[0].outcome(), Outcome::Draw);
}

#[test]
fn headers_without_moves_are_games_of_their_own() {
    let games = read("[Event \"a\"]\n[White \"x\"]\n\n[Event \"b\"]\n\n1. c3-d4 *\n\n1. c3-b4 *\n");
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].moves().count(), 0);
    assert_eq!(games[1].tag("Event"), Some("b"));
    assert!(games[2].tags.is_empty());
}

#[test]
fn odd_things_between_moves_are_passed_over() {
    let games = read(
        "1. c3-d4 ± d6-c5 [%clk 0:01:02] (!?) 2. - - {end} % not a comment\n% a comment line\n*",
    );
    assert_eq!(games.len(), 1);
    let moves: Vec<_> = games[0].moves().filter(|text| text.contains('-')).collect();
    assert_eq!(
        moves,
        ["c3-d4", "d6-c5", "-"]
            .into_iter()
            .take(2)
            .collect::<Vec<_>>()
    );
    let games = read("[a \"\"]\n[b broken\n1. c3-d4 (2. x (3. y) *");
    assert!(games[0].faults.len() >= 2);
    let deep = format!("1. c3-d4 {} *", "(".repeat(100_000));
    assert!(!read(&deep)[0].faults.is_empty());
}

#[test]
fn what_stands_in_a_comment_stays_in_it() {
    for padding in 0..90 {
        let comment = format!("{} [Site \"x\"] {{y}} tail", "a".repeat(padding));
        let text = format!("1. c3-d4 {{{comment}}} d6-c5 *");
        let game = &read(&text)[0];
        let again = read(&pdn::write(game));
        assert_eq!(again.len(), 1, "{padding}");
        assert_same_text(game, &again[0]);
    }
    let long = format!("[Event \"{0}\"]\n1. c3-d4 {{{0}}} *", "x".repeat(3 << 20));
    let game = &read(&long)[0];
    assert_eq!(game.faults.len(), 2);
    assert_eq!(game.moves().count(), 1);
}

#[test]
fn numbers_count_from_a1_only_where_the_game_says_so() {
    let games = read("[GameType \"25,W,8,8,N0,0\"]\n1. 10-14 *\n[GameType \"25\"]\n1. 22-18 *");
    let first: Vec<_> = games
        .iter()
        .map(|game| game.replay().expect("legal").end)
        .collect();
    assert_eq!(first[0], first[1]);
    let english = read("1. 11-15 23-18 *");
    let error = english[0].replay().expect_err("black first");
    assert_eq!(error.ply, 1);
}

#[test]
fn a_played_game_is_written_with_result_and_reason() {
    use shashki::notation::{Numbering, movetext};
    use shashki::rules::{DrawRules, Game};
    let mut game = Game::new(position("W:WKh2:BKb8"), DrawRules::standard());
    for text in [
        "h2-g1", "b8-a7", "g1-h2", "a7-b8", "h2-g1", "b8-a7", "g1-h2", "a7-b8",
    ] {
        let mv = movetext::read(game.position(), text, Numbering::B8).expect("legal");
        assert!(game.play(mv));
    }
    let pdn = pdn::from_game(&game, &[("White", "A")], pdn::CaptureSign::Colon);
    let text = pdn::write(&pdn).replace('\n', " ");
    assert!(text.contains("[Result \"1/2-1/2\"]"), "{text}");
    assert!(
        text.contains("{draw: threefold repetition} 1/2-1/2"),
        "{text}"
    );
    assert!(text.contains("[FEN \"W:WKh2:BKb8\"]"), "{text}");
    assert_eq!(
        read(&text)[0].replay().expect("legal").end,
        *game.position()
    );
    let lost = Game::new(position("W:W12:B3,8"), DrawRules::standard());
    let text = pdn::write(&pdn::from_game(&lost, &[], pdn::CaptureSign::Colon));
    assert!(
        text.contains("{Black wins: White has no moves} 0-1"),
        "{text}"
    );
}

/// Ambiguous captures are written with their whole path, so that the file reads back the same.
#[test]
fn ambiguous_captures_survive_export() {
    use shashki::rules::{DrawRules, Game};
    for fen in [
        "W:W13,20,21,23,24,25,28,K3:B4,8,14,15,16",
        "W:WK26:B8,9,10,11,19",
        "B:W6,7,8,16:BK12",
    ] {
        let start = position(fen);
        for mv in start.legal_moves() {
            let mut game = Game::new(start, DrawRules::standard());
            assert!(game.play(mv));
            let pdn = pdn::from_game(&game, &[], pdn::CaptureSign::Cross);
            assert_eq!(
                read(&pdn::write(&pdn))[0].replay().expect("legal").moves,
                [mv]
            );
        }
    }
}

#[test]
fn any_bytes_are_survived() {
    let mut random = crate::support::Random::new(5);
    for _ in 0..300 {
        let bytes: Vec<u8> = (0..random.below(2000))
            .map(|_| match random.below(3) {
                0 => b"[]{}()\"/$;%!? \n\r.*-"[random.below(19)],
                1 => b"c3d4e5x12[FEN"[random.below(13)],
                _ => random.below(256) as u8,
            })
            .collect();
        for game in Reader::new(bytes.as_slice()) {
            let game = game.expect("readable");
            let _ = game.replay();
            let _ = pdn::write(&game);
        }
    }
}

/// Files whose licences do not let them into the project, where they are at hand: how many games each
/// has, how many replay, and their plies in all (None where that is not known).
#[test]
fn real_files_replay() {
    let Some(found) = outside_files("pdn/found") else {
        return;
    };
    let expected: [(&str, usize, usize, Option<usize>); 12] = [
        ("ussr1947_2023.pdn", 153, 153, Some(8730)),
        ("abatsiev_2023.pdn", 56, 56, Some(2648)),
        ("abatsiev_2017.pdn", 56, 56, Some(2648)),
        ("ussr_first_championship_extracted.pdn", 29, 29, Some(1631)),
        ("legacy_two_games.pdn", 2, 2, None),
        ("gwt_king_game.pdn", 1, 1, None),
        ("hcheckers_idf64_draws_745.pdn", 745, 353, None),
        // 21 blocks of tags and 9 texts of moves, torn apart: 8 of the texts follow some tags.
        ("lidraughts_random.pdn", 22, 22, Some(585)),
        ("czech_mrcd2000kval.pdn", 40, 8, None),
        ("czech_mrcd2006.pdn", 44, 10, None),
        ("czech_mrcd2007.pdn", 102, 18, None),
        ("czech_mrdrcd07.pdn", 72, 6, None),
    ];
    let mut wrong = Vec::new();
    for (name, total, legal, plies) in expected {
        let games = games(&found.join(name));
        let replays: Vec<_> = games.iter().filter_map(|game| game.replay().ok()).collect();
        let played: usize = replays.iter().map(|replay| replay.moves.len()).sum();
        let got = (games.len(), replays.len(), plies.map(|_| played));
        if got != (total, legal, plies) {
            let first = games.iter().find_map(|game| game.replay().err());
            wrong.push(format!(
                "{name}: {got:?}, expected {:?}; {first:?}",
                (total, legal, plies)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn odd_files_are_survived() {
    let Some(found) = outside_files("pdn/found") else {
        return;
    };
    let mut replaying = 0;
    for folder in [found.clone(), found.join("lynxr")] {
        for entry in std::fs::read_dir(folder).expect("folder") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|e| e == "pdn") {
                let games = games(&path);
                for game in &games {
                    let _ = pdn::write(game);
                }
                let legal = games
                    .iter()
                    .any(|game| game.replay().is_ok_and(|r| !r.moves.is_empty()));
                if legal && path.parent().is_some_and(|p| p.ends_with("lynxr")) {
                    replaying += 1;
                }
            }
        }
    }
    assert_eq!(replaying, 18);
}

/// Opening tables of the federations, with moves in club shorthand (`ab4 ba5`), where they are at hand.
#[test]
fn opening_tables_replay_in_club_shorthand() {
    use shashki::notation::{Numbering, fen, movetext};
    use shashki::rules::Position;
    let Some(openings) = outside_files("openings") else {
        return;
    };
    let Some(found) = outside_files("pdn/found") else {
        return;
    };
    let table = std::fs::read_to_string(openings.join("tables.tsv")).expect("readable");
    let mut replayed = 0;
    let mut placed = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, code, kind, text, algebraic, numeric, ..] = fields[..] else {
            panic!("{line}")
        };
        assert_eq!(position(algebraic), position(numeric), "{code}");
        if kind != "moves" {
            placed += 1;
            continue;
        }
        let mut board = Position::start();
        for word in text.split_whitespace() {
            let mv = movetext::read(&board, word, Numbering::B8)
                .unwrap_or_else(|error| panic!("{code}: {error}"));
            board = board.play(mv);
        }
        assert_eq!(board, position(algebraic), "{code}");
        replayed += 1;
    }
    assert_eq!((replayed, placed), (842, 789));
    // The drawn openings of another collection, one FEN a line.
    let fens = std::fs::read_to_string(found.join("hcheckers_idf64_draws_745.fen"));
    let fens = fens.expect("readable");
    let read = fens
        .lines()
        .filter_map(|line| line.split('\t').nth(1))
        .filter(|text| fen::read(text, Numbering::B8).is_ok())
        .count();
    assert_eq!(read, 745);
    // Two tables with moves as they are told in clubs, captures without a sign.
    for (name, expected) in [("drawtable_IDF.tsv", 498), ("drawtable_FMJD.tsv", 344)] {
        let table = std::fs::read_to_string(found.join(name)).expect("readable");
        let replay = |line: &&str| {
            let text = line.split('\t').nth(3)?;
            let mut board = Position::start();
            for word in text.split_whitespace() {
                board = board.play(movetext::read(&board, word, Numbering::B8).ok()?);
            }
            (!text.trim().is_empty()).then_some(())
        };
        let replayed = table.lines().filter(|line| replay(line).is_some()).count();
        assert_eq!(replayed, expected, "{name}");
    }
}
