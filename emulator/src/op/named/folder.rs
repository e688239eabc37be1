//! The folder of single-operator models (`aclopSetModelDir`, `aclopLoad` of `acl/acl_op.h`).
//!
//! For a card, `atc --singleop=<file>` compiles the operators of a JSON file to offline models in a folder. The emulator
//! reads the JSON file, which has to be in that folder.
#![expect(clippy::disallowed_types, reason = "an object of JSON is such a map")]

use std::collections::HashMap;
use std::ffi::{CString, c_char, c_void};
use std::fs;
use std::path::{Path, PathBuf};

use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_DOUBLE, ACL_ERROR_READ_MODEL_FAILURE, ACL_ERROR_REPEAT_INITIALIZE,
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_FLOAT, ACL_FLOAT16, ACL_FORMAT_HWCN, ACL_FORMAT_NC,
    ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NCL, ACL_FORMAT_ND, ACL_FORMAT_NDHWC,
    ACL_FORMAT_NHWC, ACL_FORMAT_UNDEFINED, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64,
    ACL_MEMTYPE_DEVICE, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64, aclDataType, aclError,
    aclFormat,
};
use tinyjson::JsonValue;

use super::attribute::{Attributes, Value, text};
use super::compiled::Named;
use crate::check;
use crate::config::json;
use crate::model::TensorDesc;
use crate::object_calls::{invalid, not_null, refused, status};
use crate::results::{every, every_some};
use crate::sorted::ordered;
use crate::sync::{Mutex, lock};

/// Whether a folder is set. A process sets one.
static IS_SET: Mutex<bool> = Mutex::new(false);

/// The depth of folders that are searched.
const DEPTH: usize = 3;

/// The text for a folder with the models of a card alone.
const OFFLINE: &str = "its single-operator models are for a card; put the JSON file that atc --singleop compiles into this \
                       folder, or call aclopCompile";

pub(crate) unsafe extern "C" fn aclopSetModelDir(modelDir: *const c_char) -> aclError {
    let call = "aclopSetModelDir";
    status((|| {
        // SAFETY: the caller's contract: a C string.
        let path = unsafe { text(call, "modelDir", modelDir) }?;
        let unreadable = |why: &dyn std::fmt::Display| {
            refused(
                call,
                ACL_ERROR_READ_MODEL_FAILURE,
                format_args!("{path}: {why}"),
            )
        };
        let folder = fs::canonicalize(&path).map_err(|error| unreadable(&error))?;
        let mut is_set = lock(&IS_SET);
        if *is_set {
            return Err(refused(
                call,
                ACL_ERROR_REPEAT_INITIALIZE,
                format_args!("a process sets one folder, and this one has set it"),
            ));
        }
        let mut files = Vec::new();
        search(&folder, DEPTH, &mut files).map_err(|error| unreadable(&error))?;
        let has = |extension: &str| {
            let mut all = files.iter();
            all.any(|file| file.extension().is_some_and(|other| other == extension))
        };
        if has("om") && !has("json") {
            check::not_modelled(call);
            return Err(refused(
                call,
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!("{path}: {OFFLINE}"),
            ));
        }
        files.retain(|file| {
            file.extension()
                .is_some_and(|extension| extension == "json")
        });
        for file in files {
            let wrong = |why: &str| unreadable(&format_args!("{}: {why}", file.display()));
            let content = json::load(&file).map_err(|error| wrong(&error.to_string()))?;
            let operators = operators(&content).map_err(|why| wrong(&why))?;
            for operator in operators {
                operator.compile(call)?;
            }
        }
        *is_set = true;
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclopLoad(model: *const c_void, modelSize: usize) -> aclError {
    let call = "aclopLoad";
    status((|| {
        not_null(call, "model", model)?;
        if modelSize == 0 {
            return Err(invalid(
                call,
                format_args!("modelSize is 0; pass the bytes of the model"),
            ));
        }
        check::not_modelled(call);
        Err(refused(
            call,
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "a single-operator model is for a card, and the emulator does not read it; call aclopCompile instead"
            ),
        ))
    })())
}

/// Collects the files of a folder and of the folders in it, in the order of their names.
fn search(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let entries = fs::read_dir(folder)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()));
    let entries = every(entries)?;
    let by_name = |one, other| entries.get(one).cmp(&entries.get(other));
    for at in ordered(entries.len(), &by_name) {
        let Some(entry) = entries.get(at) else {
            continue;
        };
        if !entry.is_dir() {
            files.push(entry.clone());
        } else if depth > 1 {
            search(entry, depth - 1, files)?;
        }
    }
    Ok(())
}

type Object = HashMap<String, JsonValue>;

/// Reads the operators of a JSON file. The inner error is the reason why the file is none.
fn operators(content: &str) -> Result<Vec<Named>, String> {
    let value = json::parse(content)?;
    let list: &Vec<JsonValue> = value.get().ok_or("it is no list of operators")?;
    let operator = |value: &JsonValue| {
        let object: &Object = value.get().ok_or("an operator is no object")?;
        let op_type: &String = field(object, "op")?.ok_or("an operator has no name in `op`")?;
        let descriptions = |name| -> Result<Vec<TensorDesc>, String> {
            let list: Option<&Vec<JsonValue>> = field(object, name)?;
            every(list.map_or(&[][..], Vec::as_slice).iter().map(description))
        };
        let attributes: Option<&Vec<JsonValue>> = field(object, "attr")?;
        let attributes = attributes
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(attribute);
        Ok(Named {
            op_type: op_type.clone(),
            inputs: descriptions("input_desc")?,
            outputs: descriptions("output_desc")?,
            attributes: Attributes(attributes.collect::<Result<_, String>>()?),
        })
    };
    every(list.iter().map(operator))
}

/// Returns a field of an object, if the object has it.
fn field<'a, T>(object: &'a Object, name: &str) -> Result<Option<&'a T>, String>
where
    JsonValue: AsInner<T>,
{
    match object.get(name) {
        None => Ok(None),
        Some(value) => match value.inner() {
            Some(inner) => Ok(Some(inner)),
            None => Err(format!("`{name}` has another type")),
        },
    }
}

/// The content of a value of JSON.
trait AsInner<T> {
    fn inner(&self) -> Option<&T>;
}

macro_rules! inner {
    ($($ty:ty),*) => {$(
        impl AsInner<$ty> for JsonValue {
            fn inner(&self) -> Option<&$ty> {
                self.get()
            }
        }
    )*};
}
inner!(String, f64, bool, Vec<JsonValue>);

/// Returns a whole number of JSON.
fn whole(value: &JsonValue) -> Result<i64, String> {
    let number: &f64 = value.get().ok_or("a number is none")?;
    if number.fract() == 0.0 && number.abs() < 9e15 {
        // CAST: whole, and small enough.
        Ok(*number as i64)
    } else {
        Err(format!("{number} is no whole number"))
    }
}

/// Reads the description of an operand.
fn description(value: &JsonValue) -> Result<TensorDesc, String> {
    let object: &Object = value.get().ok_or("a description is no object")?;
    let words = |name| -> Result<&str, String> {
        let word: Option<&String> = field(object, name)?;
        word.map(String::as_str)
            .ok_or(format!("a description has no `{name}`"))
    };
    let list = |name| -> Result<&[JsonValue], String> {
        let list: Option<&Vec<JsonValue>> = field(object, name)?;
        Ok(list.map_or(&[], Vec::as_slice))
    };
    let shape = list("shape")?.iter().map(whole);
    let range = |value: &JsonValue| -> Result<[i64; 2], String> {
        match value.get::<Vec<JsonValue>>().map(Vec::as_slice) {
            Some([least, most]) => Ok([whole(least)?, whole(most)?]),
            _ => Err("a range has two numbers".to_owned()),
        }
    };
    Ok(TensorDesc {
        data_type: data_type(words("type")?)?,
        format: format(words("format")?)?,
        shape: every(shape)?,
        ranges: every(list("shape_range")?.iter().map(range))?,
        storage: ACL_FORMAT_UNDEFINED,
        constant: None,
        placement: ACL_MEMTYPE_DEVICE,
        name: CString::default(),
    })
}

/// Returns the data type with a name of `atc`.
fn data_type(name: &str) -> Result<aclDataType, String> {
    Ok(match name {
        "float16" | "fp16" => ACL_FLOAT16,
        "float" | "float32" => ACL_FLOAT,
        "double" => ACL_DOUBLE,
        "bfloat16" => ACL_BF16,
        "int8" => ACL_INT8,
        "int16" => ACL_INT16,
        "int32" => ACL_INT32,
        "int64" => ACL_INT64,
        "uint8" => ACL_UINT8,
        "uint16" => ACL_UINT16,
        "uint32" => ACL_UINT32,
        "uint64" => ACL_UINT64,
        "bool" => ACL_BOOL,
        _ => return Err(format!("`{name}` is no data type of a tensor")),
    })
}

/// Returns the memory layout with a name of `atc`.
fn format(name: &str) -> Result<aclFormat, String> {
    Ok(match name {
        "ND" => ACL_FORMAT_ND,
        "NCHW" => ACL_FORMAT_NCHW,
        "NHWC" => ACL_FORMAT_NHWC,
        "HWCN" => ACL_FORMAT_HWCN,
        "NC" => ACL_FORMAT_NC,
        "NCL" => ACL_FORMAT_NCL,
        "NCDHW" => ACL_FORMAT_NCDHW,
        "NDHWC" => ACL_FORMAT_NDHWC,
        _ => return Err(format!("the format `{name}` is not modelled")),
    })
}

/// Reads an attribute.
fn attribute(value: &JsonValue) -> Result<(String, Value), String> {
    let object: &Object = value.get().ok_or("an attribute is no object")?;
    let name: &String = field(object, "name")?.ok_or("an attribute has no `name`")?;
    let kind: &String = field(object, "type")?.ok_or("an attribute has no `type`")?;
    let wrong = || format!("the value of the attribute `{name}` is not of the type `{kind}`");
    let value = object.get("value").ok_or_else(wrong)?;
    let all = || value.get::<Vec<JsonValue>>().ok_or_else(wrong);
    // CAST: attributes are numbers in single precision.
    let bits = |value: &JsonValue| value.get::<f64>().map(|number| (*number as f32).to_bits());
    let value = match kind.as_str() {
        "bool" => value.get::<bool>().map(|value| Value::Bool(*value)),
        "int" => Some(Value::Int(whole(value)?)),
        "float" => bits(value).map(Value::Float),
        "string" => value.get::<String>().cloned().map(Value::Text),
        "data_type" => match value.get::<String>() {
            Some(name) => Some(Value::Type(data_type(name)?)),
            None => None,
        },
        "list_int" => Some(Value::Ints(every(all()?.iter().map(whole))?)),
        "list_float" => {
            let numbers = all()?.iter().map(bits);
            every_some(numbers).map(Value::Floats)
        }
        "list_bool" => {
            let values = all()?.iter().map(|value| value.get::<bool>().copied());
            every_some(values).map(Value::Bools)
        }
        _ => return Err(format!("attributes of the type `{kind}` are not modelled")),
    };
    Ok((name.clone(), value.ok_or_else(wrong)?))
}
