//! Types that C and Rust share: read as Rust writes them, printed as C does.

use syn::{
    Expr, ExprLit, GenericArgument, Lit, PathArguments, PointerMutability, ReturnType, UnOp,
};

/// A type of a parameter, a result or a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Type {
    /// A type by its name in C.
    Name(String),
    Pointer {
        /// Whether the type that it points to is `const` in C.
        constant: bool,
        to: Box<Type>,
    },
    Array {
        of: Box<Type>,
        /// A number, or the name of a constant.
        len: String,
    },
    /// A function; only pointers to it are types of values.
    Function {
        parameters: Vec<Parameter>,
        result: Box<Type>,
    },
}

/// A parameter of a function, or a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// As in C, empty where there is none.
    pub(crate) name: String,
    pub(crate) ty: Type,
}

impl Type {
    pub(crate) fn void() -> Type {
        Type::Name("void".to_owned())
    }

    pub(crate) fn pointer(to: Type) -> Type {
        Type::Pointer {
            constant: false,
            to: Box::new(to),
        }
    }

    /// Reads a type. The error names the part that has no counterpart in C.
    pub(crate) fn read(ty: &syn::Type) -> syn::Result<Type> {
        match ty {
            syn::Type::Ptr(pointer) => Ok(Type::Pointer {
                constant: matches!(pointer.mutability, PointerMutability::Const(_)),
                to: Box::new(Type::read(&pointer.elem)?),
            }),
            syn::Type::Array(array) => Ok(Type::Array {
                of: Box::new(Type::read(&array.elem)?),
                len: number(&array.len)?,
            }),
            syn::Type::Path(path) => path_type(path),
            syn::Type::Tuple(empty) if empty.elems.is_empty() => Ok(Type::void()),
            other => Err(no_counterpart(other)),
        }
    }

    /// Reads a type from its words. The error has them.
    pub(super) fn parse(words: &str) -> syn::Result<Type> {
        let read = syn::parse_str(words).and_then(|ty| Type::read(&ty));
        read.map_err(|error| syn::Error::new(error.span(), format!("`{words}`: {error}")))
    }

    /// The name of a type that has one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Type::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Changes the length of each array inside.
    pub(crate) fn with_lengths(&mut self, change: &impl Fn(&str) -> String) {
        match self {
            Type::Name(_) => {}
            Type::Pointer { to, .. } => to.with_lengths(change),
            Type::Array { of, len } => {
                *len = change(len);
                of.with_lengths(change);
            }
            Type::Function { parameters, result } => {
                result.with_lengths(change);
                for parameter in parameters {
                    parameter.ty.with_lengths(change);
                }
            }
        }
    }

    /// The declaration in C of something of this type; without a name it is the type alone.
    pub(crate) fn declare(&self, name: &str) -> String {
        self.around(name.to_owned(), false)
    }

    /// Puts the type around the declarator so far.
    fn around(&self, declared: String, constant: bool) -> String {
        let qualifier = if constant { "const " } else { "" };
        // `*x[4]` would be an array of pointers.
        let grouped = |declared: String| match declared.starts_with('*') {
            true => format!("({declared})"),
            false => declared,
        };
        match self {
            Type::Name(name) => format!("{qualifier}{name} {declared}")
                .trim_end()
                .to_owned(),
            Type::Pointer { constant: of, to } => to.around(format!("*{qualifier}{declared}"), *of),
            Type::Array { of, len } => of.around(format!("{}[{len}]", grouped(declared)), constant),
            Type::Function { parameters, result } => {
                let declared = grouped(declared);
                result.around(format!("{declared}({})", list(parameters)), false)
            }
        }
    }
}

/// The parameters of a function in C.
fn list(parameters: &[Parameter]) -> String {
    let declared = parameters.iter().map(|one| one.ty.declare(&one.name));
    let declared: Vec<_> = declared.collect();
    if declared.is_empty() {
        "void".to_owned()
    } else {
        declared.join(", ")
    }
}

/// `u32`, `aclError`, or `Option<unsafe extern "C" fn(..) -> ..>`.
fn path_type(path: &syn::TypePath) -> syn::Result<Type> {
    let last = path.path.segments.last();
    let last = last.ok_or_else(|| no_counterpart(path))?;
    let name = last.ident.to_string();
    let argument = match &last.arguments {
        PathArguments::None => return Ok(Type::Name(c_name(&name).to_owned())),
        PathArguments::AngleBracketed(arguments) if name == "Option" => arguments.args.first(),
        _ => None,
    };
    let Some(GenericArgument::Type(syn::Type::FnPtr(function))) = argument else {
        return Err(no_counterpart(path));
    };
    let parameter = |of: &syn::NamedArg| {
        let name = of.name.as_ref().map(|(name, _)| c_word(&name.to_string()));
        let ty = Type::read(&of.ty)?;
        Ok(Parameter {
            name: name.unwrap_or_default(),
            ty,
        })
    };
    let parameters = function.inputs.iter().map(parameter);
    let parameters = parameters.collect::<syn::Result<_>>()?;
    let result = match &function.output {
        ReturnType::Type(_, ty) => Type::read(ty)?,
        ReturnType::Default => Type::void(),
    };
    Ok(Type::pointer(Type::Function {
        parameters,
        result: Box::new(result),
    }))
}

fn no_counterpart(of: &impl syn::spanned::Spanned) -> syn::Error {
    syn::Error::new(of.span(), "this type has no counterpart in C")
}

/// The C name of a parameter that Rust writes with `_` at its end, because it is a keyword.
pub(super) fn c_word(name: &str) -> String {
    name.strip_suffix('_').unwrap_or(name).to_owned()
}

/// The name of a type in C.
fn c_name(rust: &str) -> &str {
    match rust {
        "c_void" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "c_ulonglong" => "unsigned long long",
        "f32" => "float",
        "f64" => "double",
        "usize" => "size_t",
        "u8" => "uint8_t",
        "u16" => "uint16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i8" => "int8_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "i64" => "int64_t",
        other => other,
    }
}

/// A number as C writes it, or the name of a constant.
pub(super) fn number(value: &Expr) -> syn::Result<String> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => {
            let text = number.token().to_string().replace('_', "");
            Ok(text.trim_end_matches(number.suffix()).to_owned())
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            Ok(format!("-{}", number(&unary.expr)?))
        }
        Expr::Path(path) if path.path.get_ident().is_some() => Ok(path
            .path
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default()),
        other => Err(syn::Error::new_spanned(
            other,
            "this is no number, and no name of one",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Type, number};

    #[test]
    fn types_and_numbers_are_written_as_in_c_or_refused() {
        let types = "\
*const *const f32; const float *const *x
[[u32; LEN]; 4]; uint32_t x[4][LEN]
*mut [u8; 4]; uint8_t (*x)[4]
Option<unsafe extern \"C\" fn(id_: i32) -> *mut c_void>; void *(*x)(int32_t id)
Box<u8>; this type has no counterpart in C
&u8; this type has no counterpart in C";
        for (rust, c) in types.lines().filter_map(|line| line.rsplit_once("; ")) {
            let read = syn::parse_str(rust).and_then(|ty| Type::read(&ty));
            let declared = read.map_or_else(|error| error.to_string(), |ty| ty.declare("x"));
            assert_eq!(declared, c, "{rust}");
        }
        for (rust, c) in [
            ("0x0_1u32", "0x01"),
            ("-1", "-1"),
            ("OTHER", "OTHER"),
            ("1 + 1", ""),
        ] {
            let read = syn::parse_str(rust).and_then(|value| number(&value));
            assert_eq!(read.unwrap_or_default(), c, "{rust}");
        }
    }
}
