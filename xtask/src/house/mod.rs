//! `cargo xtask house`: the number of rooms, floors and imports of each package, and of public names of the typed
//! API.
//!
//! ARCHITECTURE.md has the table between two marks, so its figures come from the code. `src/from_c.md` has the functions
//! of C with the methods that stand for them. The number of items without an example has a bound.

mod block;
mod examples;
mod functions;
mod names;
mod rooms;
mod tables;

use std::fs;
use std::path::Path;

use crate::coverage;
use crate::declarations::Declarations;
use crate::error::Error;
use crate::files;
use crate::process::root;
use crate::tidy::floors::PACKAGES;
use examples::Missing;
use functions::{Functions, PAGE};
use names::Names;
use rooms::Rooms;

/// The file with the table.
const FILE: &str = "ARCHITECTURE.md";

/// The most names that the front page may have.
const FRONT: usize = 70;

/// `cargo xtask house [--check | --write]`.
pub(crate) fn command(options: &[&str]) -> Result<(), Error> {
    let failed = |error: String| Error::Failed(format!("house: {error}"));
    if !matches!(options, [] | ["--check" | "--write"]) {
        return Err(Error::Usage(
            "`house` takes nothing, --check or --write".into(),
        ));
    }
    let root = root();
    let files = files::read(&root).map_err(failed)?;
    let mut counted = Vec::new();
    for package in PACKAGES {
        let rooms = Rooms::count(package, &files).map_err(failed)?;
        counted.push((package.folder, rooms));
    }
    let names = Names::read(&files).map_err(failed)?;
    let missing = Missing::read(&files, &names).map_err(failed)?;
    missing.check().map_err(failed)?;
    let table = table(&counted, &names);
    let path = root.join(FILE);
    let text = fs::read_to_string(&path).map_err(|error| failed(format!("{FILE}: {error}")))?;
    let (marked, rest) = block::find(&text).ok_or_else(|| {
        failed(format!(
            "{FILE} has no lines `{}` and `{}`",
            block::BEGIN,
            block::END
        ))
    })?;
    let page = functions::page(&files, &names, &functions(&root)?).map_err(failed)?;
    written(options, &root.join(PAGE), &page).map_err(failed)?;
    match options {
        ["--check"] if marked != table => {
            return Err(failed(format!(
                "the table in {FILE} is not true; `cargo xtask house --write` writes\n{table}"
            )));
        }
        ["--write"] if marked != table => {
            fs::write(&path, rest.with(&table))
                .map_err(|error| failed(format!("{FILE}: {error}")))?;
            println!("house: wrote the table in {FILE}");
        }
        ["--check" | "--write"] => println!("house: the table in {FILE} is true"),
        _ => print!("{table}"),
    }
    limits(&counted, names.front.len()).map_err(failed)
}

/// The functions of C, and which of them matter.
fn functions(root: &Path) -> Result<Functions, Error> {
    let declared = Declarations::read(root)?.functions.into_iter();
    Ok(Functions {
        declared: declared
            // Operators have their own page.
            .filter(|function| !function.name.starts_with("aclnn"))
            .map(|function| (function.area, function.name))
            .collect(),
        used: coverage::used(root)?,
        called: coverage::called(root)?,
    })
}

/// Compares the page of functions with its file, or writes it there.
fn written(options: &[&str], path: &Path, page: &str) -> Result<(), String> {
    let is_true = fs::read_to_string(path).is_ok_and(|text| text == page);
    match options {
        _ if is_true => Ok(()),
        ["--write"] => {
            fs::write(path, page).map_err(|error| format!("{PAGE}: {error}"))?;
            println!("house: wrote {PAGE}");
            Ok(())
        }
        ["--check"] => Err(format!(
            "{PAGE} is not what the aliases in the sources say; `cargo xtask house --write` writes it"
        )),
        _ => Ok(()),
    }
}

/// The violations of limits that hold for any table.
fn limits(counted: &[(&str, Rooms)], front: usize) -> Result<(), String> {
    if front > FRONT {
        return Err(format!(
            "the front page of the typed API has {front} names, {FRONT} are the limit; \
             export from a module what nobody spells"
        ));
    }
    match counted.iter().find(|(_, rooms)| rooms.up > 0) {
        Some((folder, rooms)) => Err(format!(
            "{} arrows of {folder} run up; `cargo xtask tidy` names them",
            rooms.up
        )),
        None => Ok(()),
    }
}

/// The counts as Markdown.
fn table(counted: &[(&str, Rooms)], names: &Names) -> String {
    let mut text = "\
| package | rooms | all modules | floors | arrows | that run up | largest circle |
|---|--:|--:|--:|--:|--:|--:|
"
    .to_owned();
    for (folder, of) in counted {
        text.push_str(&format!(
            "| `{folder}` | {} | {} | {} | {} | {} | {} |\n",
            of.rooms, of.modules, of.floors, of.arrows, of.up, of.circle
        ));
    }
    text.push_str(&format!(
        "\nThe typed API has {} public names, {} of them on its front page.\n",
        names.all.len(),
        names.front.len()
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::{FRONT, limits, names::Names, rooms::Rooms, table};

    #[test]
    fn a_crowded_front_page_and_an_arrow_up_are_errors() {
        let up = Rooms {
            up: 1,
            ..Rooms::default()
        };
        assert_eq!(limits(&[("src/", Rooms::default())], FRONT), Ok(()));
        assert!(limits(&[], FRONT + 1).is_err());
        assert!(limits(&[("src/", Rooms::default()), ("sys/src/", up)], 0).is_err());
    }

    #[test]
    fn the_table_has_a_line_for_each_package() {
        let rooms = Rooms {
            rooms: 3,
            modules: 4,
            floors: 2,
            arrows: 5,
            up: 0,
            circle: 0,
        };
        let names = Names {
            front: vec!["Acl".into()],
            all: vec!["Acl".into(), "memory::Rows".into()],
        };
        let text = table(&[("src/", rooms)], &names);
        assert!(
            text.contains("| `src/` | 3 | 4 | 2 | 5 | 0 | 0 |\n"),
            "{text}"
        );
        assert!(text.ends_with("has 2 public names, 1 of them on its front page.\n"));
    }
}
