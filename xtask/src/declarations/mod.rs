//! The declarations of `ascendcl-sys`: the lists of functions, which are macros, and the types, read from its sources.
//!
//! Text that cannot be parsed is an error. Nothing is skipped without an error.

mod lists;
mod ty;
mod types;

use std::path::Path;

use crate::error::{Context as _, Error};
use crate::files::{below, text};
use crate::process::root;
pub(crate) use ty::{Parameter, Type};

/// A function of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Function {
    /// The word of its area.
    pub(crate) area: String,
    pub(crate) name: String,
    /// Its documentation, on one line.
    pub(crate) doc: String,
    /// Whether CANN 8.1 lacks it.
    pub(crate) newer: bool,
    /// The release of AscendCL before which it has another signature.
    pub(crate) changed: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) result: Type,
}

impl Function {
    /// The type of its address.
    pub(crate) fn pointer(&self) -> Type {
        Type::pointer(self.ty())
    }

    /// Its prototype in C, without the semicolon.
    pub(crate) fn declare(&self) -> String {
        self.ty().declare(&self.name)
    }

    fn ty(&self) -> Type {
        Type::Function {
            parameters: self.parameters.clone(),
            result: Box::new(self.result.clone()),
        }
    }
}

/// An operator, whose two phases are functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operator {
    /// The second phase.
    pub(crate) launch: &'static str,
    /// The first phase.
    pub(crate) prepare: &'static str,
    /// The header below `aclnnop/`.
    pub(crate) header: &'static str,
}

/// An enumeration with its named values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    /// `u32` or `i32`.
    pub(crate) repr: String,
    pub(crate) values: Vec<Constant>,
}

/// A named number: a status code, a flag, a limit, or a value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Constant {
    pub(crate) name: String,
    /// A number, or the name of another constant.
    pub(crate) value: String,
}

/// A structure or a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) is_union: bool,
    pub(crate) fields: Vec<Parameter>,
}

impl Record {
    /// Its keyword in C.
    pub(crate) fn kind(&self) -> &'static str {
        if self.is_union { "union" } else { "struct" }
    }
}

/// A name for another type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) target: Type,
}

/// All declarations.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Declarations {
    pub(crate) functions: Vec<Function>,
    /// The operators, whose functions are among those.
    pub(crate) operators: Vec<Operator>,
    pub(crate) enumerations: Vec<Enumeration>,
    pub(crate) constants: Vec<Constant>,
    pub(crate) records: Vec<Record>,
    /// Types of which C alone knows the fields.
    pub(crate) opaque: Vec<String>,
    pub(crate) aliases: Vec<Alias>,
}

/// Unions without a name in C that are also members without a name. The other unions without a name have a member's
/// name; their Rust names join the names of the structure and the member.
const NAMELESS_MEMBERS: &str = "\
aclmdlRITaskParams_params hi_img_info_format hi_vdec_chn_attr_video hi_vdec_chn_param_kind
hi_vdec_supplement_info_kind hi_venc_attr_kind hi_venc_gop_attr_kind hi_venc_pack_address hi_venc_rc_attr_kind
hi_venc_stream_advanced hi_venc_stream_report hi_video_supplement_dng";

impl Declarations {
    /// Reads the sources of `ascendcl-sys`.
    pub(crate) fn read() -> Result<Declarations, Error> {
        let mut kinds = Declarations::default();
        kinds.add("sys/src/parameter.rs".as_ref())?;
        let mut all = Declarations {
            functions: lists::functions(&kinds.aliases).on("a list of functions")?,
            operators: lists::OPERATORS.to_vec(),
            ..Declarations::default()
        };
        let types = [below("sys/src/types")?, below("sys/src/structs")?].concat();
        for path in types
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        {
            all.add(path)?;
        }
        all.add("sys/src/status.rs".as_ref())?;
        // A structure of a generated program cannot name constants.
        let mut records = std::mem::take(&mut all.records);
        for field in records.iter_mut().flat_map(|record| &mut record.fields) {
            field.ty.with_lengths(&|len| all.number(len).to_owned());
        }
        all.records = records;
        Ok(all)
    }

    /// Adds the types of a file.
    fn add(&mut self, path: &Path) -> Result<(), Error> {
        types::read(&text(path)?, self).map_err(|error| {
            let shown = path.strip_prefix(root()).unwrap_or(path).display();
            let line = error.span().start().line;
            format!("{shown}:{line}: {error}").into()
        })
    }

    /// The number of a constant, whose value may be the name of another one.
    pub(crate) fn number<'a>(&'a self, value: &'a str) -> &'a str {
        let named = self.constants.iter().find(|other| other.name == value);
        named.map_or(value, |other| self.number(&other.value))
    }

    /// Whether a field of this type has no name in C.
    pub(crate) fn is_nameless_member(ty: &Type) -> bool {
        ty.name()
            .is_some_and(|name| NAMELESS_MEMBERS.split_whitespace().any(|one| one == name))
    }

    pub(crate) fn record(&self, name: &str) -> Option<&Record> {
        self.records.iter().find(|record| record.name == name)
    }
}
