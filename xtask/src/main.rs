//! The commands of this repository: `cargo xtask help` lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program talks to its user there"
)]

mod bench;
mod capi;
mod ci;
mod coverage;
mod declarations;
mod error;
mod faults;
mod files;
mod finding;
mod guide;
mod headers;
mod house;
mod imports;
mod kernel;
mod linked;
mod options;
mod output;
mod package;
mod process;
mod programs;
mod rules;
mod site;
mod sources;
mod suggestions;
mod tables;
mod tests_in;
mod tidy;
mod ui;

use std::env;
use std::process::ExitCode;

use error::{Error, usage};

const HELP: &str = "\
Commands of this repository

usage: cargo xtask <command>

  ci [--no-fail-fast]     everything that must hold before a change is merged, in order
                          --no-fail-fast  runs the other steps behind one that fails
  quick                   formatting, lints, unit and integration tests: a minute while you work
  tidy                    facts about the repository: layering, file heads, leftovers, ui cases
  bench calls | ir [<package>]
                          exact costs: instructions, calls and allocations beside the raw program, or the lines that the
                          compiler translates, with the heaviest functions of a package
  house [--check | --write]
                          rooms, floors and imports of each package, and the public names of the typed API
                          --check  whether ARCHITECTURE.md says the same
                          --write  writes them there
  rules                   the rules of AscendCL and the promises of this API: what proves each
  coverage [--write]      how much of AscendCL is declared, emulated and typed; writes docs/operators.md
  readme                  builds and runs the program of README.md in a new project
  guide [--text | --programs | --write]
                          the guide of docs/guide: that its translation is complete, and that its programs run
                          --text      only what needs no build: chapters, links, messages
                          --programs  only the programs
                          --write     writes the messages of ui cases anew, and copies code to the translation
  headers [--include <folder>]
                          whether ascendcl-sys declares what the headers of AscendCL declare
                          --include  headers of your own, a folder that holds acl/acl.h
  package                 whether the published packages are complete: facts for the registry, licences, sources
  linked                  links ascendcl-sys with a library that lacks the newer functions
  ui [--bless] [<word>]   the programs that must not compile, and their accepted twins
                          <word>   only cases whose <area>/<mistake>.rs contains it
                          --bless  write their messages anew; then read the difference
  suggestions             takes each change that the compiler offers for them; what compiles must be listed
  faults [--some] [<word>]
                          makes each C call and queued task of the examples and of tests/faults fail, and judges each run
                          <word>   only programs whose name contains it
                          --some   a fixed part, the one that `ci` runs
  programs [--seed <n>] [--count <n> | --soak] [--ranks | --limits | --kernels | --graphs] [--controls [<word>]]
                          random programs, judged by a model of AscendCL's rules, by the compiler and by the checker
                          --count     how many, 900 if it is not given
                          --soak      20000 of them
                          --ranks     with several ranks each
                          --limits    with a limit for each wait, on devices that hang
                          --kernels   with kernels
                          --graphs    with graphs
                          --controls  weakens the API in a copy, rule by rule (those with <word>): each hole has to be found
  capi --out <folder> [--debug] [--features <list>]
                          the emulator as a C library, in a folder shaped like a CANN toolkit: lib64,
                          include, and set_env.sh to source
  kernel <source> [--out <file>] [-- <options>]
                          an Ascend C kernel as a shared object, which the emulator runs
                          --       options of the C++ compiler follow, such as -g
  site --out <folder>     the refusals as a book of mdBook: each mistake, the compiler's words, the accepted twin
  help                    this text

exit code: 0 all is well, 1 something failed, 2 the command was not understood
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let command = words.first().copied().unwrap_or_default();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Failed(text)) if text.trim_start().starts_with(command) => {
            eprintln!("{text}");
            ExitCode::from(1)
        }
        Err(Error::Failed(text)) => {
            eprintln!("{command}: {text}");
            ExitCode::from(1)
        }
        Err(Error::Usage(text)) => {
            eprintln!("xtask: {text}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str]) -> Result<(), Error> {
    match words {
        ["ci", options @ ..] => ci::command(options),
        ["quick"] => ci::quick(),
        ["tidy"] => tidy::command(),
        ["bench", options @ ..] => bench::command(options),
        ["rules"] => rules::command(),
        ["coverage", options @ ..] => coverage::command(options),
        ["linked"] => linked::command(),
        ["readme"] => guide::readme::command(),
        ["suggestions"] => suggestions::command(),
        ["faults", options @ ..] => faults::command(options),
        ["package"] => package::command(),
        ["guide", options @ ..] => guide::command(options),
        ["house", options @ ..] => house::command(options),
        ["headers", options @ ..] => headers::command(options),
        ["programs", options @ ..] => programs::command(options),
        ["ui", options @ ..] => ui::command(options),
        ["capi", options @ ..] => capi::command(options),
        ["kernel", options @ ..] => kernel::command(options),
        ["site", options @ ..] => site::command(options),
        ["help" | "--help" | "-h"] => {
            output::print(HELP);
            Ok(())
        }
        [] => usage("a command is missing"),
        [word] => usage(format!("there is no command `{word}`")),
        [word, ..] => usage(format!("there is no command `{word}` with arguments")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, run};

    #[test]
    fn what_is_not_understood_is_a_usage_error() {
        assert!(matches!(run(&[]), Err(Error::Usage(_))));
        let lines = "\
            test | ci fast | help me | rules x | coverage x | linked x | package x | readme x | suggestions x | \
            ui a b | ui --blss | faults --all | faults no-such-program | faults a b | programs x | \
            programs --seed | programs --count many | headers x | house x | bench | bench time | \
            bench ir time | capi | capi --out | kernel | kernel a.cpp b.cpp | site | site --out | site --out a b";
        for line in lines.split(" | ") {
            let words: Vec<_> = line.split_whitespace().collect();
            assert!(matches!(run(&words), Err(Error::Usage(_))), "{line:?}");
        }
    }
}
