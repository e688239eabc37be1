//! `cargo xtask house`: the public names of the typed API, of which there is a most, and `src/from_c.md`, the functions of C with
//! the methods that stand for them. Each public type and method has an example.

mod examples;
mod functions;
mod names;

use crate::coverage;
use crate::declarations::Declarations;
use crate::error::{Error, conclude};
use crate::files;
use crate::sources;
use functions::{Functions, PAGE};
use names::Names;

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
    if write {
        files::write(PAGE, &page)?;
    } else if check && files::text(PAGE)? != page {
        let what = "is not what the sources say; `cargo xtask house --write` writes it";
        return Err(format!("{PAGE} {what}").into());
    }
    let operators = coverage::typed_functions()?;
    let is_operator = |name: &str| {
        name.strip_prefix("op::")
            .is_some_and(|name| operators.contains(name))
    };
    let met = names
        .all
        .iter()
        .filter(|name| !name.starts_with(TAGS) && !is_operator(name));
    let findings = [
        ("front page of the", names.front.len(), FRONT),
        ("whole", met.count(), NAMES),
    ]
    .map(|(part, names, limit)| {
        println!("the {part} typed API: {names} public names of at most {limit}");
        let what = "export from a module what nobody spells, or nothing";
        (names > limit).then(|| {
            format!("the {part} typed API has {names} names, {limit} are the limit; {what}")
        })
    });
    conclude(&findings.into_iter().flatten().collect::<Vec<_>>())
}
