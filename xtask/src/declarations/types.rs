//! Reads constants, enumerations, structures, unions and aliases, and the status codes.

use super::{Alias, Constant, Declarations, Enumeration, Record, Unreadable};

/// What the current line is inside of.
enum Inside {
    Nothing,
    /// `enumeration! { .. }`, and in it an enumeration.
    Enumerations(Option<Enumeration>),
    /// `union! { .. }`, and in it the union.
    Union(Option<Record>),
    /// `codes! { .. }`.
    Codes,
    Structure(Record),
    /// An alias that is not over yet.
    Alias(String),
    /// Something that declares nothing which C shares.
    Other,
}

pub(super) fn read(text: &str, all: &mut Declarations) -> Result<(), Unreadable> {
    let mut inside = Inside::Nothing;
    for (number, line) in (1..).zip(text.lines()) {
        let indent = line.len() - line.trim_start().len();
        let line = line.split("//").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        inside = step(inside, line, indent, all)
            .ok_or_else(|| (number, format!("`{line}` is not understood here")))?;
    }
    Ok(())
}

/// Reads a line; gives what the next one is inside of.
fn step(inside: Inside, line: &str, indent: usize, all: &mut Declarations) -> Option<Inside> {
    Some(match inside {
        Inside::Nothing => outside(line, all)?,
        Inside::Other if indent == 0 && line.starts_with('}') => Inside::Nothing,
        Inside::Other => Inside::Other,
        Inside::Enumerations(None) if line == "}" => Inside::Nothing,
        Inside::Enumerations(None) => {
            let (name, repr) = line.strip_suffix('{')?.split_once(':')?;
            Inside::Enumerations(Some(Enumeration {
                name: name.trim().to_owned(),
                repr: repr.trim().to_owned(),
                values: Vec::new(),
            }))
        }
        Inside::Enumerations(Some(done)) if line == "}" => {
            all.enumerations.push(done);
            Inside::Enumerations(None)
        }
        Inside::Enumerations(Some(mut open)) => {
            open.values.push(code(line)?);
            Inside::Enumerations(Some(open))
        }
        Inside::Union(None) if line == "}" => Inside::Nothing,
        Inside::Union(None) => Inside::Union(Some(record(line.strip_suffix('{')?, true))),
        Inside::Union(Some(done)) if line == "}" => {
            all.records.push(done);
            Inside::Union(None)
        }
        Inside::Union(Some(mut open)) => {
            open.fields.push(field(line)?);
            Inside::Union(Some(open))
        }
        Inside::Structure(done) if line == "}" => {
            all.records.push(done);
            Inside::Nothing
        }
        Inside::Structure(mut open) => {
            open.fields.push(field(line.strip_prefix("pub ")?)?);
            Inside::Structure(open)
        }
        Inside::Codes if line == "}" => Inside::Nothing,
        Inside::Codes => {
            all.constants.push(code(line)?);
            Inside::Codes
        }
        Inside::Alias(begun) => alias(&format!("{begun} {line}"), all)?,
    })
}

/// Reads a line that stands in nothing.
fn outside(line: &str, all: &mut Declarations) -> Option<Inside> {
    if let Some(rest) = line.strip_prefix("pub const ") {
        let (name, rest) = rest.split_once(':')?;
        let (_, value) = rest.strip_suffix(';')?.split_once('=')?;
        let (name, value) = (name.to_owned(), value.trim().to_owned());
        all.constants.push(Constant { name, value });
        return Some(Inside::Nothing);
    }
    if let Some(rest) = line.strip_prefix("pub type ") {
        return alias(rest, all);
    }
    if let Some(rest) = line.strip_prefix("pub struct ") {
        return Some(Inside::Structure(record(rest.strip_suffix('{')?, false)));
    }
    Some(match line {
        "enumeration! {" => Inside::Enumerations(None),
        "union! {" => Inside::Union(None),
        "codes! {" => Inside::Codes,
        _ if line.ends_with(';') => Inside::Nothing,
        _ if line.ends_with('{') => Inside::Other,
        _ => return None,
    })
}

/// Reads `name = type;`, which may go on on the next line.
fn alias(text: &str, all: &mut Declarations) -> Option<Inside> {
    let Some(whole) = text.strip_suffix(';') else {
        return Some(Inside::Alias(text.to_owned()));
    };
    let (name, target) = whole.split_once('=')?;
    // Over several lines there are more spaces, and commas at the ends.
    let target = target.replace("< ", "<").replace("( ", "(");
    let target = target.replace(", )", ")").replace(", >", ">");
    all.aliases.push(Alias {
        name: name.trim().to_owned(),
        target: target.trim().to_owned(),
    });
    Some(Inside::Nothing)
}

fn record(name: &str, is_union: bool) -> Record {
    Record {
        name: name.trim().to_owned(),
        is_union,
        fields: Vec::new(),
    }
}

fn field(line: &str) -> Option<(String, String)> {
    let (name, ty) = line.strip_suffix(',')?.split_once(':')?;
    Some((name.trim().to_owned(), ty.trim().to_owned()))
}

/// Reads `NAME = number,`.
fn code(line: &str) -> Option<Constant> {
    let (name, value) = line.strip_suffix(',')?.split_once('=')?;
    let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
    Some(Constant { name, value })
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::declarations::Declarations;

    #[test]
    fn each_form_is_read() {
        let text = "
enumeration! {
    /// Doc.
    aclKind: i32 {
        ACL_ONE = -1, // why
        ACL_TWO = 2,
    }
}

/// Doc.
pub const ACL_FLAG: u64 = 0x2;
/// Doc.
pub type aclHook = Option<
    unsafe extern \"C\" fn(
        a: u8,
    ) -> u8,
>;

/// Doc.
#[repr(C)]
pub struct aclPair {
    /// Doc.
    pub one: u32,
}

union! {
    /// Doc.
    aclEither {
        /// Doc.
        one: [u8; 4],
    }
}

codes! {
    ACL_CODE = 100000,
}

impl aclPair {
    fn ignored() {}
}
";
        let mut all = Declarations::default();
        assert_eq!(read(text, &mut all), Ok(()));
        let [kind] = all.enumerations.as_slice() else {
            unreachable!("one enumeration");
        };
        assert_eq!((kind.name.as_str(), kind.repr.as_str()), ("aclKind", "i32"));
        let values: Vec<_> = kind.values.iter().map(|v| v.value.as_str()).collect();
        assert_eq!(values, ["-1", "2"]);
        let constants: Vec<_> = all.constants.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(constants, ["ACL_FLAG", "ACL_CODE"]);
        assert_eq!(
            all.aliases.first().map(|a| a.target.as_str()),
            Some("Option<unsafe extern \"C\" fn(a: u8) -> u8>")
        );
        let records: Vec<_> = all
            .records
            .iter()
            .map(|r| (r.name.as_str(), r.is_union))
            .collect();
        assert_eq!(records, [("aclPair", false), ("aclEither", true)]);
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_line() {
        let mut all = Declarations::default();
        let read = read("enumeration! {\n    aclKind {\n", &mut all);
        assert_eq!(read.map_err(|(line, _)| line), Err(2));
    }
}
