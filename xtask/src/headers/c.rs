//! Types as Rust writes them, written as C does.

use crate::declarations::Declarations;

/// A Rust type in C; an error names what has no counterpart.
pub(super) fn ty(rust: &str) -> Result<String, String> {
    if let Some(pointee) = rust.strip_prefix("*mut ") {
        return Ok(format!("{} *", ty(pointee)?));
    }
    if let Some(pointee) = rust.strip_prefix("*const ") {
        return Ok(format!("{} const *", ty(pointee)?));
    }
    if let Some(function) = rust
        .strip_prefix("Option<unsafe extern \"C\" fn(")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        return function_pointer(function).ok_or_else(|| format!("`{rust}` is no function"))?;
    }
    Ok(match rust {
        "c_void" => "void",
        "c_char" => "char",
        "c_int" | "i32" => "int32_t",
        "u8" => "uint8_t",
        "i8" => "int8_t",
        "u16" => "uint16_t",
        "i16" => "int16_t",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "i64" => "int64_t",
        "usize" => "size_t",
        "f32" => "float",
        "f64" => "double",
        name if name
            .chars()
            .all(|sign| sign.is_alphanumeric() || sign == '_') =>
        {
            name
        }
        other => return Err(format!("`{other}` has no counterpart in C")),
    }
    .to_owned())
}

/// `a: A, b: B) -> R` as a pointer to a function.
fn function_pointer(text: &str) -> Option<Result<String, String>> {
    let (parameters, result) = text.rsplit_once(')')?;
    let types: Option<Vec<_>> = crate::declarations::split(parameters)
        .into_iter()
        .map(|parameter| Some(parameter.split_once(':')?.1.trim().to_owned()))
        .collect();
    let result = result.trim().strip_prefix("->").map(str::trim);
    Some(function(&types?, result))
}

/// A pointer to a function with these types.
pub(super) fn function(parameters: &[String], result: Option<&str>) -> Result<String, String> {
    let parameters: Vec<_> = parameters
        .iter()
        .map(|one| ty(one))
        .collect::<Result<_, _>>()?;
    let parameters = if parameters.is_empty() {
        "void".to_owned()
    } else {
        parameters.join(", ")
    };
    let result = result.map_or(Ok("void".to_owned()), ty)?;
    Ok(format!("{result} (*)({parameters})"))
}

/// The type of a field, where an array stands behind the name: `("uint8_t", "[4]")`.
pub(super) fn field(rust: &str, all: &Declarations) -> Result<(String, String), String> {
    match rust
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        None => Ok((ty(rust)?, String::new())),
        Some(array) => {
            let (element, len) = array
                .rsplit_once(';')
                .ok_or_else(|| format!("`{rust}` is no array"))?;
            Ok((ty(element.trim())?, format!("[{}]", all.number(len.trim()))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{field, function, ty};
    use crate::declarations::{Constant, Declarations};

    #[test]
    fn pointers_keep_their_const() {
        for (rust, c) in [
            ("*mut *mut c_void", "void * *"),
            ("*const *mut aclTensor", "aclTensor * const *"),
            ("*const c_char", "char const *"),
            (
                "Option<unsafe extern \"C\" fn(a: *mut c_void, b: usize) -> u32>",
                "uint32_t (*)(void *, size_t)",
            ),
            ("Option<unsafe extern \"C\" fn(a: u8)>", "void (*)(uint8_t)"),
        ] {
            assert_eq!(ty(rust).as_deref(), Ok(c), "{rust}");
        }
        assert!(ty("Box<u8>").is_err());
        assert_eq!(
            function(&[], Some("aclError")).as_deref(),
            Ok("aclError (*)(void)")
        );
    }

    #[test]
    fn the_length_of_an_array_may_be_a_constant() {
        let mut all = Declarations::default();
        all.constants.push(Constant {
            name: "LEN".into(),
            value: "64".into(),
        });
        let expected = Ok(("char".to_owned(), "[64]".to_owned()));
        assert_eq!(field("[c_char; LEN]", &all), expected);
    }
}
