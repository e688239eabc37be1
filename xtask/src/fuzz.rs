//! `cargo xtask fuzz`: new inputs for the parsers and for the C functions.
//!
//! Each parser is a target of cargo-fuzz, which needs a nightly compiler; where one of the two is missing, the command
//! says so and runs nothing. The C functions are called by `emulator/tests/garbage`, for which the usual compiler is
//! enough. `cargo test` replays the inputs of the repository.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::process::{Line, root, target};

/// The parsers: the folders of `fuzz/corpus`.
const PARSERS: [&str; 8] = [
    "config",
    "models",
    "names",
    "npy",
    "operators",
    "pictures",
    "settings",
    "version",
];

/// The C functions.
const CAPI: &str = "capi";

/// How long a target runs, unless the user says otherwise.
const SECONDS: u64 = 60;

pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let (name, seconds) = parse(options)?;
    if name == CAPI {
        return capi(seconds);
    }
    let tools = [
        (
            "a nightly Rust",
            "rustup toolchain install nightly",
            ["rustc", "--version"],
        ),
        ("cargo-fuzz", "cargo install cargo-fuzz", ["cargo", "fuzz"]),
    ];
    for (tool, remedy, words) in tools {
        if !is_there(&words) {
            println!(
                "\n*** fuzz: SKIPPED: {tool} is not here, and nothing was run. Install it with `{remedy}`. \
                 `cargo test --test parsers` replays the inputs of the repository. ***\n"
            );
            return Ok(());
        }
    }
    let root = root();
    // New inputs that reach new code; those worth keeping are copied to the corpus by hand.
    let new = target(&root).join("fuzz").join("new").join(name);
    fs::create_dir_all(&new)
        .map_err(|error| Error::Failed(format!("cannot make {}: {error}", new.display())))?;
    let words = [
        "--fuzz-dir".to_owned(),
        "fuzz".to_owned(),
        name.to_owned(),
        new.display().to_string(),
        format!("fuzz/corpus/{name}"),
        "--".to_owned(),
        format!("-max_total_time={seconds}"),
        "-timeout=20".to_owned(),
    ];
    Line::new("rustup run nightly cargo fuzz run")
        .with_arguments(words)
        .run()
}

/// Runs the seeds of the repository and then new ones.
fn capi(seconds: u64) -> Result<(), Error> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = now.map_or(1_000_000, |since| since.as_secs());
    Line::new("cargo test --package ascendcl-emulator --test garbage new_seeds -- --nocapture")
        .with_env("ASCENDCL_FUZZ_SECONDS", &seconds.to_string())
        .with_env("ASCENDCL_FUZZ_SEED", &seed.to_string())
        .run()
}

/// Reads the target and the number of seconds.
fn parse<'a>(options: &[&'a str]) -> Result<(&'a str, u64), Error> {
    let (name, seconds) = match options {
        [name] => (*name, Some(SECONDS)),
        [name, "--seconds", seconds] => (*name, seconds.parse().ok()),
        _ => ("", None),
    };
    let known = name == CAPI || PARSERS.contains(&name);
    match seconds.filter(|seconds| known && *seconds > 0) {
        Some(seconds) => Ok((name, seconds)),
        None => Err(Error::Usage(format!(
            "`fuzz` takes a target ({CAPI}, {}) and may take `--seconds <number>`",
            PARSERS.join(", ")
        ))),
    }
}

/// Whether a tool of the nightly toolchain runs.
fn is_there(words: &[&str]) -> bool {
    let help = words.first().is_some_and(|word| *word == "cargo");
    let mut command = Command::new("rustup");
    command.args(["run", "nightly"]).args(words);
    if help {
        command.arg("--help");
    }
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::{PARSERS, SECONDS, parse};
    use crate::process::root;

    #[test]
    fn a_target_and_a_time_are_read() {
        assert!(matches!(parse(&["npy"]), Ok(("npy", SECONDS))));
        assert!(matches!(
            parse(&["capi", "--seconds", "5"]),
            Ok(("capi", 5))
        ));
        for wrong in [
            &["capi", "--seconds", "0"][..],
            &["capi", "--seconds", "x"],
            &["capi", "npy"],
            &["other"],
            &[],
        ] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn each_parser_has_a_target_a_corpus_and_a_test() {
        let fuzz = root().join("fuzz");
        let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap_or_default();
        for name in PARSERS {
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
            assert!(
                fuzz.join("fuzz_targets")
                    .join(format!("{name}.rs"))
                    .is_file(),
                "{name}"
            );
            assert!(fuzz.join("corpus").join(name).is_dir(), "{name}");
            assert!(
                root()
                    .join("tests/parsers")
                    .join(format!("{name}.rs"))
                    .is_file(),
                "{name}"
            );
        }
    }
}
