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
mod hardware;
mod headers;
mod house;
mod imports;
mod kernel;
mod linked;
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

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Commands of this repository
///
/// The exit code is 0 if all is well, 1 if something failed, 2 if the command was not understood, and 3 if `hardware` has found
/// nothing to run on.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Command {
    /// Everything that must hold before a change is merged, in order
    Ci {
        /// Run the other steps behind one that fails
        #[arg(long)]
        no_fail_fast: bool,
    },
    /// Formatting, lints, unit and integration tests: a minute while you work
    Quick,
    /// Facts about the repository: layering, file heads, leftovers, ui cases
    Tidy,
    /// Exact costs of this project
    #[command(subcommand)]
    Bench(bench::Part),
    /// The public names of the typed API, and the functions of C that they stand for
    House {
        /// Compare them with src/from_c.md
        #[arg(long, exclusive = true)]
        check: bool,
        /// Write them there
        #[arg(long)]
        write: bool,
    },
    /// The rules of AscendCL and the promises of this API: what proves each
    Rules,
    /// How much of AscendCL is declared, emulated and typed
    Coverage {
        /// Write docs/operators.md
        #[arg(long)]
        write: bool,
    },
    /// Build and run the program of README.md in a new project
    Readme,
    /// The guide of docs/guide: that its translation is complete, and that its programs run
    Guide {
        /// Only what needs no build: chapters, links, messages
        #[arg(long, exclusive = true)]
        text: bool,
        /// Only the programs
        #[arg(long, exclusive = true)]
        programs: bool,
        /// Write the messages of ui cases anew, and copy code to the translation
        #[arg(long)]
        write: bool,
    },
    /// Whether ascendcl-sys declares what the headers of AscendCL declare
    Headers {
        /// Headers of your own, a folder that holds acl/acl.h
        #[arg(long, value_name = "FOLDER")]
        include: Option<PathBuf>,
    },
    /// Whether the published packages are complete: facts for the registry, licences, sources
    Package,
    /// Link ascendcl-sys with a library that lacks the newer functions
    Linked,
    /// The programs that must not compile, and their accepted twins
    Ui {
        /// Write their messages anew; then read the difference
        #[arg(long)]
        bless: bool,
        /// Only cases whose `<area>/<mistake>.rs` contains it
        word: Option<String>,
    },
    /// Take each change that the compiler offers for them; what compiles must be listed
    Suggestions,
    /// Make each C call and queued task of the examples and of tests/faults fail, and judge each run
    Faults {
        /// A fixed part, the one that `ci` runs
        #[arg(long)]
        some: bool,
        /// Only programs whose name contains it
        #[arg(default_value = "")]
        word: String,
    },
    /// Random programs, judged by a model of AscendCL's rules, by the compiler and by the checker
    Programs(programs::Arguments),
    /// The typed API on a GPU, through AscendCL's core calls over the CUDA driver, or on the library of `ASCENDCL_BACKEND`
    Hardware {
        /// On host memory in the place of the driver: a test of the library, which proves nothing about a card
        #[arg(long)]
        stand_in: bool,
    },
    /// The emulator as a C library, in a folder shaped like a CANN toolkit: lib64, include, and set_env.sh to source
    Capi {
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
        /// Built without optimization
        #[arg(long)]
        debug: bool,
        /// Features of the package ascendcl-emulator-capi
        #[arg(long, value_name = "LIST")]
        features: Option<String>,
    },
    /// An Ascend C kernel as a shared object, which the emulator runs
    Kernel {
        source: PathBuf,
        /// The shared object; without it, a file beside the source
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Options of the C++ compiler, such as -g
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// The refusals as a book of mdBook: each mistake, the compiler's words, the accepted twin
    Site {
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
}

fn main() -> ExitCode {
    let Err(error) = run(Command::parse()) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("{error}");
    ExitCode::from(1)
}

fn run(command: Command) -> Result<(), error::Error> {
    match command {
        Command::Ci { no_fail_fast } => ci::command(no_fail_fast),
        Command::Quick => ci::quick(),
        Command::Tidy => tidy::command(),
        Command::Bench(part) => bench::command(part),
        Command::House { check, write } => house::command(check, write),
        Command::Rules => rules::command(),
        Command::Coverage { write } => coverage::command(write),
        Command::Readme => guide::readme::command(),
        Command::Guide { write: true, .. } => guide::write(),
        Command::Guide { text, programs, .. } => guide::command(!programs, !text),
        Command::Headers { include } => headers::command(include),
        Command::Package => package::command(),
        Command::Linked => linked::command(),
        Command::Ui { bless, word } => ui::command(bless, word.as_deref()),
        Command::Suggestions => suggestions::command(),
        Command::Faults { some, word } => faults::command(some, &word),
        Command::Programs(arguments) => programs::command(&arguments),
        Command::Hardware { stand_in } => hardware::command(stand_in),
        Command::Capi {
            out,
            debug,
            features,
        } => capi::command(&out, debug, features.as_deref()),
        Command::Kernel {
            source,
            out,
            options,
        } => kernel::command(&source, out, &options),
        Command::Site { out } => site::command(&out),
    }
}

#[cfg(test)]
mod tests {
    use super::Command;
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn what_is_not_understood_is_a_usage_error() {
        Command::command().debug_assert();
        let lines = "bench ir a b | house --check --write | guide --text --programs | programs --soak --count 9 | kernel a.cpp -O2 | \
                     kernel a.cpp -- -O2";
        let is_read = lines.split(" | ").map(|line| {
            let words = ["xtask"].into_iter().chain(line.split(' '));
            Command::try_parse_from(words).is_ok()
        });
        assert!(is_read.eq([false, false, false, false, false, true]));
    }
}
