//! Reads constants, enumerations, structures, unions, opaque types and aliases, and the status codes.

use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Field, Fields, Ident, Item, ItemMacro, ItemStruct, Token};

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
            Item::Struct(structure) => all.records.push(record(&structure)?),
            Item::Macro(called) if called.ident.is_none() => call(&called, all)?,
            // Definitions of macros, and implementations for Rust.
            Item::Macro(_) | Item::Use(_) | Item::Mod(_) | Item::Impl(_) => {}
            other => {
                use syn::spanned::Spanned;
                let text = "this item is of no form that C shares";
                return Err(syn::Error::new(other.span(), text));
            }
        }
    }
    Ok(())
}

/// Reads `enumeration! { .. }`, `union! { .. }`, `opaque! { .. }` or `codes! { .. }`.
fn call(called: &ItemMacro, all: &mut Declarations) -> syn::Result<()> {
    let path = &called.mac.path;
    let tokens = called.mac.tokens.clone();
    if path.is_ident("enumeration") {
        let read = enumerations.parse2(tokens)?;
        all.enumerations.extend(read);
    } else if path.is_ident("union") {
        all.records.push(union.parse2(tokens)?);
    } else if path.is_ident("opaque") {
        all.opaque.extend(opaque.parse2(tokens)?);
    } else if path.is_ident("codes") {
        all.constants.extend(codes.parse2(tokens)?);
    } else {
        use syn::spanned::Spanned;
        return Err(syn::Error::new(path.span(), "this macro is not known here"));
    }
    Ok(())
}

/// `Name: u32 { VALUE = 0, .. }`, one after the other.
fn enumerations(input: ParseStream<'_>) -> syn::Result<Vec<Enumeration>> {
    let mut read = Vec::new();
    while !input.is_empty() {
        Attribute::parse_outer(input)?;
        let name = input.parse::<Ident>()?.to_string();
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
    let mut read = Vec::new();
    while !input.is_empty() {
        Attribute::parse_outer(input)?;
        let name = input.parse::<Ident>()?.to_string();
        input.parse::<Token![=]>()?;
        let value = number(&input.parse::<Expr>()?)?;
        read.push(Constant { name, value });
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
    }
    Ok(read)
}

/// `Name { field: type, .. }`
fn union(input: ParseStream<'_>) -> syn::Result<Record> {
    Attribute::parse_outer(input)?;
    let name = input.parse::<Ident>()?.to_string();
    let inside;
    syn::braced!(inside in input);
    let named = Punctuated::<Field, Token![,]>::parse_terminated_with(&inside, Field::parse_named)?;
    Ok(Record {
        name,
        is_union: true,
        fields: fields(&named)?,
    })
}

/// `Name; ..`
fn opaque(input: ParseStream<'_>) -> syn::Result<Vec<String>> {
    let mut read = Vec::new();
    while !input.is_empty() {
        Attribute::parse_outer(input)?;
        read.push(input.parse::<Ident>()?.to_string());
        input.parse::<Token![;]>()?;
    }
    Ok(read)
}

fn record(structure: &ItemStruct) -> syn::Result<Record> {
    match &structure.fields {
        Fields::Named(named) => Ok(Record {
            name: structure.ident.to_string(),
            is_union: false,
            fields: fields(&named.named)?,
        }),
        _ => Err(syn::Error::new(
            structure.ident.span(),
            "the fields of a structure have names in C",
        )),
    }
}

fn fields(named: &Punctuated<Field, Token![,]>) -> syn::Result<Vec<Parameter>> {
    let field = |field: &Field| {
        Ok(Parameter {
            name: field
                .ident
                .as_ref()
                .map_or_else(String::new, |name| c_word(&name.to_string())),
            ty: Type::read(&field.ty)?,
        })
    };
    named.iter().map(field).collect()
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
