//! `docs/operators.md`: the operators that the typed API has, read from its tables.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::declarations::Declarations;
use crate::error::{Context as _, Error, conclude};
use crate::files::{below, text};
use crate::rules::list;
use crate::tables::{Entry, entries};

/// The page.
pub(super) const PAGE: &str = "docs/operators.md";
/// The folder of the tables, a file for each family.
const TABLES: &str = "src/op/table";
/// The element types and their families.
const ELEMENTS: &str = "src/op/element.rs";

/// The tests of the operators, each of which calls some.
const TESTS: &str = "tests/it";

/// Operators without a line in the tables, each with the reason.
const UNTYPED: &str = "xtask/data/untyped.csv";

/// An entry of that list.
#[derive(Debug, Deserialize)]
struct Untyped {
    operator: String,
    reason: String,
}

/// The tables: the title of each, and its entries.
fn tables() -> Result<Vec<(String, Vec<Entry>)>, Error> {
    let mut tables = Vec::new();
    for path in below(TABLES)? {
        if path.ends_with("mod.rs") {
            continue;
        }
        let text = text(&path)?;
        let title = text.lines().next().unwrap_or_default();
        let title = title.trim_start_matches("//! ").trim_end_matches('.');
        let parsed = syn::parse_file(&text).map_err(|error| error.to_string());
        let entries = parsed.and_then(|file| entries(&file.items));
        tables.push((title.to_owned(), entries.on(path.display())?));
    }
    Ok(tables)
}

/// The functions of the typed API that are operators.
pub(crate) fn functions() -> Result<BTreeSet<String>, Error> {
    let entries = tables()?.into_iter().flat_map(|(_, entries)| entries);
    Ok(entries.map(|entry| entry.function).collect())
}

/// The page as the sources say it.
pub(super) fn page(all: &Declarations) -> Result<String, Error> {
    let mut families = String::new();
    let mut typed = BTreeSet::new();
    let tests = below(TESTS)?
        .iter()
        .map(text)
        .collect::<Result<String, _>>()?;
    for (title, entries) in tables()? {
        families += &format!("\n## {title}\n\n| C | a call | elements |\n|---|---|---|\n");
        for entry in entries {
            let (launch, function, of) = (&entry.launch, &entry.function, named(&entry.families));
            let call = call(&tests, function)
                .ok_or_else(|| format!("no test of {TESTS} calls op::{function}"))?;
            families += &format!("| `{launch}` | `{call}` | {of} |\n");
            // Two functions may share an operator, if it has two forms.
            typed.insert(entry.launch);
        }
    }
    let reasons = reasons(all, &typed)?;
    let (typed, declared) = (typed.len(), all.operators.len());
    let mut page = format!(
        "# Operators\n\n\
         The typed API has {typed} of the {declared} operators that `ascendcl-sys` declares; a program declares others by\n\
         `op::Operator`. The emulator has a definition of each, which computes it or refuses and says why. A call is that of a\n\
         test in `tests/it/`, which also has its operands and results. The families of element types, and the relations of two\n\
         types, are at the end. `cargo xtask coverage --write` writes this page.\n\
         {families}{reasons}\n## Element types\n\n| family | elements |\n|---|---|\n"
    );
    let elements = text(ELEMENTS)?;
    for (family, members) in members(&elements) {
        page += &format!("| `{family}` | {} |\n", members.join(", "));
    }
    page += "\n## Pairs of element types\n\n\
         `T: CastTo<U>` holds for any two types of `Castable`. The other relations of two types are:\n\n\
         | of an operand `T` | `U` in `T: SumTo<U>`, its sum | `U` in `U: BiasOf<T>`, the bias beside it |\n|---|---|---|\n";
    for (operand, [sums, biases]) in pairs(&elements) {
        page += &format!(
            "| {operand} | {} | {} |\n",
            sums.join(", "),
            biases.join(", ")
        );
    }
    Ok(page)
}

/// The first call of a function of operators, on one line: one that is all of a test's closure, if there is one.
fn call(tests: &str, function: &str) -> Option<String> {
    let name = format!("op::{function}(");
    let start = tests.find(&format!("|current| {name}"));
    let start = start
        .map(|at| at + "|current| ".len())
        .or(tests.find(&name))?;
    let text = tests.get(start..)?;
    let mut open = 0_usize;
    let end = text.find(|sign| {
        open += usize::from(sign == '(');
        open -= usize::from(sign == ')' && open > 0);
        sign == ')' && open == 0
    })?;
    let words: Vec<_> = text.get(..=end)?.split_whitespace().collect();
    let line = words.join(" ");
    Some(
        line.replace("( ", "(")
            .replace(", )", ")")
            .replace(" )", ")"),
    )
}

/// The operators that have no line in the tables, with the reasons. Each declared operator is in the tables or here.
fn reasons(all: &Declarations, typed: &BTreeSet<String>) -> Result<String, Error> {
    let (untyped, mistakes) = list::read::<Untyped>(UNTYPED, &text(UNTYPED)?);
    conclude(&mistakes)?;
    for name in all.operators.iter().map(|operator| operator.launch) {
        if typed.contains(name) == untyped.iter().any(|entry| entry.operator == name) {
            return Err(format!(
                "{name} has a line in {TABLES} and a reason in {UNTYPED}, or neither"
            )
            .into());
        }
    }
    let rows = untyped
        .iter()
        .map(|entry| format!("| `{}` | {} |\n", entry.operator, entry.reason));
    let rows: String = rows.collect();
    let head = "\n## Without a typed function\n\nThe emulator refuses those of fractal formats, too.\n\n| C | why |\n|---|---|\n";
    Ok(format!("{head}{rows}"))
}

/// `T: Family, U: Element` with the families as code.
fn named(families: &str) -> String {
    let each = families.split(", ").map(|one| match one.split_once(": ") {
        Some((name, family)) => format!("{name}: `{family}`"),
        None => one.to_owned(),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A list of lists by their names, in the order in which the names came.
type Lists<T> = Vec<(String, T)>;

/// The list of a name, which is new at its first use.
fn of_name<'l, T: Default>(lists: &'l mut Lists<T>, name: &str) -> Option<&'l mut T> {
    if !lists.iter().any(|(known, _)| known == name) {
        lists.push((name.to_owned(), T::default()));
    }
    let mut lists = lists.iter_mut();
    lists.find(|(known, _)| known == name).map(|(_, list)| list)
}

fn code(element: &str) -> String {
    format!("`{}`", element.trim().trim_start_matches("half::"))
}

/// The families with their elements, from lines such as `f32, ACL_FLOAT, Numeric, Floating;`.
fn members(text: &str) -> Lists<Vec<String>> {
    let mut families = Lists::default();
    for line in text
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
    {
        let mut words = line.split(", ");
        let (element, kind) = (words.next().unwrap_or_default(), words.next());
        if kind.is_some_and(|kind| kind.starts_with("ACL_")) {
            for family in words.chain(["Element"]) {
                let list: Option<&mut Vec<String>> = of_name(&mut families, family);
                list.into_iter().for_each(|list| list.push(code(element)));
            }
        }
    }
    families
}

/// The element types that a sum and a bias have beside an operand, from lines such as `i8 => i8, i64;` and
/// `impl BiasOf<i8> for f32 {}`.
fn pairs(text: &str) -> Lists<[Vec<String>; 2]> {
    let mut pairs: Lists<[Vec<String>; 2]> = Lists::default();
    for line in text.lines().map(str::trim) {
        let sum = line.strip_suffix(';');
        let sum = sum.and_then(|line| line.split_once(" => "));
        if let Some((operand, sums)) = sum
            && let Some([list, _]) = of_name(&mut pairs, &code(operand))
        {
            list.extend(sums.split(", ").map(code));
        }
        let bias = line.strip_prefix("impl BiasOf<");
        let bias = bias.and_then(|line| line.strip_suffix(" {}"));
        if let Some((operand, bias)) = bias.and_then(|bias| bias.split_once("> for "))
            && let Some([_, list]) = of_name(&mut pairs, &code(operand))
        {
            list.push(code(bias));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{PAGE, page};
    use crate::coverage::goals::{LACKING, lacking};
    use crate::declarations::Declarations;
    use crate::error::Error;
    use crate::files::text;

    #[test]
    fn the_page_is_that_of_the_sources() -> Result<(), Error> {
        let hint = "`cargo xtask coverage --write` writes it anew";
        assert_eq!(page(&Declarations::read()?)?, text(PAGE)?, "{PAGE}: {hint}");
        Ok(())
    }

    #[test]
    fn no_lacking_operator_is_declared() -> Result<(), Error> {
        let (all, list) = (Declarations::read()?, text(LACKING)?);
        let names = lacking(&list);
        assert!(!names.is_empty(), "{LACKING} has no names");
        let declared = |name: &&&str| all.operators.iter().any(|one| one.launch == **name);
        assert_eq!(names.iter().find(declared), None, "{LACKING}");
        Ok(())
    }
}
