//! The layers: a module may import its own layer and those below, nothing above.

use crate::support::root;
use std::path::{Path, PathBuf};

/// The modules of the crate root, lowest layer first.
const LAYERS: &[&[&str]] = &[
    &["board", "files"],
    &["rules"],
    &["notation", "score"],
    &["book", "eval", "tb", "tt"],
    &["search"],
    &["engine"],
    &["protocol", "matches", "analyse", "annotate", "cli"],
];

/// What a layer may import beside itself from its own layer: (who, whom).
const NEIGHBOURS: &[(&str, &str)] = &[
    // The command line starts the protocols and writes lines as they do.
    ("cli", "protocol"),
    ("cli", "matches"),
    ("cli", "analyse"),
    ("cli", "annotate"),
    // A game is judged by thinking about its positions.
    ("annotate", "analyse"),
    // The runner is the other end of the protocol: it reads Hub lines as the engine writes them.
    ("matches", "protocol"),
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The faults of one source text that belongs to a module of the crate root.
fn faults(module: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let own = layer(module).expect("a listed module");
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        if code.contains("super::super") {
            faults.push(format!("line {number}: super::super hides where it leads"));
        }
        for (at, found) in line.match_indices("crate::") {
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &line[at + found.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let target = &rest[..end.unwrap_or(rest.len())];
            let allowed = layer(target).is_some_and(|theirs| {
                theirs < own || target == module || NEIGHBOURS.contains(&(module, target))
            });
            if !allowed {
                faults.push(format!(
                    "line {number}: {module} may not use crate::{target}"
                ));
            }
        }
    }
    faults
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// (module of the crate root, text) of every source but the two roots.
fn modules() -> Vec<(String, PathBuf, String)> {
    let src = root().join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    files
        .into_iter()
        .filter_map(|path| {
            let inside = path.strip_prefix(&src).expect("below src");
            let first = inside.components().next().expect("a name");
            let module = first
                .as_os_str()
                .to_str()
                .expect("UTF-8")
                .trim_end_matches(".rs");
            let module = module.to_owned();
            if module == "lib" || module == "main" {
                return None;
            }
            let text = std::fs::read_to_string(&path).expect("readable");
            Some((module, path, text))
        })
        .collect()
}

#[test]
fn no_module_imports_from_above() {
    let modules = modules();
    assert!(modules.len() > 40);
    let all: Vec<String> = modules
        .iter()
        .flat_map(|(module, path, text)| {
            faults(module, text)
                .into_iter()
                .map(move |f| format!("{}: {f}", path.display()))
        })
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn the_check_itself_tells_good_from_bad() {
    let bad = [
        ("board", "use crate::rules::Move;"),
        ("search", "fn f() { crate::engine::Engine::new(); }"),
        ("eval", "use crate::{rules, tt};"),
        ("rules", "pub use crate::*;"),
        ("tt", "use crate::eval::evaluate;"),
        ("notation", "use super::super::engine::Engine;"),
    ];
    for (module, text) in bad {
        assert_eq!(faults(module, text).len(), 1, "{module}: {text}");
    }
    let good = [
        ("search", "use crate::rules::Move;\nuse crate::tt::Bound;"),
        ("cli", "use crate::protocol::output;"),
        (
            "board",
            "// as crate::search does\nuse crate::board::Square;",
        ),
    ];
    for (module, text) in good {
        assert_eq!(
            faults(module, text),
            Vec::<String>::new(),
            "{module}: {text}"
        );
    }
}

#[test]
fn every_module_of_the_root_has_a_layer() {
    let lib = std::fs::read_to_string(root().join("src/lib.rs")).expect("readable");
    let declared = lib.lines().filter_map(|line| line.strip_prefix("pub mod "));
    for module in declared.map(|line| line.trim_end_matches(';')) {
        assert!(layer(module).is_some(), "{module} has no layer");
    }
}

#[test]
fn one_file_alone_writes_to_standard_output_and_one_reads_standard_input() {
    for (_, path, text) in modules() {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        assert!(
            !text.contains("io::stdout()") || name == "output.rs",
            "{}",
            path.display()
        );
        assert!(
            !text.contains("io::stdin()") || name == "input.rs",
            "{}",
            path.display()
        );
    }
}
