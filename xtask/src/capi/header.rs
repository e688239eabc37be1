//! The C headers. They are written from the declarations of `ascendcl-sys`, so they declare the functions that the
//! library exports. The functions of operators are in headers of their own, as in CANN: a program may declare an operator
//! itself whose header it does not include.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::declarations::{Alias, Declarations, Function, Record, Type};

const HEAD: &str = "\
/* AscendCL as the emulator knows it. Written by `cargo xtask capi` from the lists of ascendcl-sys. */
#ifndef ASCENDCL_EMULATOR_ACL_H
#define ASCENDCL_EMULATOR_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

/// What headers of C define beside the declarations, and programs use: names of inputs, limits, one structure.
const NAMES: &str = "
#define ACL_DYNAMIC_TENSOR_NAME \"ascend_mbatch_shape_data\"
#define ACL_DYNAMIC_AIPP_NAME \"ascend_dynamic_aipp_data\"
#define ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES \"_datadump_original_op_names\"
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6
#define ACL_WORKSPACE_MEM_OPTIMIZE_DEFAULT 0
#define ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT 1
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U
#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
typedef struct acldumpChunk {
    char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
    uint32_t bufLen;
    uint32_t isLastChunk;
    int64_t offset;
    int32_t flag;
    uint8_t dataBuf[];
} acldumpChunk;
";

/// What the headers of the second media interface define beside the declarations. Programs may define the macros, too.
pub(super) const OF_MEDIA: &str = "
typedef long long hi_s64;
#ifndef HI_NULL
#define HI_NULL 0L
#endif
#ifndef DEFAULT_ALIGN
#define DEFAULT_ALIGN 32U
#endif
#ifndef ALIGN_UP
#define ALIGN_UP(value, unit) ((((value) + (unit) - 1) / (unit)) * (unit))
#endif
";

/// The one function that is in no list.
const LOG: &str = "
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...);
#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)
";

/// The one function that the header of C defines itself. The version is that of CANN 8.1, whose fields every release
/// reads.
const OPTIONS: &str = "
static inline void HcclCommConfigInit(HcclCommConfig *config) {
    char *bytes = (char *)config;
    for (size_t index = 0; index < sizeof(HcclCommConfig); index++) {
        bytes[index] = 0;
    }
    config->head.size = 300;
    config->head.magic = 0xf0f0f0f0;
    config->head.version = 5;
    config->hcclBufferSize = HCCL_COMM_VALUE_NOT_SET;
    config->hcclDeterministic = HCCL_COMM_VALUE_NOT_SET;
    config->hcclRdmaTrafficClass = HCCL_COMM_VALUE_NOT_SET;
    config->hcclRdmaServiceLevel = HCCL_COMM_VALUE_NOT_SET;
}
";

const FOOT: &str = "
#ifdef __cplusplus
}
#endif
#endif
";

/// The headers of the operators below `aclnnop/`, with their texts.
pub(super) fn of_operators(all: &Declarations) -> BTreeMap<&str, String> {
    let mut headers: BTreeMap<&str, String> = BTreeMap::new();
    for operator in &all.operators {
        let header = headers.entry(operator.header).or_default();
        for name in [operator.prepare, operator.launch] {
            for function in all.functions.iter().filter(|one| one.name == name) {
                prototype(header, function);
            }
        }
    }
    for (name, prototypes) in &mut headers {
        let guard = name.to_uppercase().replace('.', "_");
        *prototypes = format!(
            "/* Operators of AscendCL that the emulator knows. Written by `cargo xtask capi`. */\n\
             #ifndef ASCENDCL_EMULATOR_{guard}\n#define ASCENDCL_EMULATOR_{guard}\n\n\
             #include \"acl/acl.h\"\n\n\
             #ifdef __cplusplus\nextern \"C\" {{\n#endif\n{prototypes}{FOOT}"
        );
    }
    headers
}

/// The header of everything else.
pub(super) fn write(all: &Declarations) -> String {
    let mut header = HEAD.to_owned();
    for alias in all.aliases.iter().filter(|alias| !is_hook(alias)) {
        typedef(&mut header, alias);
    }
    for kind in &all.enumerations {
        let values: Vec<_> = kind
            .values
            .iter()
            .map(|value| format!("    {} = {}", value.name, value.value))
            .collect();
        let (name, values) = (&kind.name, values.join(",\n"));
        let _ = write!(header, "\ntypedef enum {name} {{\n{values}\n}} {name};\n");
    }
    header.push('\n');
    for constant in &all.constants {
        let _ = writeln!(header, "#define {} {}", constant.name, constant.value);
    }
    header.push('\n');
    for name in &all.opaque {
        let _ = writeln!(header, "typedef struct {name} {name};");
    }
    for record in &all.records {
        let (kind, name) = (kind(record), &record.name);
        let _ = writeln!(header, "typedef {kind} {name} {name};");
    }
    for alias in all.aliases.iter().filter(is_hook) {
        typedef(&mut header, alias);
    }
    for record in in_order(&all.records) {
        let _ = writeln!(header, "\n{} {} {{", kind(record), record.name);
        for field in &record.fields {
            let nameless = Some(&field.ty).filter(|ty| Declarations::is_nameless_member(ty));
            let union = nameless.and_then(|ty| all.record(ty.name()?));
            match union {
                Some(union) => {
                    // C99 does not have them.
                    let _ = writeln!(header, "    __extension__ {} {{", kind(union));
                    for member in &union.fields {
                        let _ = writeln!(header, "        {};", member.ty.declare(&member.name));
                    }
                    header.push_str("    };\n");
                }
                None => {
                    let _ = writeln!(header, "    {};", field.ty.declare(&field.name));
                }
            }
        }
        header.push_str("};\n");
    }
    let is_of_operator: BTreeSet<&str> = all
        .operators
        .iter()
        .flat_map(|operator| [operator.prepare, operator.launch])
        .collect();
    let others = all.functions.iter();
    for function in others.filter(|one| !is_of_operator.contains(one.name.as_str())) {
        prototype(&mut header, function);
    }
    header + NAMES + LOG + OPTIONS + FOOT
}

fn typedef(header: &mut String, alias: &Alias) {
    let _ = writeln!(header, "typedef {};", alias.target.declare(&alias.name));
}

/// Whether an alias is of a pointer to a function, whose parameters may be structures.
fn is_hook(alias: &&Alias) -> bool {
    matches!(&alias.target, Type::Pointer { to, .. } if matches!(**to, Type::Function { .. }))
}

fn kind(record: &Record) -> &'static str {
    if record.is_union { "union" } else { "struct" }
}

/// The function with its documentation.
fn prototype(header: &mut String, function: &Function) {
    let doc = function.doc.replace('`', "");
    let _ = write!(header, "\n/* {doc} */\n{};\n", function.declare());
}

/// The records, each after those that it contains, as C requires.
fn in_order(records: &[Record]) -> Vec<&Record> {
    let mut left: Vec<&Record> = records.iter().collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let contains_one_left = |record: &&Record| {
            record.fields.iter().any(|field| {
                let of = contained(&field.ty);
                left.iter().any(|other| Some(other.name.as_str()) == of)
            })
        };
        let (next, rest): (Vec<_>, Vec<_>) =
            left.iter().partition(|record| !contains_one_left(record));
        if next.is_empty() {
            // Records that contain each other are not valid in Rust either.
            break;
        }
        ordered.extend(next);
        left = rest;
    }
    ordered
}

/// The name of the type that a field holds as a value.
fn contained(ty: &Type) -> Option<&str> {
    match ty {
        Type::Array { of, .. } => contained(of),
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::{of_operators, write};
    use crate::declarations::Declarations;
    use crate::process::root;

    #[test]
    fn an_operator_is_declared_in_its_own_header_alone() {
        let all = Declarations::read(&root()).unwrap_or_default();
        let headers = of_operators(&all);
        let add = headers.get("aclnn_add.h").cloned().unwrap_or_default();
        for line in [
            "#ifndef ASCENDCL_EMULATOR_ACLNN_ADD_H\n",
            "\naclnnStatus aclnnAddGetWorkspaceSize(const aclTensor *self,",
            "\naclnnStatus aclnnInplaceAdds(void *workspace,",
        ] {
            assert!(add.contains(line), "{line} is missing in {add}");
        }
        assert!(!add.contains("aclnnSub"), "{add}");
        assert!(!write(&all).contains("aclnnAdd"), "the header of all");
    }

    #[test]
    fn the_header_has_every_kind_of_declaration() {
        let all = Declarations::read(&root()).unwrap_or_default();
        let header = write(&all);
        for line in [
            "typedef void *aclrtStream;\n",
            "\ntypedef enum aclrtRunMode {\n    ACL_DEVICE = 0,\n    ACL_HOST = 1\n} aclrtRunMode;\n",
            "#define ACL_SUCCESS 0\n",
            "#define ACL_ERROR_NONE ACL_SUCCESS\n",
            "typedef struct aclTensor aclTensor;\n",
            "typedef union aclrtBinaryLoadOptionValue aclrtBinaryLoadOptionValue;\n",
            // With its documentation.
            " */\naclError aclrtSetDevice(int32_t deviceId);\n",
            "void aclAppLog(",
        ] {
            assert!(header.contains(line), "{line} is missing");
        }
    }
}
