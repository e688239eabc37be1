//! The cost of building a first program, here and with the peers: processor time and bytes. Other work on the machine
//! changes the time by up to a fifth, so the two builds of a ratio follow each other closely.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use super::toolkit::{self, Environment, Toolkit};
use super::{PEERS, peers};
use crate::error::{Context as _, Error, usage};
use crate::files;
use crate::process::{Line, root, target};

/// Builds of each kind; the median is printed.
const RUNS: usize = 3;

/// The first programs. The first of them is the measure of all others.
const PROGRAMS: &str = "cudarc cust cuda-core ascendcl emulator cann empty";

/// The features that give the program `names` more streams.
const NAMES: [(&str, &str); 3] = [("1", ""), ("8", "names-8"), ("64", "names-64")];

/// A program in the folder `hello` of a workspace.
struct Program {
    name: &'static str,
    /// The manifest of the workspace.
    workspace: &'static str,
    /// The requirements of the build.
    environment: Environment,
}

/// The costs of the builds of a program, one value per round.
#[derive(Default)]
struct Times {
    debug: Vec<f64>,
    again: Vec<f64>,
    release: Vec<f64>,
}

/// Prints the costs of all builds, or only those of the first programs `chosen` and of the measure.
pub(super) fn table(chosen: &[&str]) -> Result<(), Error> {
    let programs = programs(chosen)?;
    first_programs(&programs)?;
    if chosen.is_empty() {
        names()?;
        cases()?;
    }
    println!(
        "\nseconds are processor time of the whole build, the median of {RUNS}; no dependency is built \
         incrementally, as from a registry; `again` is after a change of `main.rs`; KiB are of the stripped \
         release binary"
    );
    Ok(())
}

/// The first programs with these names, or all of them. The measure is always there.
fn programs(chosen: &[&str]) -> Result<Vec<&'static str>, Error> {
    let all: Vec<&str> = PROGRAMS.split(' ').collect();
    if let Some(unknown) = chosen.iter().find(|name| !all.contains(name)) {
        return usage(format!(
            "`bench cost` has no first program `{unknown}`; it has {PROGRAMS}"
        ));
    }
    let first = all.first().copied();
    let is_built = |name: &&str| Some(*name) == first || chosen.is_empty() || chosen.contains(name);
    Ok(all.into_iter().filter(is_built).collect())
}

/// Builds programs in turns, so that a machine that becomes slower meanwhile changes no ratio.
fn first_programs(names: &[&'static str]) -> Result<(), Error> {
    let toolkit = toolkit::lay_out(&peers::libraries()?)?;
    let (mut programs, mut left_out) = (Vec::new(), Vec::new());
    for &name in names {
        match Program::new(name, &toolkit) {
            Ok(program) => programs.push((program, Times::default(), 0)),
            Err(why) => left_out.push(format!("{name:<22} left out: {why}")),
        }
    }
    for round in 1..=RUNS {
        for (program, times, size) in &mut programs {
            eprintln!("round {round} of {RUNS}: {}", program.name);
            times.debug.push(program.clean(false)?);
            times.again.push(program.again("", false)?);
            times.release.push(program.clean(true)?);
            *size = program.size()?;
        }
    }
    println!(
        "{:<22} {:>7} {:>12} {:>7} {:>12} {:>12} {:>10}",
        "first program", "crates", "debug, s", "ratio", "release, s", "again, s", "KiB"
    );
    let measure = programs.first().map(|(_, times, _)| times.debug.clone());
    let measure = measure.unwrap_or_default();
    for (program, times, size) in programs {
        let ratios = times.debug.iter().zip(&measure).map(|(own, of)| own / of);
        let (name, crates, ratio) = (program.name, program.crates()?, median(ratios.collect()));
        let times = [times.debug, times.release, times.again].map(median);
        let [debug, release, again] = times;
        println!(
            "{name:<22} {crates:>7} {debug:>12.2} {ratio:>7.2} {release:>12.2} {again:>12.2} {size:>10}"
        );
    }
    left_out.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The growth of time and size with the number of stream names.
fn names() -> Result<(), Error> {
    println!(
        "\n{:<22} {:>12} {:>12} {:>10}",
        "names of streams", "debug, s", "release, s", "KiB"
    );
    let program = Program::of_peers("names");
    program.clean(false)?;
    program.clean(true)?;
    for (names, features) in NAMES {
        let debug = median_of(|| program.again(features, false))?;
        let release = median_of(|| program.again(features, true))?;
        let size = program.size()?;
        println!("{names:<22} {debug:>12.2} {release:>12.2} {size:>10}");
    }
    Ok(())
}

impl Program {
    /// A program, or one line with the reason why it cannot be built.
    fn new(name: &'static str, toolkit: &Toolkit) -> Result<Self, String> {
        let environment = match name {
            "cust" => toolkit.cust(),
            "cuda-core" => toolkit.cuda_core.clone()?,
            _ => return Ok(Self::of_peers(name)),
        };
        let workspace = toolkit::WORKSPACE;
        Ok(Self {
            name,
            workspace,
            environment,
        })
    }

    /// A program without requirements.
    fn of_peers(name: &'static str) -> Self {
        Self {
            name,
            workspace: PEERS,
            environment: Vec::new(),
        }
    }

    fn package(&self) -> String {
        format!("hello-{}", self.name)
    }

    /// Builds a program, and returns the processor seconds of the build.
    fn build(&self, features: &str, release: bool) -> Result<f64, Error> {
        let line = Line::new("cargo build --quiet --locked")
            .with_option("--manifest-path", self.workspace)
            .with_option("--target-dir", folder())
            .with_option("--package", self.package())
            .with_option("--features", features)
            .with(release.then_some("--release"))
            // The variable would apply to all crates. In the workspace the setting is that of a user: only the
            // program is built incrementally. If the variable were set for one kind of build only, the next one would
            // build this project's crates again, since Cargo distinguishes the two.
            .without_env("CARGO_INCREMENTAL")
            .with_envs(&self.environment)
            .with_env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            // The default profiles, which a first program has.
            .with_env("CARGO_PROFILE_RELEASE_LTO", "false")
            .with_env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
        seconds(|| line.run())
    }

    /// A build from nothing.
    fn clean(&self, release: bool) -> Result<f64, Error> {
        let folder = folder().join(if release { "release" } else { "debug" });
        if folder.exists() {
            fs::remove_dir_all(&folder).on(folder.display())?;
        }
        self.build("", release)
    }

    /// A build after a change of the program itself.
    fn again(&self, features: &str, release: bool) -> Result<f64, Error> {
        let folder = root().join(self.workspace).with_file_name("hello");
        let source = folder.join(self.name).join("src/main.rs");
        let file = fs::File::options().append(true).open(&source);
        let changed = file.and_then(|file| file.set_modified(SystemTime::now()));
        changed.on(source.display())?;
        self.build(features, release)
    }

    /// The crates that a program is built from, itself among them.
    fn crates(&self) -> Result<usize, Error> {
        let text = Line::new(
            "cargo tree --quiet --locked --prefix none --format {p} --edges normal,build",
        )
        .with_option("--manifest-path", self.workspace)
        .with_option("--package", self.package())
        .run_quietly()?;
        let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
        Ok(lines.collect::<BTreeSet<_>>().len())
    }

    /// KiB of the release binary.
    fn size(&self) -> Result<u64, Error> {
        let binary = folder().join("release").join(self.package());
        Ok(fs::metadata(&binary).on(binary.display())?.len() / 1024)
    }
}

/// The cost of the programs that must not compile, all in one `cargo check`.
fn cases() -> Result<(), Error> {
    let count = files::cases()?.cases.len();
    let refused = Line::new("cargo test --quiet --package ui-tests --test refused");
    refused.clone().with(["--no-run"]).run_quietly()?;
    // The first run builds the dependencies of the cases.
    refused.run_quietly()?;
    let all = median_of(|| seconds(|| refused.run_quietly().map(drop)))?;
    println!("\n{:<22} {:>12} {:>12}", "ui cases", "all, s", "each, s");
    println!("{count:<22} {all:>12.2} {:>12.3}", all / count as f64);
    Ok(())
}

fn folder() -> PathBuf {
    target().join("cost")
}

/// The processor seconds that programs took.
fn seconds(run: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let before = children_seconds()?;
    run()?;
    Ok(children_seconds()? - before)
}

fn median_of(mut run: impl FnMut() -> Result<f64, Error>) -> Result<f64, Error> {
    let runs = (0..RUNS).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    Ok(median(runs))
}

fn median(mut runs: Vec<f64>) -> f64 {
    runs.sort_by(f64::total_cmp);
    runs.get(runs.len() / 2).copied().unwrap_or_default()
}

/// Processor seconds of the children that have ended, in user mode.
fn children_seconds() -> Result<f64, Error> {
    let stat = files::text("/proc/self/stat")?;
    seconds_in(&stat).ok_or_else(|| "/proc/self/stat is malformed".to_owned().into())
}

/// The 16th field, in hundredths. The second field, a name, ends with the last bracket.
fn seconds_in(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let hundredths: u32 = fields.split_whitespace().nth(13)?.parse().ok()?;
    Some(f64::from(hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::{PROGRAMS, median_of, programs, seconds_in};

    #[test]
    fn the_measure_is_built_with_each_choice() {
        assert!(programs(&["cuda-core"]).is_ok_and(|names| names == ["cudarc", "cuda-core"]));
        assert!(programs(&[]).is_ok_and(|names| names.join(" ") == PROGRAMS));
        assert!(programs(&["cuda"]).is_err());
    }

    #[test]
    fn the_time_of_children_is_found_behind_any_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 1 2 3 4 10 20 250 40 20 0 1 0";
        assert_eq!(seconds_in(stat), Some(2.5));
        assert_eq!(seconds_in("7 (a) S 1"), None);
    }

    #[test]
    fn one_slow_build_does_not_count() {
        let mut times = [9.0, 1.0, 2.0].into_iter();
        let found = median_of(|| Ok(times.next().unwrap_or_default()));
        assert!(matches!(found, Ok(time) if time == 2.0));
    }
}
