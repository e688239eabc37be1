//! The contents of a preprocessed header: its words, the values of its enumerations, its functions.

use std::collections::{BTreeMap, BTreeSet};

/// A header with all that it includes.
#[derive(Debug, Default)]
pub(super) struct Header {
    words: BTreeSet<String>,
    /// The words inside of each structure and union.
    records: BTreeMap<String, BTreeSet<String>>,
    /// Names of types that C accepts without `enum`, `struct` or `union` before them.
    typedefs: BTreeSet<String>,
    /// Constants that are variables: C++ can use them at compile time, C cannot.
    variables: BTreeSet<String>,
    /// The version of ACL, such as `1.17`.
    pub(super) version: String,
    /// The named values of each enumeration.
    pub(super) enumerations: BTreeMap<String, Vec<String>>,
    /// The functions of AscendCL.
    pub(super) functions: BTreeSet<String>,
}

impl Header {
    /// Reads the output of the preprocessor, and the macros that it defined.
    pub(super) fn new(preprocessed: &str, macros: &str) -> Header {
        let mut header = Header::default();
        let words = |text: &str| -> Vec<String> {
            text.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        header.words.extend(words(preprocessed));
        header.words.extend(macros.lines().filter_map(|line| {
            let name = line.strip_prefix("#define ")?;
            words(name).into_iter().next()
        }));
        for definition in preprocessed.split("typedef ").skip(1) {
            let Some((body, name)) = definition_parts(definition) else {
                continue;
            };
            let Some(name) = words(name).pop() else {
                continue;
            };
            if definition.starts_with("enum") {
                let value = |one: &str| words(one).into_iter().next();
                let values = body.split(',').filter_map(value).collect();
                header.enumerations.insert(name.clone(), values);
            } else if !body.is_empty() {
                header
                    .records
                    .insert(name.clone(), words(body).into_iter().collect());
            }
            header.typedefs.insert(name);
        }
        for line in preprocessed.split("static const ").skip(1) {
            let before = line.split('=').next().unwrap_or_default();
            header.variables.extend(words(before).pop());
        }
        let number = |name: &str| -> Option<String> {
            let line = macros
                .lines()
                .find(|line| words(line).get(1).is_some_and(|word| word == name))?;
            words(line).pop()
        };
        header.version = [number("ACL_MAJOR_VERSION"), number("ACL_MINOR_VERSION")]
            .map(Option::unwrap_or_default)
            .join(".");
        for statement in preprocessed.split([';', '}', '{']) {
            if statement.trim_start().starts_with("typedef") {
                continue;
            }
            for (at, _) in statement.match_indices('(') {
                let mut before = words(statement.get(..at).unwrap_or_default());
                let name = before.pop().unwrap_or_default();
                let is_ours = ["acl", "hi_mpi_", "Hccl"]
                    .iter()
                    .any(|word| name.starts_with(word));
                if is_ours && !before.is_empty() {
                    header.functions.insert(name);
                }
            }
        }
        header
    }

    /// Whether a structure has a field. A structure that was not read has all fields.
    pub(super) fn has_field(&self, record: &str, field: &str) -> bool {
        self.records
            .get(record)
            .is_none_or(|words| words.contains(field))
    }

    /// Whether C can name a type as it stands.
    pub(super) fn is_typedef(&self, name: &str) -> bool {
        self.typedefs.contains(name)
    }

    /// Whether a constant is a variable.
    pub(super) fn is_variable(&self, name: &str) -> bool {
        self.variables.contains(name)
    }

    /// Whether a name occurs there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.words.contains(name)
    }
}

/// The text between the outer braces of a definition (empty without braces), and the name after them.
fn definition_parts(definition: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut open = None;
    let mut close = 0;
    for (at, sign) in definition.char_indices() {
        match sign {
            '{' => {
                open = open.or(Some(at + 1));
                depth += 1;
            }
            '}' => {
                depth -= 1;
                close = at;
            }
            ';' if depth == 0 => {
                let body = match open {
                    Some(open) => definition.get(open..close)?,
                    None => "",
                };
                return Some((body, definition.get(close..at)?));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn words_values_and_functions_are_found() {
        let text = "
            typedef enum aclKind { ACL_ONE = 1, ACL_TWO, } aclKind;
            typedef struct { int one; union { int two; }; } aclPair;
            static const int ACL_CODE = 100000;
            typedef void (*aclHook)(void *);
            __attribute__((x)) aclError aclrtFree(void *devPtr);
            extern aclError aclrtMalloc(void **devPtr, size_t size);
        ";
        let macros = "#define ACL_FLAG 0x1U\n#define OTHER(x) x\n\
                      #define ACL_MAJOR_VERSION 1\n#define ACL_MINOR_VERSION 17";
        let header = Header::new(text, macros);
        assert_eq!(header.version, "1.17");
        assert!(header.has_field("aclPair", "two") && !header.has_field("aclPair", "three"));
        assert!(header.is_typedef("aclPair") && !header.is_typedef("aclHook"));
        assert!(header.is_variable("ACL_CODE") && !header.is_variable("ACL_FLAG"));
        assert!(header.has("ACL_FLAG") && header.has("ACL_TWO") && !header.has("ACL_THREE"));
        let values = header.enumerations.get("aclKind").cloned();
        assert_eq!(values.unwrap_or_default(), ["ACL_ONE", "ACL_TWO"]);
        assert!(header.functions.contains("aclrtMalloc"));
        assert!(!header.functions.contains("aclHook"));
    }
}
