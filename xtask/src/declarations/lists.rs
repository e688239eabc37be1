//! Reads the lists of functions and of operators, which are the bodies of macros.
//!
//! An entry is `fn name(arg: type, ..) -> type;`, or `operator launch, prepare(arg: kind, ..) in "header";`, which
//! stands for two functions. A mark in front of it is `#[newer]`, or `#[changed(1.17)]` with a release.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Expr, Ident, Item, Lit, LitFloat, LitStr, Meta, ReturnType, Token};

use super::ty::{Parameter, Type, c_word};
use super::{Function, Operator};

/// The declarations in the lists of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lists {
    pub(super) functions: Vec<Function>,
    pub(super) operators: Vec<Operator>,
}

/// The kinds of parameters of operators, with their types: `pub type kind = type;`.
pub(super) type Kinds = BTreeMap<String, Type>;

pub(super) fn kinds(text: &str) -> syn::Result<Kinds> {
    let items = syn::parse_file(text)?.items;
    let aliases = items.iter().filter_map(|item| match item {
        Item::Type(alias) => Some((alias.ident.to_string(), Type::read(&alias.ty))),
        _ => None,
    });
    aliases.map(|(name, ty)| Ok((name, ty?))).collect()
}

/// Reads a file of lists. A file without a list is an error, because something would be skipped.
pub(super) fn read(text: &str, kinds: &Kinds) -> syn::Result<Lists> {
    let file = syn::parse_file(text)?;
    let mut lists = Lists::default();
    let (mut area, mut found) = (None, false);
    for item in &file.items {
        if let Item::Macro(defined) = item
            && defined.ident.is_some()
        {
            let mut bodies = Vec::new();
            bodies_of(defined.mac.tokens.clone(), &mut bodies);
            for body in bodies {
                found = true;
                let list = |input: ParseStream<'_>| {
                    let inside;
                    syn::braced!(inside in input);
                    entries(&inside, kinds, &mut area, &mut lists)
                };
                list.parse2(body)?;
            }
        }
    }
    if !found {
        let text = "this file has no list, `$callback! { .. }` in a macro";
        return Err(syn::Error::new(proc_macro2::Span::call_site(), text));
    }
    Ok(lists)
}

/// The bodies of `$callback! { .. }` in a macro's rules, at any depth.
fn bodies_of(tokens: TokenStream, bodies: &mut Vec<TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        if let TokenTree::Group(group) = token {
            let before = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
            let words: String = before.iter().map(ToString::to_string).collect();
            if words == "$callback!" {
                // With its braces, so that an error at an early end has a place.
                bodies.push(TokenTree::Group(group.clone()).into());
            } else {
                bodies_of(group.stream(), bodies);
            }
        }
    }
}

/// An entry with its attributes and marks.
struct Head {
    doc: String,
    newer: bool,
    changed: Option<String>,
}

fn entries(
    input: ParseStream<'_>,
    kinds: &Kinds,
    area: &mut Option<String>,
    lists: &mut Lists,
) -> syn::Result<()> {
    while !input.is_empty() {
        // The repetitions of a macro, `$(..)*` and `$(..)?`, have no entries of their own.
        if input.peek(Token![$]) {
            input.parse::<Token![$]>()?;
            let repeated;
            syn::parenthesized!(repeated in input);
            repeated.parse::<TokenStream>()?;
            input.parse::<TokenTree>()?;
            continue;
        }
        let head = input.parse::<Head>()?;
        if input.peek(Token![fn]) {
            let area = area.clone().ok_or_else(|| {
                input.error("an area stands in front of functions: `area \"..\", ..Table;`")
            })?;
            lists.functions.push(function(input, head, area)?);
            continue;
        }
        let word = input.parse::<Ident>()?;
        if word == "area" {
            *area = Some(input.parse::<LitStr>()?.value());
            input.parse::<Token![,]>()?;
            input.parse::<Ident>()?;
            input.parse::<Token![;]>()?;
        } else if word == "operator" {
            operator(input, head, kinds, lists)?;
        } else {
            return Err(syn::Error::new(word.span(), "this is no entry of a list"));
        }
    }
    Ok(())
}

impl Parse for Head {
    fn parse(input: ParseStream<'_>) -> syn::Result<Head> {
        let attributes = Attribute::parse_outer(input)?;
        let mut head = Head {
            doc: doc(&attributes),
            newer: false,
            changed: None,
        };
        for attribute in attributes {
            let path = attribute.path();
            if path.is_ident("newer") {
                head.newer = true;
            } else if path.is_ident("changed") {
                head.changed = Some(attribute.parse_args::<LitFloat>()?.to_string());
            } else if !path.is_ident("doc") {
                let place = path
                    .get_ident()
                    .map_or_else(proc_macro2::Span::call_site, Ident::span);
                return Err(syn::Error::new(
                    place,
                    "a mark is `#[newer]` or `#[changed(<release>)]`",
                ));
            }
        }
        Ok(head)
    }
}

/// The lines of documentation, joined.
fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(literal) => match &literal.lit {
                    Lit::Str(text) => Some(text.value().trim().to_owned()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
    lines.collect::<Vec<_>>().join(" ")
}

/// `fn name(arg: type, ..) -> type;`
fn function(input: ParseStream<'_>, head: Head, area: String) -> syn::Result<Function> {
    input.parse::<Token![fn]>()?;
    let name = input.parse::<Ident>()?.to_string();
    let parameters = parameters(input, &Type::read)?;
    let result = Type::of_result(&input.parse::<ReturnType>()?)?;
    input.parse::<Token![;]>()?;
    Ok(Function {
        area,
        name,
        doc: head.doc,
        newer: head.newer,
        changed: head.changed,
        parameters,
        result,
    })
}

/// `(arg: type, ..)`
fn parameters(
    input: ParseStream<'_>,
    read: &dyn Fn(&syn::Type) -> syn::Result<Type>,
) -> syn::Result<Vec<Parameter>> {
    let inside;
    syn::parenthesized!(inside in input);
    let mut parameters = Vec::new();
    while !inside.is_empty() {
        let name = c_word(&inside.call(Ident::parse_any)?);
        inside.parse::<Token![:]>()?;
        let ty = read(&inside.parse()?)?;
        parameters.push(Parameter { name, ty });
        if !inside.is_empty() {
            inside.parse::<Token![,]>()?;
        }
    }
    Ok(parameters)
}

/// `launch, prepare(arg: kind, ..) in "header";`, behind the word.
fn operator(
    input: ParseStream<'_>,
    head: Head,
    kinds: &Kinds,
    lists: &mut Lists,
) -> syn::Result<()> {
    let launch = input.parse::<Ident>()?.to_string();
    input.parse::<Token![,]>()?;
    let first = input.parse::<Ident>()?;
    let prepare = first.to_string();
    if prepare.strip_suffix("GetWorkspaceSize") != Some(launch.as_str()) {
        let text = format!("the first phase of `{launch}` is `{launch}GetWorkspaceSize`");
        return Err(syn::Error::new(first.span(), text));
    }
    let of_kind = |ty: &syn::Type| {
        let read = Type::read(ty)?;
        let known = read.name().and_then(|kind| kinds.get(kind)).cloned();
        Ok(known.unwrap_or(read))
    };
    let mut first = parameters(input, &of_kind)?;
    input.parse::<Token![in]>()?;
    let header = input.parse::<LitStr>()?.value();
    input.parse::<Token![;]>()?;
    let name = |text: &str| Type::Name(text.to_owned());
    let executor = || Type::pointer(name("aclOpExecutor"));
    let parameter = |name: &str, ty| Parameter {
        name: name.to_owned(),
        ty,
    };
    first.extend([
        parameter("workspaceSize", Type::pointer(name("uint64_t"))),
        parameter("executor", Type::pointer(executor())),
    ]);
    let second = vec![
        parameter("workspace", Type::pointer(Type::void())),
        parameter("workspaceSize", name("uint64_t")),
        parameter("executor", executor()),
        parameter("stream", name("aclrtStream")),
    ];
    for (name_of_phase, parameters) in [(&prepare, first), (&launch, second)] {
        lists.functions.push(Function {
            area: "op".to_owned(),
            name: name_of_phase.clone(),
            doc: head.doc.clone(),
            newer: head.newer,
            changed: head.changed.clone(),
            parameters,
            result: name("aclnnStatus"),
        });
    }
    lists.operators.push(Operator {
        launch,
        prepare,
        header,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Kinds, Lists, kinds, read};

    /// The lists of a macro with this body.
    fn list(body: &str) -> syn::Result<Lists> {
        let kinds = kinds("/// A tensor.\npub type tensor = *const aclTensor;").unwrap_or_default();
        read(
            &format!("macro_rules! x {{ ($callback:path) => {{ $callback! {{\n{body}\n}} }}; }}"),
            &kinds,
        )
    }

    /// The prototype of a function in C.
    fn c(lists: &Lists) -> Vec<String> {
        lists
            .functions
            .iter()
            .map(super::Function::declare)
            .collect()
    }

    #[test]
    fn functions_are_read_with_area_marks_and_words() {
        let lists = list(
            "area \"memory\", MemoryTable;\n/// Frees `it`.\nfn aclrtFree(devPtr: *mut c_void) -> aclError;\n\
             #[newer]\nfn aclrtDone() -> ();\n#[changed(1.20)]\nfn aclrtInfo(\n    type_: u32,\n);",
        )
        .unwrap_or_default();
        assert_eq!(
            c(&lists),
            [
                "aclError aclrtFree(void *devPtr)",
                "void aclrtDone(void)",
                "void aclrtInfo(uint32_t type)"
            ]
        );
        let marks: Vec<_> = lists
            .functions
            .iter()
            .map(|f| {
                (
                    f.area.as_str(),
                    f.doc.as_str(),
                    f.newer,
                    f.changed.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            marks,
            [
                ("memory", "Frees `it`.", false, None),
                ("memory", "", true, None),
                ("memory", "", false, Some("1.20"))
            ]
        );
    }

    #[test]
    fn what_is_no_entry_is_an_error_at_its_line() {
        for body in [
            "area \"x\", X;\nfn aclrtFree(devPtr: *mut c_void) -> aclError",
            "area \"x\", X;\nfn aclrtFree(devPtr: Box<u8>);",
            "area \"x\", X;\n[older] fn aclrtFree();",
            "area \"x\", X;\nfunction aclrtFree();",
            "\nfn without_area();",
            "\noperator aclnnAdd, aclnnSubGetWorkspaceSize() in \"aclnn_add.h\";",
        ] {
            let line = list(body).map_err(|error| error.span().start().line);
            assert!(matches!(line, Err(3 | 4)), "{body}: {line:?}");
        }
        assert!(read("fn f() {}", &Kinds::new()).is_err());
    }
}
