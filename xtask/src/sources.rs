//! The sources of the typed API, parsed once for all checks that read them.

use syn::{Attribute, Ident, Item, Type};

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
pub(crate) fn read(files: &[File]) -> Result<Vec<Source<'_>>, String> {
    let is_source = |file: &&File| file.is_rust() && file.path.starts_with(FOLDER);
    files.iter().filter(is_source).map(parse).collect()
}

fn parse(file: &File) -> Result<Source<'_>, String> {
    let parsed = syn::parse_file(&file.text).map_err(|error| {
        let line = error.span().start().line;
        format!("{}:{line}: {error}", file.path)
    })?;
    let items = parsed.items;
    Ok(Source { file, items })
}

/// The last word of the name of a type.
pub(crate) fn name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

/// Whether rustdoc leaves an item out.
pub(crate) fn is_hidden(attrs: &[Attribute]) -> bool {
    let mut docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    docs.any(|attr| {
        let list = attr.meta.require_list();
        list.is_ok_and(|list| list.tokens.to_string() == "hidden")
    })
}
