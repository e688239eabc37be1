//! `cargo xtask house`: the number of rooms, floors and imports of each package, as `tidy` reads them, and of public names of
//! the typed API.
//!
//! ARCHITECTURE.md has the table between two marks, so its figures come from the code. `src/from_c.md` has the functions
//! of C with the methods that stand for them. The number of items without an example has a bound.

mod examples;
mod functions;
mod names;

use std::path::Path;

use crate::coverage;
use crate::declarations::Declarations;
use crate::error::Error;
use crate::files;
use crate::process::root;
use crate::sources;
use crate::tidy::floors::{PACKAGES, Package};
use crate::tidy::layering::{self, Rooms};
use examples::Missing;
use functions::{Functions, PAGE};
use names::Names;

/// The file with the table, which stands between two marks.
const FILE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- cargo xtask house --write -->";
const END: &str = "<!-- end -->";

/// The most names that the front page may have.
const FRONT: usize = 70;

/// The most names that a reader meets: all but [`TAGS`].
const NAMES: usize = 700;

/// The module with the types of the operators. A plan has one in its type, and no program spells it.
const TAGS: &str = "op::operators::";

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
    let sources = sources::read(&files).map_err(failed)?;
    let names = Names::read(&sources).map_err(failed)?;
    Missing::read(&sources, &names).check().map_err(failed)?;
    let counted = PACKAGES.iter();
    let counted = counted.map(|package| (package, layering::count(package, &files)));
    let table = table(counted, &names);
    let text = files::text(&root.join(FILE))?;
    let text = with_table(&text, &table)
        .ok_or_else(|| failed(format!("{FILE} has no lines `{BEGIN}` and `{END}`")))?;
    let page = functions::page(&sources, &names, &functions(&root)?);
    for (file, text) in [(FILE, &text), (PAGE, &page)] {
        written(options, &root, file, text)?;
    }
    print!("{table}");
    within("the front page of the typed API", names.front.len(), FRONT).map_err(failed)?;
    within("the typed API", names.all.len() - tags(&names), NAMES).map_err(failed)
}

/// The number of types of operators.
fn tags(names: &Names) -> usize {
    names
        .all
        .iter()
        .filter(|name| name.starts_with(TAGS))
        .count()
}

fn within(what: &str, names: usize, limit: usize) -> Result<(), String> {
    if names <= limit {
        return Ok(());
    }
    Err(format!(
        "{what} has {names} names, {limit} are the limit; export from a module what nobody spells, or nothing"
    ))
}

/// The text with another table between the marks.
fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}{END}{after}"))
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

/// Compares a text with its file, or writes it there.
fn written(options: &[&str], root: &Path, file: &str, text: &str) -> Result<(), Error> {
    let path = root.join(file);
    let is_true = files::text(&path).is_ok_and(|other| other == text);
    match options {
        ["--write"] if !is_true => {
            println!("house: writes {file}");
            files::write(&path, text)
        }
        ["--check"] if !is_true => Err(Error::Failed(format!(
            "house: {file} is not what the sources say; `cargo xtask house --write` writes it"
        ))),
        _ => Ok(()),
    }
}

/// The counts as Markdown.
fn table<'p>(counted: impl Iterator<Item = (&'p Package, Rooms)>, names: &Names) -> String {
    let mut text = "\
| package | rooms | all modules | floors | arrows | largest circle |
|---|--:|--:|--:|--:|--:|
"
    .to_owned();
    for (Package { folder, floors }, of) in counted {
        text.push_str(&format!(
            "| `{folder}` | {} | {} | {} | {} | {} |\n",
            of.rooms,
            of.modules,
            floors.len(),
            of.arrows,
            of.circle
        ));
    }
    let tags = tags(names);
    text.push_str(&format!(
        "\nThe typed API has {} public names, {} of them on its front page, and {tags} types of operators in `op::operators`.\n",
        names.all.len() - tags,
        names.front.len()
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, with_table};

    #[test]
    fn the_lines_between_the_marks_are_replaced() {
        let text = |lines: &str| format!("a\n{BEGIN}\n{lines}{END}\nz\n");
        assert_eq!(with_table(&text("old\n"), "new\n"), Some(text("new\n")));
        assert_eq!(with_table("a\n", "new\n"), None);
    }
}
