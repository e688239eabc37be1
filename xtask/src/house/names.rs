//! The public names of the typed API: those of its front page, and all of them.
//!
//! The front page is rustdoc's list for the root of the crate: modules, items, and the exports of `lib.rs` from
//! modules. A name that a public module exports as well counts once among all names. Of a glob, the names are those
//! of its module, and the operators of the tables in it.

use std::collections::BTreeMap;

use syn::{Attribute, Item, UseTree, Visibility};

use crate::error::Error;
use crate::sources::{FOLDER, Head, Source, head, is_hidden};
use crate::tables::{self, TYPES};

/// The public names.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Names {
    /// The names that the root lists.
    pub(super) front: Vec<String>,
    /// Types, traits, functions, constants and macros of all public modules.
    pub(super) all: Vec<String>,
}

/// The items of each module, in a file of its own or in another module's, by its path below the root: `[]`, `["memory", "slice"]`.
type Modules<'s> = BTreeMap<Vec<String>, &'s [Item]>;

impl Names {
    pub(super) fn read(sources: &[Source<'_>]) -> Result<Names, Error> {
        let mut modules = Modules::new();
        for source in sources {
            let words = source.path().trim_end_matches(".rs").split('/');
            let mut path: Vec<String> = words.map(str::to_owned).collect();
            path.pop_if(|last| last == "mod" || last == "lib");
            insert(path, &source.items, &mut modules);
        }
        let mut names = Names::default();
        of_module(&[], &modules, &mut names)?;
        exported_macros(&modules, &mut names);
        if let Some(glob) = names.all.iter().find(|name| name.ends_with('*')) {
            let why = "which hides how many names there are; name each";
            return Err(format!("`{FOLDER}` exports `{glob}`, {why}").into());
        }
        for list in [&mut names.front, &mut names.all] {
            list.sort();
            list.dedup();
        }
        Ok(names)
    }
}

/// Adds a module, and the modules that are written in it.
fn insert<'s>(path: Vec<String>, items: &'s [Item], modules: &mut Modules<'s>) {
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            insert(below(&path, &module.ident.to_string()), items, modules);
        }
    }
    modules.insert(path, items);
}

fn below(path: &[String], name: &str) -> Vec<String> {
    [path, &[name.to_owned()]].concat()
}

/// Adds the names of a public module and of the public modules in it.
fn of_module(path: &[String], modules: &Modules<'_>, names: &mut Names) -> Result<(), Error> {
    for item in modules.get(path).copied().unwrap_or_default() {
        let mut front = Vec::new();
        match item {
            Item::Mod(module) if is_public(&module.vis, &module.attrs) => {
                front.push(module.ident.to_string());
                of_module(&below(path, &module.ident.to_string()), modules, names)?;
            }
            Item::Use(exported) if is_public(&exported.vis, &exported.attrs) => {
                for leaf in named(path, leaves(&exported.tree), modules)? {
                    let Some(name) = leaf.last() else { continue };
                    if !is_public_elsewhere(path, &leaf, modules) {
                        names.all.push(below(path, name).join("::"));
                    }
                    front.push(name.clone());
                }
            }
            _ => {
                front.extend(public_item(item));
                names
                    .all
                    .extend(front.iter().map(|name| below(path, name).join("::")));
            }
        }
        if path.is_empty() {
            names.front.extend(front);
        }
    }
    Ok(())
}

/// The paths that a `use` in the module `path` exports, with the names of a module in place of a glob. A glob whose
/// module is unknown stays.
fn named(
    path: &[String],
    leaves: Vec<Vec<String>>,
    modules: &Modules<'_>,
) -> Result<Vec<Vec<String>>, Error> {
    let mut all = Vec::new();
    for leaf in leaves {
        let way = leaf
            .split_last()
            .filter(|(last, _)| *last == "*")
            .map(|(_, way)| way);
        let names = way
            .map(|way| glob(path, way, modules))
            .transpose()?
            .flatten();
        match (way, names) {
            (Some(way), Some(names)) => all.extend(names.iter().map(|name| below(way, name))),
            _ => all.push(leaf),
        }
    }
    Ok(all)
}

/// The names that a glob of the module `way`, seen from the module `path`, stands for.
fn glob(
    path: &[String],
    way: &[String],
    modules: &Modules<'_>,
) -> Result<Option<Vec<String>>, Error> {
    let mut at = path.to_vec();
    for word in way {
        match word.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ => at.push(word.clone()),
        }
    }
    if let Some(items) = modules.get(&at) {
        let functions = tables::entries(items)?
            .into_iter()
            .map(|entry| entry.function);
        return Ok(Some(
            items
                .iter()
                .filter_map(public_item)
                .chain(functions)
                .collect(),
        ));
    }
    let table = at.split_last().filter(|(last, _)| *last == TYPES);
    let Some(items) = table.and_then(|(_, table)| modules.get(table)) else {
        return Ok(None);
    };
    let operators = tables::entries(items)?
        .into_iter()
        .map(|entry| entry.operator);
    Ok(Some(operators.collect()))
}

/// Adds the macros that `#[macro_export]` puts into the root from any module.
fn exported_macros(modules: &Modules<'_>, names: &mut Names) {
    for item in modules.values().copied().flatten() {
        if let Item::Macro(defined) = item
            && has(&defined.attrs, "macro_export")
            && !is_hidden(&defined.attrs)
            && let Some(name) = &defined.ident
        {
            names.front.push(name.to_string());
            names.all.push(name.to_string());
        }
    }
}

/// The name of an item that its module makes public.
fn public_item(item: &Item) -> Option<String> {
    let head = head(item).filter(Head::is_public)?;
    Some(head.name.to_string())
}

/// The paths that a `use` exports, each from its first word on.
fn leaves(tree: &UseTree) -> Vec<Vec<String>> {
    match tree {
        UseTree::Path(path) => {
            let below = leaves(&path.tree).into_iter();
            below
                .map(|leaf| [vec![path.ident.to_string()], leaf].concat())
                .collect()
        }
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(renamed) => vec![vec![renamed.rename.to_string()]],
        UseTree::Glob(_) => vec![vec!["*".to_owned()]],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Whether every module on the way to an exported item is public, so that the item counts there.
fn is_public_elsewhere(path: &[String], leaf: &[String], modules: &Modules<'_>) -> bool {
    let Some((_, way)) = leaf.split_last().filter(|(_, way)| !way.is_empty()) else {
        return false;
    };
    let (mut at, way) = match way {
        [first, way @ ..] if first == "crate" => (Vec::new(), way),
        [first, way @ ..] if first == "self" => (path.to_vec(), way),
        way => (path.to_vec(), way),
    };
    way.iter().all(|word| {
        let items = modules.get(&at).copied().unwrap_or_default().iter();
        let mut declared = items.filter_map(|item| match item {
            Item::Mod(module) if module.ident == word => {
                Some(is_public(&module.vis, &module.attrs))
            }
            _ => None,
        });
        at.push(word.clone());
        declared.next().unwrap_or(false)
    })
}

fn is_public(vis: &Visibility, attrs: &[Attribute]) -> bool {
    matches!(vis, Visibility::Public(_)) && !is_hidden(attrs)
}

fn has(attrs: &[Attribute], name: &str) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident(name))
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::files::File;
    use crate::sources;

    #[test]
    fn what_cannot_be_counted_is_an_error() {
        let read = |text: &str| {
            let files = [File::sample("src/lib.rs", text)];
            let names = sources::read(&files).and_then(|sources| Names::read(&sources));
            names.map(|names| names.all.join(" ")).ok()
        };
        let text = "pub mod b { pub struct One; struct Two; } pub use b::One as Third; pub use other::Four;";
        assert_eq!(read(text).as_deref(), Some("Four b::One"));
        assert_eq!(read("mod a; pub use a::*;"), None, "a glob hides names");
        assert_eq!(read("pub fn"), None);
    }
}
