//! Reads constants, enumerations, structures, unions, opaque types and aliases, and the status codes.

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Field, Fields, FieldsNamed, Ident, Item, ItemMacro, ItemStruct, Token};

use super::ty::{Parameter, Type, c_word, number};
use super::{Alias, Constant, Declarations, Enumeration, Record};

/// Reads a file of types. An item must be shared with C, or known to be for Rust only. Any other item is an error.
pub(super) fn read(text: &str, all: &mut Declarations) -> syn::Result<()> {
    for item in syn::parse_file(text)?.items {
        match item {
            Item::Const(constant) => all.constants.push(Constant {
                name: constant.ident.to_string(),
                value: number(&constant.expr)?,
            }),
            Item::Type(alias) => all.aliases.push(Alias {
                name: alias.ident.to_string(),
                target: Type::read(&alias.ty)?,
            }),
            Item::Struct(of) => all.records.push(structure(&of)?),
            Item::Macro(called) if called.ident.is_none() => call(&called, all)?,
            // Definitions of macros, and implementations for Rust.
            Item::Macro(_) | Item::Use(_) | Item::Mod(_) | Item::Impl(_) => {}
            other => return wrong(&other, "this item is of no form that C shares"),
        }
    }
    Ok(())
}

/// Reads `enumeration! { .. }`, `union! { .. }`, `opaque! { .. }` or `codes! { .. }`.
fn call(called: &ItemMacro, all: &mut Declarations) -> syn::Result<()> {
    let name = called.mac.path.get_ident().map(ToString::to_string);
    let tokens = called.mac.tokens.clone();
    match name.as_deref().unwrap_or_default() {
        "enumeration" => all.enumerations.extend(enumerations.parse2(tokens)?),
        "union" => all.records.push(union.parse2(tokens)?),
        "opaque" => all.opaque.extend(opaque.parse2(tokens)?),
        "codes" => all.constants.extend(codes.parse2(tokens)?),
        _ => return wrong(&called.mac.path, "this macro is not known here"),
    }
    Ok(())
}

fn wrong<T>(of: &impl Spanned, text: &str) -> syn::Result<T> {
    Err(syn::Error::new(of.span(), text))
}

/// The name of an item behind its attributes.
fn name(input: ParseStream<'_>) -> syn::Result<String> {
    Attribute::parse_outer(input)?;
    Ok(input.parse::<Ident>()?.to_string())
}

/// `Name: u32 { VALUE = 0, .. }`, one after the other.
fn enumerations(input: ParseStream<'_>) -> syn::Result<Vec<Enumeration>> {
    let mut read = Vec::new();
    while !input.is_empty() {
        let name = name(input)?;
        input.parse::<Token![:]>()?;
        let repr = input.parse::<Ident>()?.to_string();
        let inside;
        syn::braced!(inside in input);
        let values = codes(&inside)?;
        read.push(Enumeration { name, repr, values });
    }
    Ok(read)
}

/// `NAME = 0, ..`
fn codes(input: ParseStream<'_>) -> syn::Result<Vec<Constant>> {
    let code = |input: ParseStream<'_>| {
        let name = name(input)?;
        input.parse::<Token![=]>()?;
        let value = number(&input.parse::<Expr>()?)?;
        Ok(Constant { name, value })
    };
    let read = Punctuated::<_, Token![,]>::parse_terminated_with(input, code)?;
    Ok(read.into_iter().collect())
}

/// `Name { field: type, .. }`
fn union(input: ParseStream<'_>) -> syn::Result<Record> {
    let name = name(input)?;
    let named = input.parse::<FieldsNamed>()?;
    record(name, true, &named)
}

/// `Name; ..`
fn opaque(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let read = Punctuated::<_, Token![;]>::parse_terminated_with(input, name)?;
    Ok(read.into_iter().collect())
}

fn structure(of: &ItemStruct) -> syn::Result<Record> {
    match &of.fields {
        Fields::Named(named) => record(of.ident.to_string(), false, named),
        _ => wrong(&of.ident, "the fields of a structure have names in C"),
    }
}

fn record(name: String, is_union: bool, fields: &FieldsNamed) -> syn::Result<Record> {
    let field = |field: &Field| {
        let name = field.ident.as_ref().map(|name| c_word(&name.to_string()));
        let (name, ty) = (name.unwrap_or_default(), Type::read(&field.ty)?);
        Ok(Parameter { name, ty })
    };
    let fields = fields.named.iter().map(field);
    Ok(Record {
        name,
        is_union,
        fields: fields.collect::<syn::Result<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::declarations::Declarations;

    #[test]
    fn what_is_not_understood_is_an_error_at_its_line() {
        for text in [
            "\npub const A: u32 = f();",
            "\npub struct aclPair(u32);",
            "\nenumeration! { aclKind i32 {} }",
            "\nstructure! { x }",
            "\npub fn f() {}",
            "\npub type aclBox = Box<u8>;",
        ] {
            let read = read(text, &mut Declarations::default());
            let line = read.map_err(|error| error.span().start().line);
            assert_eq!(line, Err(2), "{text}");
        }
    }
}
