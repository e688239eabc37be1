//! The lines of LLVM's intermediate representation of each package: what the compiler has to translate for everybody who
//! builds it. They are counted before any optimization, so they are the same on every machine, which seconds are not.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Error, conclude};
use crate::process::{Line, target};

/// The packages of the first program with an emulator, each with its most lines. A change that needs more says why.
const BUDGETS: [(&str, usize); 3] = [
    ("ascendcl_emulator", 1_400_000),
    ("ascendcl", 284_000),
    ("ascendcl_sys", 150_000),
];

/// What is built. A check makes no machine code.
const BUILD: &str = "cargo check --quiet --release --package ascendcl --features emulator";
/// The representation as rustc makes it, in one part, with names that have the generic arguments.
const FLAGS: &str =
    "--emit=llvm-ir -Cno-prepopulate-passes -Ccodegen-units=1 -Csymbol-mangling-version=v0";
/// The number of functions that are listed.
const LISTED: usize = 40;

/// Lines, and the number of functions that have them.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Weight {
    lines: usize,
    functions: usize,
}

/// Prints the lines of each package, or the heaviest functions of one. Fails if a package has more lines than its budget.
pub(super) fn table(chosen: Option<&str>) -> Result<(), Error> {
    if let Some(unknown) = chosen.filter(|name| BUDGETS.iter().all(|(known, _)| known != name)) {
        let known = BUDGETS.map(|(name, _)| name).join(", ");
        return Err(format!("`bench ir` has no package `{unknown}`; it has {known}").into());
    }
    let folder = target().join("ir");
    Line::new(BUILD)
        .with_option("--target-dir", &folder)
        // This variable goes before any other one with flags.
        .with_env("CARGO_ENCODED_RUSTFLAGS", FLAGS.replace(' ', "\u{1f}"))
        .run()?;
    if let Some(name) = chosen {
        heaviest(&functions(&folder, name)?);
        return Ok(());
    }
    let mut over = Vec::new();
    println!(
        "{:<20} {:>10} {:>10} {:>10}",
        "package", "lines", "budget", "functions"
    );
    for (name, budget) in BUDGETS {
        let weights = functions(&folder, name)?;
        let lines: usize = weights.values().map(|weight| weight.lines).sum();
        let count: usize = weights.values().map(|weight| weight.functions).sum();
        println!("{name:<20} {lines:>10} {budget:>10} {count:>10}");
        if lines > budget {
            let more = lines - budget;
            over.push(format!(
                "{name} has {lines} lines, {more} more than its budget; `cargo xtask bench ir {name}` lists the heaviest functions"
            ));
        }
    }
    conclude(&over)
}

fn heaviest(weights: &BTreeMap<String, Weight>) {
    let mut weights: Vec<_> = weights.iter().collect();
    weights.sort_by_key(|(_, weight)| std::cmp::Reverse(weight.lines));
    println!(
        "{:>8} {:>6}  function, of all its arguments",
        "lines", "copies"
    );
    for (name, weight) in weights.iter().take(LISTED) {
        println!("{:>8} {:>6}  {name}", weight.lines, weight.functions);
    }
}

/// The functions of a package by their names without arguments.
fn functions(folder: &Path, package: &str) -> Result<BTreeMap<String, Weight>, Error> {
    let failed = format!("cannot read {package}");
    let file = File::open(newest(folder, package)?).on(&failed)?;
    let mut weights: BTreeMap<String, Weight> = BTreeMap::new();
    let mut current: Option<(String, usize)> = None;
    for line in BufReader::new(file).split(b'\n') {
        let line = line.on(&failed)?;
        let line = String::from_utf8_lossy(&line);
        if line.starts_with("define ") {
            current = Some((symbol(&line).map_or_else(String::new, without_arguments), 0));
        }
        let Some((name, lines)) = &mut current else {
            continue;
        };
        *lines += 1;
        if line.starts_with('}') {
            let weight = weights.entry(std::mem::take(name)).or_default();
            weight.lines += *lines;
            weight.functions += 1;
            current = None;
        }
    }
    Ok(weights)
}

/// The file of a package. Older builds leave theirs.
fn newest(folder: &Path, package: &str) -> Result<PathBuf, Error> {
    let deps = folder.join("release/deps");
    let failed = format!("cannot read {}", deps.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(&deps).on(&failed)? {
        let path = entry.on(&failed)?.path();
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let name = stem.as_deref().and_then(|stem| stem.rsplit_once('-'));
        if path.extension().is_some_and(|end| end == "ll") && name.is_some_and(|of| of.0 == package)
        {
            let changed = path.metadata().and_then(|data| data.modified());
            found.push((changed.on(&failed)?, path));
        }
    }
    let newest = found.into_iter().max().map(|(_, path)| path);
    newest.ok_or_else(|| format!("{} has no {package}", deps.display()).into())
}

/// The name in a definition.
fn symbol(line: &str) -> Option<&str> {
    let (_, name) = line.split_once('@')?;
    name.split(['(', '"']).find(|part| !part.is_empty())
}

/// A name without the numbers of closures and the arguments of the function.
fn without_arguments(symbol: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(symbol));
    let mut plain = name.replace("{closure#0}", "{closure}");
    // The arguments of the last segment; those in front of it are of the type, and tell the kinds apart.
    if let Some(start) = plain.find("::<") {
        plain.truncate(start);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{symbol, without_arguments};

    #[test]
    fn functions_have_their_names_without_arguments() {
        let line = "define internal void @_RINvNtC4core3ptr13drop_in_placemEC4core(ptr %_1) unnamed_addr #0 {";
        let name = symbol(line).map(without_arguments);
        assert_eq!(name.as_deref(), Some("core::ptr::drop_in_place"));
        assert_eq!(
            symbol("define void @\"with space\"() {"),
            Some("with space")
        );
    }
}
