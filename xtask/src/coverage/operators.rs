//! `docs/operators.md`: the operators that the typed API has, read from its tables.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::declarations::Declarations;
use crate::error::Error;
use crate::files::{below, text};
use crate::tables::entries;

/// The page.
pub(super) const PAGE: &str = "docs/operators.md";
/// The folder of the tables, a file for each family.
const TABLES: &str = "src/op/table";
/// The element types and their families.
const ELEMENTS: &str = "src/op/element.rs";

/// Operators without a line in the tables, each with the reason.
const REFUSED: [(&str, &str); 3] = [
    (
        "aclnnTransMatmulWeight",
        "reorders weights in place to a fractal format, which is that of the matrix unit of a card: no other operator of \
         the tables reads the result",
    ),
    (
        "aclnnMatmulWeightNz",
        "takes weights in a fractal format; `op::matmul` takes plain ones",
    ),
    (
        "aclnnNpuFormatCast",
        "converts to fractal formats, and back",
    ),
];

/// The page as the sources say it.
pub(super) fn page(root: &Path, all: &Declarations) -> Result<String, Error> {
    let mut files = below(&root.join(TABLES))?;
    files.retain(|path| path.file_name().is_some_and(|name| name != "mod.rs"));
    let mut families = String::new();
    let mut typed = BTreeSet::new();
    for path in files {
        let text = text(&path)?;
        let title = text.lines().next().unwrap_or_default();
        let title = title.trim_start_matches("//! ").trim_end_matches('.');
        let _ = write!(
            families,
            "\n## {title}\n\n| C | Rust | elements |\n|---|---|---|\n"
        );
        let items = syn::parse_file(&text).map_err(|error| error.to_string());
        let entries = items.and_then(|file| entries(&file.items));
        for entry in
            entries.map_err(|error| Error::Failed(format!("{}: {error}", path.display())))?
        {
            let (launch, function, of) = (&entry.launch, &entry.function, named(&entry.families));
            let _ = writeln!(families, "| `{launch}` | `op::{function}` | {of} |");
            // Two functions may share an operator, if it has two forms.
            typed.insert(entry.launch);
        }
    }
    let reasons = reasons(all, &typed)?;
    let (typed, declared) = (typed.len(), all.operators.len());
    let mut page = format!(
        "# Operators\n\n\
         The typed API has {typed} of the {declared} operators that `ascendcl-sys` declares; a program declares others by\n\
         `op::Operator`. The emulator has a definition of each, which computes it or refuses and says why. The families of\n\
         element types, and the relations of two types, are at the end. `cargo xtask coverage --write` writes this page.\n"
    );
    page.push_str(&families);
    page.push_str(&reasons);
    let elements = text(&root.join(ELEMENTS))?;
    page.push_str("\n## Element types\n\n| family | elements |\n|---|---|\n");
    for (family, members) in members(&elements) {
        let _ = writeln!(page, "| `{family}` | {} |", members.join(", "));
    }
    page.push_str(
        "\n## Pairs of element types\n\n\
         `T: CastTo<U>` holds for any two types of `Castable`. The other relations of two types are:\n\n\
         | of an operand `T` | `U` in `T: SumTo<U>`, its sum | `U` in `U: BiasOf<T>`, the bias beside it |\n|---|---|---|\n",
    );
    for (operand, [sums, biases]) in pairs(&elements) {
        let (sums, biases) = (sums.join(", "), biases.join(", "));
        let _ = writeln!(page, "| {operand} | {sums} | {biases} |");
    }
    Ok(page)
}

/// The operators that have no line in the tables, with the reasons. Each declared operator is in the tables or here.
fn reasons(all: &Declarations, typed: &BTreeSet<String>) -> Result<String, Error> {
    let mut text = String::from(
        "\n## Without a typed function\n\nThe emulator refuses these, too.\n\n| C | why |\n|---|---|\n",
    );
    let listed = |name: &str| REFUSED.iter().any(|(listed, _)| *listed == name);
    for operator in &all.operators {
        let name = operator.launch;
        if typed.contains(name) == listed(name) {
            return Err(Error::Failed(format!(
                "{name} has a line in {TABLES} and a reason in `REFUSED`, or neither"
            )));
        }
    }
    for (name, why) in REFUSED {
        let _ = writeln!(text, "| `{name}` | {why} |");
    }
    Ok(text)
}

/// `T: Family, U: Element` with the families as code.
fn named(families: &str) -> String {
    let each = families.split(", ").map(|one| match one.split_once(": ") {
        Some((name, family)) => format!("{name}: `{family}`"),
        None => one.to_owned(),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The families with their elements, from lines such as `f32, ACL_FLOAT, Numeric, Floating;`.
fn members(text: &str) -> Vec<(String, Vec<String>)> {
    let mut families: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines().map(str::trim) {
        let mut words = line.trim_end_matches(';').split(", ");
        let (Some(element), Some(code)) = (words.next(), words.next()) else {
            continue;
        };
        if !line.ends_with(';') || !code.starts_with("ACL_") {
            continue;
        }
        let element = format!("`{}`", element.trim_start_matches("half::"));
        for family in words.chain(["Element"]) {
            match families.iter_mut().find(|(name, _)| name == family) {
                Some((_, elements)) => elements.push(element.clone()),
                None => families.push((family.to_owned(), vec![element.clone()])),
            }
        }
    }
    families
}

/// The element types that a sum and a bias have beside an operand, from lines such as `i8 => i8, i64;` and
/// `impl BiasOf<i8> for f32 {}`.
fn pairs(text: &str) -> Vec<(String, [Vec<String>; 2])> {
    let code = |element: &str| format!("`{}`", element.trim().trim_start_matches("half::"));
    let mut pairs: Vec<(String, [Vec<String>; 2])> = Vec::new();
    let mut add = |operand: &str, place: usize, others: Vec<String>| {
        let operand = code(operand);
        let found = pairs.iter().position(|(name, _)| *name == operand);
        let index = found.unwrap_or(pairs.len());
        if found.is_none() {
            pairs.push((operand, Default::default()));
        }
        if let Some(list) = pairs
            .get_mut(index)
            .and_then(|(_, lists)| lists.get_mut(place))
        {
            list.extend(others);
        }
    };
    for line in text.lines().map(str::trim) {
        let sum = line
            .strip_suffix(';')
            .and_then(|line| line.split_once(" => "));
        if let Some((operand, sums)) = sum {
            add(operand, 0, sums.split(", ").map(code).collect());
        }
        let bias = line
            .strip_prefix("impl BiasOf<")
            .and_then(|line| line.strip_suffix(" {}"));
        if let Some((operand, bias)) = bias.and_then(|bias| bias.split_once("> for ")) {
            add(operand, 1, vec![code(bias)]);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::{PAGE, page};
    use crate::declarations::Declarations;
    use crate::process::root;

    #[test]
    fn the_page_is_that_of_the_sources() {
        let written = std::fs::read_to_string(root().join(PAGE)).unwrap_or_default();
        let read = || page(&root(), &Declarations::read(&root())?);
        let read: Result<String, crate::error::Error> = read();
        assert_eq!(
            read.ok().as_deref(),
            Some(written.as_str()),
            "`cargo xtask coverage --write` writes {PAGE} anew"
        );
    }
}
