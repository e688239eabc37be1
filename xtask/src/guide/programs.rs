//! The programs of a chapter, and what the chapter says that they print.
//!
//! The blocks of Rust of a chapter are one program, up to and with the block that has `main`; the next block begins
//! another one. Each block of C or Python is a program. A block `console` that begins with `$ cargo run`, `$ ./program` or
//! `$ python3 program.py`, perhaps with variables in front, is a run of the program before it.

use super::chapter::{Block, Chapter, blocks};

/// A program of a chapter.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// A name of its own, also as a module.
    pub(super) name: String,
    /// The code, with each line at the number that it has in the chapter.
    pub(super) code: String,
    pub(super) runs: Vec<Run>,
}

/// A run of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Run {
    /// The first line of the output in the chapter.
    pub(super) line: usize,
    pub(super) variables: Vec<(String, String)>,
    pub(super) output: String,
}

/// A language of the guide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    C,
    Python,
}

/// The programs of a chapter in a language.
pub(super) fn programs(chapter: &Chapter, language: Language) -> Result<Vec<Program>, String> {
    let (of_language, command) = match language {
        Language::Rust => ("rust", "cargo run"),
        Language::C => ("c", "./program"),
        Language::Python => ("python", "python3 program.py"),
    };
    let mut programs: Vec<Program> = Vec::new();
    let mut code = String::new();
    for block in blocks(&chapter.text) {
        if block.language == of_language {
            let empty = block.line - 1 - code.matches('\n').count();
            code.push_str(&"\n".repeat(empty));
            code.push_str(block.code);
            // The last block of its program.
            if language != Language::Rust
                || block.code.lines().any(|line| line.starts_with("fn main("))
            {
                let name = format!("{}_{}", chapter.name.trim_end_matches(".md"), block.line);
                let (code, runs) = (std::mem::take(&mut code), Vec::new());
                programs.push(Program { name, code, runs });
            }
        } else if block.language == "console"
            && let Some(run) = run_of(&block, command)
        {
            let Some(program) = programs.last_mut() else {
                return Err(chapter.finding(block.line, "runs a program, and there is none before"));
            };
            program.runs.push(run);
        }
    }
    if code.is_empty() {
        return Ok(programs);
    }
    let what = "ends a program that has no `fn main()`";
    Err(chapter.finding(code.lines().count(), what))
}

fn run_of(block: &Block<'_>, command: &str) -> Option<Run> {
    let (line, output) = block.code.split_once('\n')?;
    let mut words = line.strip_prefix("$ ")?;
    let mut variables = Vec::new();
    while words != command {
        let (first, rest) = words.split_once(' ')?;
        let (name, value) = first.split_once('=')?;
        variables.push((name.to_owned(), value.to_owned()));
        words = rest;
    }
    let (line, output) = (block.line + 1, output.to_owned());
    Some(Run {
        line,
        variables,
        output,
    })
}

#[cfg(test)]
mod tests {
    use super::super::chapter::Chapter;
    use super::{Language, Run, programs};

    #[test]
    fn a_program_without_main_and_a_run_without_a_program_are_found() {
        let one = "```rust\nfn one() {}\n```\n";
        let run = "```console\n$ A=1 cargo run\n1\n```\n";
        let read = |text: &str| programs(&Chapter::sample("en/copy.md", text), Language::Rust);
        let wrong = |text| read(text).map_or_else(|what| what, |programs| format!("{programs:?}"));
        assert_eq!(
            wrong(one),
            "en/copy.md:2: ends a program that has no `fn main()`"
        );
        assert_eq!(
            wrong(run),
            "en/copy.md:2: runs a program, and there is none before"
        );
        let programs = read(&format!("{one}```rust\nfn main() {{}}\n```\n{run}"));
        let expected = Run {
            line: 9,
            variables: vec![("A".into(), "1".into())],
            output: "1\n".into(),
        };
        let runs =
            programs.map(|programs| programs.into_iter().map(|of| (of.name, of.runs)).collect());
        assert_eq!(runs, Ok(vec![("copy_5".to_owned(), vec![expected])]));
    }
}
