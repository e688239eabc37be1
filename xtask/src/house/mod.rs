//! `cargo xtask house`: the number of modules, floors and imports of each package, as `tidy` reads them, and of public names of
//! the typed API.
//!
//! ARCHITECTURE.md has the table between two marks, so its figures come from the code. `src/from_c.md` has the functions
//! of C with the methods that stand for them. Each public type and method has an example.

mod examples;
mod functions;
mod names;

use std::collections::BTreeSet;

use crate::coverage;
use crate::declarations::Declarations;
use crate::error::{Error, conclude};
use crate::files::{self, File};
use crate::sources;
use crate::tidy::floors::{TABLE, packages};
use crate::tidy::layering;
use functions::{Functions, PAGE};
use names::Names;

/// The file with the table, which stands between two marks.
const FILE: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- cargo xtask house --write -->";
const END: &str = "<!-- end -->";

/// The most names that the front page may have.
const FRONT: usize = 70;

/// The most names that a reader meets: all but [`TAGS`] and the functions of the operators, which have the names of their C
/// functions and a page of their own (`docs/operators.md`).
const NAMES: usize = 455;

/// The module with the types of the operators. A plan has one in its type, and no program spells it.
const TAGS: &str = "op::operators::";

/// `cargo xtask house [--check | --write]`.
pub(crate) fn command(check: bool, write: bool) -> Result<(), Error> {
    let files = files::read()?;
    let sources = sources::read(&files)?;
    let names = Names::read(&sources)?;
    let bare = examples::missing(&sources, &names).into_iter();
    let bare = bare.map(|item| format!("{item} has no example in its documentation"));
    conclude(&bare.collect::<Vec<_>>())?;
    let operators = operators()?;
    let table = table(&files, &names, &operators);
    let text = with_table(&files::text(FILE)?, &table)
        .ok_or_else(|| format!("{FILE} has no lines `{BEGIN}` and `{END}`"))?;
    // Operators have their own page.
    let declared = Declarations::read()?.functions.into_iter();
    let declared = declared.filter(|function| !function.name.starts_with("aclnn"));
    let functions = Functions {
        declared: declared
            .map(|function| (function.area, function.name))
            .collect(),
        used: coverage::used()?,
        called: coverage::called()?,
    };
    let page = functions::page(&sources, &names, &functions);
    for (file, text) in [(FILE, text), (PAGE, page)] {
        let is_same = files::text(file).is_ok_and(|other| other == text);
        if write && !is_same {
            println!("house: writes {file}");
            files::write(file, &text)?;
        } else if check && !is_same {
            let what = "is not what the sources say; `cargo xtask house --write` writes it";
            return Err(format!("{file} {what}").into());
        }
    }
    print!("{table}");
    within("the front page of the typed API", names.front.len(), FRONT)?;
    within("the typed API", met(&names, &operators), NAMES)
}

/// The functions of the operators, as the tables name them.
fn operators() -> Result<BTreeSet<String>, Error> {
    let functions = coverage::typed_functions()?;
    Ok(functions
        .into_iter()
        .map(|name| format!("op::{name}"))
        .collect())
}

/// The number of names that a reader meets.
fn met(names: &Names, operators: &BTreeSet<String>) -> usize {
    let is_met = |name: &&String| !name.starts_with(TAGS) && !operators.contains(*name);
    names.all.iter().filter(is_met).count()
}

/// The number of types of operators.
fn tags(names: &Names) -> usize {
    names
        .all
        .iter()
        .filter(|name| name.starts_with(TAGS))
        .count()
}

fn within(what: &str, names: usize, limit: usize) -> Result<(), Error> {
    if names <= limit {
        return Ok(());
    }
    Err(format!(
        "{what} has {names} names, {limit} are the limit; export from a module what nobody spells, or nothing"
    )
    .into())
}

/// The text with another table between the marks.
fn with_table(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

/// The counts as Markdown.
fn table(files: &[File], names: &Names, operators: &BTreeSet<String>) -> String {
    let mut text = "\
| package | root modules | all modules | floors | imports between them | largest cycle |
|---|--:|--:|--:|--:|--:|
"
    .to_owned();
    for package in packages(TABLE) {
        let (of, floors) = (layering::count(&package, files), package.floors.len());
        let [rooms, modules, arrows, circle] = [of.rooms, of.modules, of.arrows, of.circle];
        text += &format!(
            "| `{}` | {rooms} | {modules} | {floors} | {arrows} | {circle} |\n",
            package.folder
        );
    }
    let (met, tags, front) = (met(names, operators), tags(names), names.front.len());
    let functions = operators.len();
    text + &format!(
        "\nThe typed API has {met} public names, {front} of them on its front page, {functions} functions of operators, and {tags} types \
         of operators in `op::operators`.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, with_table, within};

    #[test]
    fn the_lines_between_the_marks_are_replaced_and_names_have_a_limit() {
        let text = |lines: &str| format!("a\n{BEGIN}\n{lines}{END}\nz\n");
        assert_eq!(with_table(&text("old\n"), "new\n"), Some(text("new\n")));
        assert_eq!(with_table("a\n", "new\n"), None);
        assert!(within("it", 70, 70).is_ok() && within("it", 71, 70).is_err());
    }
}
