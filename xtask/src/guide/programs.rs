//! The programs of a chapter, and what the chapter says that they print.
//!
//! The blocks of Rust of a chapter are one program, up to and with the block that has `main`; the next block begins
//! another one. Each block of C is a program. A block `console` that begins with `$ cargo run` or `$ ./program`,
//! perhaps with variables in front, is a run of the program before it.

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
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The first line of the output in the chapter.
    pub(super) line: usize,
    pub(super) variables: Vec<(String, String)>,
    pub(super) output: String,
}

/// A language of the guide, and the command that runs its programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    C,
}

impl Language {
    fn block(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
        }
    }

    fn command(self) -> &'static str {
        match self {
            Language::Rust => "cargo run",
            Language::C => "./program",
        }
    }

    /// Whether a block is the last one of its program.
    fn ends(self, block: &Block<'_>) -> bool {
        self == Language::C || block.code.lines().any(|line| line.starts_with("fn main("))
    }
}

/// The programs of a chapter in a language.
pub(super) fn programs(chapter: &Chapter, language: Language) -> Result<Vec<Program>, String> {
    let mut programs: Vec<Program> = Vec::new();
    let mut code = String::new();
    for block in blocks(&chapter.text) {
        if block.language == language.block() {
            let empty = block.line - 1 - code.matches('\n').count();
            code.push_str(&"\n".repeat(empty));
            code.push_str(block.code);
            if language.ends(&block) {
                let stem = chapter.name.trim_end_matches(".md");
                let name = format!("{stem}_{}", block.line);
                let code = std::mem::take(&mut code);
                let runs = Vec::new();
                programs.push(Program { name, code, runs });
            }
        } else if block.language == "console"
            && let Some(run) = run_of(&block, language)
        {
            let Some(program) = programs.last_mut() else {
                return Err(chapter.finding(block.line, "runs a program, and there is none before"));
            };
            program.runs.push(run);
        }
    }
    if code.is_empty() {
        Ok(programs)
    } else {
        let line = code.lines().count();
        Err(chapter.finding(line, "ends a program that has no `fn main()`"))
    }
}

fn run_of(block: &Block<'_>, language: Language) -> Option<Run> {
    let (line, output) = block.code.split_once('\n')?;
    let mut words = line.strip_prefix("$ ")?;
    let mut variables = Vec::new();
    while words != language.command() {
        let (first, rest) = words.split_once(' ')?;
        let (name, value) = first.split_once('=')?;
        variables.push((name.to_owned(), value.to_owned()));
        words = rest;
    }
    Some(Run {
        line: block.line + 1,
        variables,
        output: output.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::chapter::Chapter;
    use super::{Language, Program, Run, programs};

    fn read(text: &str, language: Language) -> Result<Vec<Program>, String> {
        programs(&Chapter::sample("en/copy.md", text), language)
    }

    const TEXT: &str = "\
```rust
fn one() {}
```

```c
int main(void) { return 0; }
```

```rust
fn main() {}
```

```console
$ A=1 B=x:2 cargo run
1
2
```

```console
$ ./program
3
```

```console
$ cargo new copy
```
";

    #[test]
    fn blocks_up_to_main_are_one_program() {
        let run = |line, variables: &[(&str, &str)], output: &str| Run {
            line,
            variables: variables
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            output: output.into(),
        };
        let rust = Program {
            name: "copy_10".into(),
            // Each line has its number.
            code: "\nfn one() {}\n\n\n\n\n\n\n\nfn main() {}\n".into(),
            runs: vec![run(15, &[("A", "1"), ("B", "x:2")], "1\n2\n")],
        };
        assert_eq!(read(TEXT, Language::Rust), Ok(vec![rust]));
        let c = read(TEXT, Language::C).unwrap_or_default();
        let runs: Vec<_> = c.into_iter().map(|program| program.runs).collect();
        assert_eq!(runs, [[run(21, &[], "3\n")]]);
    }

    #[test]
    fn a_program_without_main_and_a_run_without_a_program_are_found() {
        let found = read("```rust\nfn one() {}\n```\n", Language::Rust);
        let words = "en/copy.md:2: ends a program that has no `fn main()`";
        assert_eq!(found, Err(words.into()));
        let found = read("```console\n$ cargo run\n1\n```\n", Language::Rust);
        let words = "en/copy.md:2: runs a program, and there is none before";
        assert_eq!(found, Err(words.into()));
    }
}
