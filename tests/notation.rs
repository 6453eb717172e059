//! FEN and move texts that users sent.

use crate::support::{position, positions_lines};
use shashki::notation::{MoveError, Numbering, Spelling, fen, movetext};
use shashki::rules::Position;

#[test]
fn every_spelling_of_the_start_position_is_read() {
    let spellings = [
        "W:W21-32:B1-12",
        "W:B1-12:W21-32",
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
        "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
        "W:W29,30,31,32,25,26,27,28,21,22,23,24:B9,10,11,12,5,6,7,8,1,2,3,4.",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12:H0:F1",
        "w:w21-32 : b1-12",
        "\"W:W21-32:B1-12\"",
        "[FEN \"W:W21-32:B1-12.\"]",
        "Wbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww",
        "bbbbbbbbbbbb........wwwwwwwwwwwww",
        "  W:W21-32:B1-12\r\n",
    ];
    for text in spellings {
        assert_eq!(position(text), Position::start(), "{text}");
    }
    let mirrored = fen::read("W:W1-12:B21-32", Numbering::A1).expect("numbers from a1");
    assert_eq!(mirrored.position, Position::start());
}

#[test]
fn the_half_move_field_is_kept() {
    let read = fen::read("W:WK1:BK32:H17:F40", Numbering::B8).expect("good");
    assert_eq!(read.half_moves, 17);
}

#[test]
fn one_sided_boards_are_positions() {
    for text in ["B:W18:B", "W:W:BK1", "W:WK3:B20"] {
        let _ = position(text);
    }
    assert_eq!(
        fen::write(&position("B:W18:B"), Spelling::Algebraic),
        "B:Wd4:B"
    );
}

#[test]
fn written_in_a_fixed_form() {
    let text = "B:Wc1,a1,Kd4:Bd8,b8,KA5";
    let position = position(text);
    assert_eq!(
        fen::write(&position, Spelling::Algebraic),
        "B:Wa1,c1,Kd4:BKa5,b8,d8"
    );
    let numeric = fen::write(&position, Spelling::Numeric(Numbering::B8));
    assert_eq!(numeric, "B:WK18,29,30:B1,2,K13");
}

#[test]
fn bad_positions_are_refused_with_the_fault_and_its_place() {
    for line in positions_lines("invalid_fen.txt") {
        let (text, message) = line.split_once(" | ").expect("FEN | message");
        let text = if text == "<empty>" { "" } else { text };
        let error = fen::read(text, Numbering::B8).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    // Ten thousand characters of the same piece.
    let long = format!("W:W{}:B1", "K1,".repeat(3400));
    assert!(fen::read(&long, Numbering::B8).is_err());
}

#[test]
fn golden_moves_in_every_spelling() {
    // FEN | path | numbers | Hub from b8 | Hub from a1 | Kallisto
    let golden = [
        "W:Wc3:Bd4 | c3:e5 | 22x15 | 22x15x18 | 10x19x14 | c3:d4:e5",
        "W:Wa3:Bb4,d6 | a3:c5:e7 | 21x14x7 | 21x7x10x17 | 9x27x13x22 | a3:b4:d6:e7",
        "W:Wf6:Bc7,e7 | f6:d8:b6 | 11x2x9 | 11x9x6x7 | 23x21x26x27 | f6:e7:c7:b6",
        "W:Wf6:Bc7,e7 | f6:d8:a5 | 11x2x13 | 11x13x6x7 | 23x17x26x27 | f6:e7:c7:a5",
        "B:Wc5,g5:Bb6,d2 | b6:d4 | 9x18 | 9x18x14 | 21x14x18 | b6:c5:d4",
        "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8 | h4:f6:d4:b6 | 20x11x18x9 | 20x9x14x15x16 | 16x21x18x19x20 | h4:g5:e5:c5:b6",
        "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8 | f8:b4 | 3x17 | 3x17x14 | 31x13x18 | f8:c5:b4",
        "W:Wa3,b2,h2,e3,g3,h4,a5,Kf8:Bc5,e5,g5,g7,h8 | f8:h6:f4:d6:b4 | 3x12x19x10x17 | 3x17x8x14x15x16 | 31x13x18x19x20x28 | f8:g7:g5:e5:c5:b4",
        "W:WKa1:Bb2,f2,g5,b6,e7 | a1:d4:a7 | 29x18x5 | 29x5x9x25 | 1x25x5x21 | a1:b2:b6:a7",
        "W:WKa1:Bb2,f2,g5,b6,e7 | a1:f6:h4:e1 | 29x11x20x31 | 29x31x16x25x27 | 1x3x5x7x20 | a1:b2:g5:f2:e1",
        "W:Wh6:Bb4,e7,g7 | h6:f8:d6:a3 | 12x3x10x21 | 12x21x7x8x17 | 24x9x13x27x28 | h6:g7:e7:b4:a3",
        "W:WKe7:Bf2,c3,f4,f6 | e7:g5:d2:b4 | 7x16x26x17 | 7x17x11x19x22 | 27x13x10x15x23 | e7:f6:f4:c3:b4",
    ];
    for line in golden {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [fen, full, numeric, hub_b8, hub_a1, kallisto] = fields[..] else {
            panic!("{line}")
        };
        let position = position(fen);
        let mv = movetext::read(&position, full, Numbering::B8).expect(line);
        let b8 = Spelling::Numeric(Numbering::B8);
        assert_eq!(
            movetext::read(&position, numeric, Numbering::B8),
            Ok(mv),
            "{line}"
        );
        assert_eq!(
            movetext::read(&position, hub_b8, Numbering::B8),
            Ok(mv),
            "{line}"
        );
        assert_eq!(
            movetext::read(&position, kallisto, Numbering::B8),
            Ok(mv),
            "{line}"
        );
        assert_eq!(
            movetext::read_hub(&position, hub_b8, Numbering::B8),
            Some(mv),
            "{line}"
        );
        assert_eq!(
            movetext::read_hub(&position, hub_a1, Numbering::A1),
            Some(mv),
            "{line}"
        );
        assert_eq!(movetext::write_hub(mv, Numbering::B8), hub_b8, "{line}");
        assert_eq!(movetext::write_hub(mv, Numbering::A1), hub_a1, "{line}");
        let written = movetext::write_full(&position, mv, b8);
        assert_eq!(
            movetext::read(&position, &written, Numbering::B8),
            Ok(mv),
            "{line}"
        );
    }
    let start = Position::start();
    let spelled = [
        ("a3-b4", "21-17", "9-13"),
        ("c3-b4", "22-17", "10-13"),
        ("c3-d4", "22-18", "10-14"),
        ("e3-d4", "23-18", "11-14"),
        ("e3-f4", "23-19", "11-15"),
        ("g3-f4", "24-19", "12-15"),
        ("g3-h4", "24-20", "12-16"),
    ];
    for (letters, b8, a1) in spelled {
        let mv = movetext::read(&start, letters, Numbering::B8).expect(letters);
        assert_eq!(
            movetext::write_full(&start, mv, Spelling::Algebraic),
            letters
        );
        assert_eq!(movetext::write_hub(mv, Numbering::B8), b8);
        assert_eq!(movetext::write_hub(mv, Numbering::A1), a1);
        assert_eq!(movetext::read(&start, b8, Numbering::B8), Ok(mv));
    }
}

#[test]
fn captured_squares_come_in_any_order_over_hub() {
    let position = position("W:WK3,13,20,21,23,24,25,28:B4,8,14,15,16");
    let four = movetext::read_hub(&position, "3x17x8x14x15x16", Numbering::B8).expect("legal");
    assert_eq!(four.captured().count(), 4);
    for text in [
        "3x17x8x16x15x14",
        "3x17x16x15x14x8",
        "3x17x15x8x16x14",
        "3x17x14x8x16x15",
    ] {
        assert_eq!(
            movetext::read_hub(&position, text, Numbering::B8),
            Some(four),
            "{text}"
        );
    }
    let one = movetext::read_hub(&position, "3x17x14", Numbering::B8).expect("legal");
    assert_eq!(one.captured().count(), 1);
    assert_eq!(movetext::read_hub(&position, "3x17", Numbering::B8), None);
    // A round trip takes four and ends where it began.
    let round = crate::support::position("W:W6:B9,10,17,18,23,27");
    let mv = movetext::read_hub(&round, "6x6x9x10x17x18", Numbering::B8).expect("legal");
    assert_eq!(mv.from(), mv.to());
}

#[test]
fn club_shorthand_marks_case_and_cyrillic_letters_are_read() {
    let start = Position::start();
    let expected = movetext::read(&start, "c3-d4", Numbering::B8).expect("legal");
    let spellings = [
        "cd4", "c3d4", "C3-D4", "c3-d4!?", "c3-d4$3", "с3-d4", "c3xd4", "c3:d4", "c3–d4", "22-18",
        "2218", " c3-d4 ", "c3*d4", "С3-D4",
    ];
    for text in spellings {
        assert_eq!(
            movetext::read(&start, text, Numbering::B8),
            Ok(expected),
            "{text}"
        );
    }
    // 1.cd4 fg5 2.dc5 b:d4 3.e:c5
    let mut position = start;
    for text in ["cd4", "fg5", "dc5", "b:d4", "e:c5"] {
        let mv = movetext::read(&position, text, Numbering::B8).expect(text);
        position = position.play(mv);
    }
    // A capture without a sign, as drawing tables have it.
    let capture = crate::support::position("W:Wh4:Bg5");
    assert!(movetext::read(&capture, "hf6", Numbering::B8).is_ok());
}

#[test]
fn wrong_moves_are_refused_with_a_reason() {
    let refuse = |fen: &str, text: &str| {
        movetext::read(&position(fen), text, Numbering::B8)
            .expect_err(text)
            .to_string()
    };
    let start = "W:W21-32:B1-12";
    assert_eq!(refuse(start, "c3-e5"), "illegal move \"c3-e5\"");
    assert_eq!(
        refuse(start, "c3-c4"),
        "cannot read move \"c3-c4\": a light square at character 4"
    );
    assert_eq!(
        refuse(start, "e4"),
        "cannot read move \"e4\": a light square at character 1"
    );
    assert_eq!(
        refuse(start, "c3"),
        "cannot read move \"c3\": a move needs two squares at character 3"
    );
    assert_eq!(
        refuse(start, "я3-d4"),
        "cannot read move \"я3-d4\": unexpected \"я\" at character 1"
    );
    assert_eq!(
        refuse(start, "11-15"),
        "illegal move \"11-15\": no piece of White there"
    );
    assert_eq!(
        refuse("W:W22,24:B18", "g3-h4"),
        "illegal move \"g3-h4\": a capture is compulsory, c3:e5"
    );
    assert_eq!(
        refuse("W:W12:B8,14,26", "h6:f8"),
        "illegal move \"h6:f8\": the capture goes on, h6:f8:b4:e1"
    );
    assert_eq!(
        refuse("W:W12:B3,8", "h6-g7"),
        "illegal move \"h6-g7\": there is no legal move"
    );
    // King must land where the capture goes on.
    for text in ["g1:c5", "g1:b6", "g1:a7"] {
        assert!(
            refuse("B:W15,23:BK32", text).starts_with("illegal move"),
            "{text}"
        );
    }
    let board = position("W:WK26:B8,9,10,11,19");
    let ambiguous = movetext::read(&board, "d2:a7", Numbering::B8).expect_err("two moves");
    let MoveError::Ambiguous { choices, .. } = ambiguous else {
        panic!("{ambiguous}")
    };
    assert_eq!(choices.len(), 2);
    for choice in choices {
        assert!(movetext::read(&board, &choice, Numbering::B8).is_ok());
    }
}

#[test]
fn partial_jumps_are_refused_and_whole_ones_lead_on() {
    let mut position = Position::start();
    for text in "24-20 11-16 20x11 7x16 22-17 9-13 25-22 6-9 22-18".split(' ') {
        position = position.play(movetext::read(&position, text, Numbering::B8).expect(text));
    }
    assert_eq!(position.legal_moves().len(), 1);
    let error = movetext::read(&position, "13x22", Numbering::B8).expect_err("unfinished");
    assert!(error.to_string().contains("the capture goes on"), "{error}");
    let after = "W:W21,23,26,27,28,29,30,31,32:B1,2,3,4,5,8,9,10,12,15,16";
    for text in ["13x15", "13x22x15"] {
        let mv = movetext::read(&position, text, Numbering::B8).expect(text);
        assert_eq!(position.play(mv), crate::support::position(after));
    }
}
