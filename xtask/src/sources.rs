//! The sources of the typed API, parsed once for all checks that read them.

use syn::{Attribute, Ident, ImplItem, Item, TraitItem, Type, Visibility};

use crate::error::Error;
use crate::files::File;

/// The folder.
pub(crate) const FOLDER: &str = "src/";

/// A file, and its items.
pub(crate) struct Source<'f> {
    pub(crate) file: &'f File,
    pub(crate) items: Vec<Item>,
}

impl Source<'_> {
    /// The path below the folder.
    pub(crate) fn path(&self) -> &str {
        self.file.path.trim_start_matches(FOLDER)
    }
}

/// Parses the files of the typed API.
pub(crate) fn read(files: &[File]) -> Result<Vec<Source<'_>>, Error> {
    let is_source = |file: &&File| file.is_rust() && file.path.starts_with(FOLDER);
    files.iter().filter(is_source).map(parse).collect()
}

fn parse(file: &File) -> Result<Source<'_>, Error> {
    let parsed = syn::parse_file(&file.text).map_err(|error| {
        let line = error.span().start().line;
        Error::from(format!("{}:{line}: {error}", file.path))
    })?;
    let items = parsed.items;
    Ok(Source { file, items })
}

/// The items of a file, with those of the modules that are written in it.
pub(crate) fn flat(items: &[Item]) -> Vec<&Item> {
    let mut all = Vec::new();
    for item in items {
        all.push(item);
        if let Item::Mod(module) = item
            && let Some((_, items)) = &module.content
        {
            all.extend(flat(items));
        }
    }
    all
}

/// The last word of the name of a type.
pub(crate) fn name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// What an item or a method is known by.
#[derive(Clone, Copy)]
pub(crate) struct Head<'s> {
    pub(crate) vis: &'s Visibility,
    pub(crate) attrs: &'s [Attribute],
    pub(crate) name: &'s Ident,
}

impl Head<'_> {
    /// Whether rustdoc shows it where its module is public.
    pub(crate) fn is_public(&self) -> bool {
        matches!(self.vis, Visibility::Public(_)) && !is_hidden(self.attrs)
    }
}

/// The head of a type, a trait, a function or a constant.
pub(crate) fn head(item: &Item) -> Option<Head<'_>> {
    let (vis, attrs, name) = match item {
        Item::Struct(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Enum(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Union(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Trait(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Fn(item) => (&item.vis, &item.attrs, &item.sig.ident),
        Item::Type(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Const(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Static(item) => (&item.vis, &item.attrs, &item.ident),
        _ => return None,
    };
    Some(Head { vis, attrs, name })
}

/// The heads of the functions in an `impl` or a trait, with the name of the type or the trait. Those of a trait are as
/// visible as it is.
pub(crate) fn methods(item: &Item) -> Vec<(&Ident, Head<'_>)> {
    let mut found = Vec::new();
    let mut add = |of, vis, attrs, name| found.push((of, Head { vis, attrs, name }));
    if let Item::Impl(of) = item
        && let Some(name) = name(&of.self_ty)
    {
        for inner in &of.items {
            if let ImplItem::Fn(method) = inner {
                add(name, &method.vis, &method.attrs, &method.sig.ident);
            }
        }
    }
    if let Item::Trait(of) = item {
        for inner in &of.items {
            if let TraitItem::Fn(method) = inner {
                add(&of.ident, &of.vis, &method.attrs, &method.sig.ident);
            }
        }
    }
    found
}

/// Whether rustdoc leaves an item out.
pub(crate) fn is_hidden(attrs: &[Attribute]) -> bool {
    let mut docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    docs.any(|attr| {
        let list = attr.meta.require_list();
        list.is_ok_and(|list| list.tokens.to_string() == "hidden")
    })
}
