//! The lists of functions and of operators: macros of `ascendcl-sys` that hand over what they list.

use super::ty::{Parameter, Type, c_word};
use super::{Alias, Function, Operator};

/// A function of a list, with the words of its types.
struct Written {
    /// The lines of its documentation.
    doc: &'static [&'static str],
    /// `newer`, or `changed` with a release, or nothing.
    mark: &'static str,
    name: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    result: &'static str,
}

/// An item for a function: the macros that call this one make items.
macro_rules! function {
    (
        $(#[doc = $doc:expr])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;
    ) => {
        const $name: Written = Written {
            doc: &[$($doc),*],
            mark: stringify!($($mark)*),
            name: stringify!($name),
            parameters: &[$((stringify!($arg), stringify!($ty))),*],
            result: stringify!($ret),
        };
    };
}

macro_rules! list {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        $( ascendcl_sys::function! { function; $(# $attribute)+ fn $name $parameters -> $ret; } )*

        pub(super) const LIST: (&str, &[Written]) = ($area, &[$($name),*]);
    };
}

macro_rules! areas {
    ($($area:ident $Table:ident $functions:ident),* $(,)?) => {
        $(
            #[allow(non_upper_case_globals, reason = "the names of C are kept")]
            mod $area {
                use super::Written;

                ascendcl_sys::$functions!(list);
            }
        )*

        /// The lists, each with the word of its area.
        const LISTS: &[(&str, &[Written])] = &[$($area::LIST),*];
    };
}

ascendcl_sys::for_each_area!(areas);

macro_rules! listed {
    ($(
        $(# $attribute:tt)+ operator $launch:ident, $prepare:ident $parameters:tt in $header:literal;
    )*) => {
        /// The operators, whose functions are among the others.
        pub(super) const OPERATORS: &[Operator] = &[$(Operator {
            launch: stringify!($launch),
            prepare: stringify!($prepare),
            header: $header,
        }),*];
    };
}

ascendcl_sys::operators!(listed);

/// The functions, sorted by area. `kinds` has the types of the kinds of parameters that operators have.
pub(super) fn functions(kinds: &[Alias]) -> syn::Result<Vec<Function>> {
    let mut lists = LISTS.to_vec();
    lists.sort_by_key(|(area, _)| *area);
    let functions = lists.into_iter().flat_map(|(area, list)| {
        let function = move |written| function(area, written, kinds);
        list.iter().map(function)
    });
    functions.collect()
}

fn function(area: &str, written: &Written, kinds: &[Alias]) -> syn::Result<Function> {
    let parameter = |(name, ty): &(&str, &str)| {
        // The macros write `$crate` in front of names that the lists omit.
        let read = Type::parse(&ty.replace('$', ""))?;
        let of_kind = kinds.iter().find(|alias| read.name() == Some(&alias.name));
        let ty = of_kind.map_or(read, |alias| alias.target.clone());
        let name = c_word(name);
        Ok(Parameter { name, ty })
    };
    // The lists add paragraphs to that of an operator.
    let doc = written.doc.iter().map(|line| line.trim());
    let doc: Vec<_> = doc.take_while(|line| !line.is_empty()).collect();
    let changed = written.mark.strip_prefix("changed ");
    let parameters = written.parameters.iter().map(parameter);
    Ok(Function {
        area: area.to_owned(),
        name: written.name.to_owned(),
        doc: doc.join(" "),
        newer: written.mark == "newer",
        changed: changed.map(str::to_owned),
        parameters: parameters.collect::<syn::Result<_>>()?,
        result: Type::parse(written.result)?,
    })
}

#[cfg(test)]
mod tests {
    use super::OPERATORS;

    #[test]
    fn both_phases_of_an_operator_have_its_name() {
        for operator in OPERATORS {
            let expected = format!("{}GetWorkspaceSize", operator.launch);
            assert_eq!(operator.prepare, expected);
        }
    }
}
