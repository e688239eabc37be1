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

/// The items of each module, in a file of its own or in another module's, by its path: nothing for the root, `memory::slice`.
type Modules<'s> = BTreeMap<String, &'s [Item]>;

impl Names {
    pub(super) fn read(sources: &[Source<'_>]) -> Result<Names, Error> {
        let mut modules = Modules::new();
        for source in sources {
            let path = source
                .path()
                .trim_end_matches(".rs")
                .trim_end_matches("/mod");
            let path = if path == "lib" { "" } else { path };
            insert(&path.replace('/', "::"), &source.items, &mut modules);
        }
        let mut names = Names::default();
        let mut exports = Vec::new();
        of_module("", &modules, &mut names, &mut exports)?;
        // An item of a public module, and one that a public module exports, counts there.
        let public: Vec<&String> = names
            .all
            .iter()
            .chain(exports.iter().map(|(name, _)| name))
            .collect();
        let exports = exports.iter();
        let exports = exports.filter(|(name, place)| name == place || !public.contains(&place));
        let exports: Vec<String> = exports.map(|(name, _)| name.clone()).collect();
        names.all.extend(exports);
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
fn insert<'s>(path: &str, items: &'s [Item], modules: &mut Modules<'s>) {
    for item in items {
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            insert(&below(path, &module.ident.to_string()), items, modules);
        }
    }
    modules.insert(path.to_owned(), items);
}

fn below(path: &str, name: &str) -> String {
    let separator = if path.is_empty() { "" } else { "::" };
    format!("{path}{separator}{name}")
}

/// Adds the names of a public module and of the public modules in it. `exports` gets those that are exported there, with the
/// place where each is written.
fn of_module(
    path: &str,
    modules: &Modules<'_>,
    names: &mut Names,
    exports: &mut Vec<(String, String)>,
) -> Result<(), Error> {
    for item in modules.get(path).copied().unwrap_or_default() {
        let mut front = Vec::new();
        match item {
            Item::Mod(module) if is_public(&module.vis, &module.attrs) => {
                front.push(module.ident.to_string());
                let inside = below(path, &module.ident.to_string());
                of_module(&inside, modules, names, exports)?;
            }
            Item::Use(exported) if is_public(&exported.vis, &exported.attrs) => {
                for (leaf, name) in leaves(&exported.tree) {
                    for place in named(path, &leaf, modules)? {
                        let last = || place.rsplit("::").next().unwrap_or(&place).to_owned();
                        let name = name.clone().unwrap_or_else(last);
                        exports.push((below(path, &name), place));
                        front.push(name);
                    }
                }
            }
            _ => {
                front.extend(public_item(item));
                names.all.extend(front.iter().map(|name| below(path, name)));
            }
        }
        if path.is_empty() {
            names.front.extend(front);
        }
    }
    Ok(())
}

/// The paths that a `use` exports, each from its first word on, with another name if it gets one.
fn leaves(tree: &UseTree) -> Vec<(String, Option<String>)> {
    match tree {
        UseTree::Path(path) => {
            let leaves = leaves(&path.tree).into_iter();
            leaves
                .map(|(leaf, name)| (format!("{}::{leaf}", path.ident), name))
                .collect()
        }
        UseTree::Name(name) => vec![(name.ident.to_string(), None)],
        UseTree::Rename(of) => vec![(of.ident.to_string(), Some(of.rename.to_string()))],
        UseTree::Glob(_) => vec![("*".to_owned(), None)],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// The places from the root that a path stands for, which the module `path` exports: of a glob the names of its module. A glob
/// whose module is unknown stays.
fn named(path: &str, leaf: &str, modules: &Modules<'_>) -> Result<Vec<String>, Error> {
    let at = leaf
        .split("::")
        .fold(path.to_owned(), |at, word| match word {
            "crate" => String::new(),
            "self" => at,
            "super" => at
                .rsplit_once("::")
                .map_or("", |(above, _)| above)
                .to_owned(),
            _ => below(&at, word),
        });
    let Some(at) = at.strip_suffix("::*") else {
        return Ok(vec![at]);
    };
    let table = at.strip_suffix(TYPES).and_then(|at| at.strip_suffix("::"));
    let names: Vec<String> = if let Some(items) = modules.get(at) {
        let functions = tables::entries(items)?.into_iter();
        let functions = functions.map(|entry| entry.function);
        let items = items.iter().filter_map(public_item);
        items.chain(functions).collect()
    } else if let Some(items) = table.and_then(|table| modules.get(table)) {
        let operators = tables::entries(items)?.into_iter();
        operators.map(|entry| entry.operator).collect()
    } else {
        return Ok(vec![format!("{at}::*")]);
    };
    Ok(names.iter().map(|name| below(at, name)).collect())
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
