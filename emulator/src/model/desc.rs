//! Descriptions of models: names, sizes, element types and memory layouts (`acl/acl_mdl.h`).
//!
//! Shapes are in `shape`.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_DT_UNDEFINED, ACL_FORMAT_UNDEFINED, ACL_MAX_TENSOR_NAME_LEN, aclDataType, aclError,
    aclFormat, aclmdlDesc,
};

use super::file;
use super::loaded;
use super::program::{Program, Tensor};
use crate::object_calls::{Objects, invalid, not_null, status, write};

/// A description. The names that its functions return live as long as it.
#[derive(Debug, Clone, Default)]
pub(super) struct Desc {
    /// The id of the model; 0 for the description of a file.
    pub(super) id: u32,
    pub(super) program: Option<Arc<Program>>,
}

pub(super) static DESCS: Objects<Desc> = Objects::new("aclmdlDesc", 0x4d);

/// The inputs or the outputs of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Input,
    Output,
}

impl Desc {
    pub(super) fn tensors(&self, side: Side) -> &[Tensor] {
        match (&self.program, side) {
            (Some(program), Side::Input) => &program.inputs,
            (Some(program), Side::Output) => &program.outputs,
            (None, _) => &[],
        }
    }

    /// Returns the name of a tensor as a structure holds it: the real name, or a made one if that is too long.
    pub(super) fn short_name(&self, side: Side, index: usize) -> CString {
        let tensors = self.tensors(side);
        let real = tensors.get(index).map(|tensor| tensor.name.clone());
        let real = real.unwrap_or_default();
        if real.as_bytes().len() < ACL_MAX_TENSOR_NAME_LEN {
            return real;
        }
        let word = if side == Side::Input {
            "input"
        } else {
            "output"
        };
        let mut name = format!("acl_modelId_{}_{word}_{index}", self.id);
        let is_taken = |name: &str| {
            tensors
                .iter()
                .any(|tensor| tensor.name.as_bytes() == name.as_bytes())
        };
        if is_taken(&name) {
            name.push('_');
            while is_taken(&name) {
                name.push('a');
            }
        }
        CString::new(name).unwrap_or_default()
    }
}

pub(crate) unsafe extern "C" fn aclmdlCreateDesc() -> *mut aclmdlDesc {
    DESCS.create("aclmdlCreateDesc", Desc::default())
}

pub(crate) unsafe extern "C" fn aclmdlDestroyDesc(modelDesc: *mut aclmdlDesc) -> aclError {
    DESCS.destroy("aclmdlDestroyDesc", "modelDesc", modelDesc)
}

/// Replaces the content of a description. Its old content is gone also if this fails.
fn fill(
    call: &str,
    desc: *mut aclmdlDesc,
    find: impl FnOnce() -> Result<Desc, aclError>,
) -> Result<(), aclError> {
    DESCS.with(call, "modelDesc", desc, &mut |desc| *desc = Desc::default())?;
    let mut found = find()?;
    DESCS.with(call, "modelDesc", desc, &mut |desc| {
        *desc = std::mem::take(&mut found)
    })
}

pub(crate) unsafe extern "C" fn aclmdlGetDesc(
    modelDesc: *mut aclmdlDesc,
    modelId: u32,
) -> aclError {
    let call = "aclmdlGetDesc";
    status(fill(call, modelDesc, || {
        let program = loaded::find(call, modelId)?.program.clone();
        loaded::initialised(call)?;
        Ok(Desc {
            id: modelId,
            program: Some(program),
        })
    }))
}

/// Fills the description of a model that is not loaded.
fn describe(call: &'static str, desc: *mut aclmdlDesc, content: Vec<u8>) -> Result<(), aclError> {
    fill(call, desc, || {
        loaded::initialised(call)?;
        let content = file::recognise(call, content)?;
        let program = Some(file::program(call, content)?);
        Ok(Desc { id: 0, program })
    })
}

pub(crate) unsafe extern "C" fn aclmdlGetDescFromFile(
    modelDesc: *mut aclmdlDesc,
    modelPath: *const c_char,
) -> aclError {
    let call = "aclmdlGetDescFromFile";
    // SAFETY: the same contract.
    let content = unsafe { file::read(call, "modelPath", modelPath) };
    status(content.and_then(|content| describe(call, modelDesc, content)))
}

pub(crate) unsafe extern "C" fn aclmdlGetDescFromMem(
    modelDesc: *mut aclmdlDesc,
    model: *const c_void,
    modelSize: usize,
) -> aclError {
    let call = "aclmdlGetDescFromMem";
    // SAFETY: the same contract.
    let content = unsafe { file::copied(call, model, modelSize) };
    status(content.and_then(|content| describe(call, modelDesc, content)))
}

/// Reads a description; `otherwise` is the answer for an invalid handle.
fn read<R>(
    call: &str,
    desc: *const aclmdlDesc,
    otherwise: R,
    work: &mut dyn FnMut(&Desc) -> R,
) -> R {
    DESCS
        .with(call, "modelDesc", desc, &mut |desc| work(desc))
        .unwrap_or(otherwise)
}

/// Reads an input or output; `otherwise` is the answer for a wrong handle or index.
fn tensor<R: Copy>(
    call: &str,
    desc: *const aclmdlDesc,
    (side, index): (Side, usize),
    otherwise: R,
    work: &dyn Fn(&Tensor) -> R,
) -> R {
    read(
        call,
        desc,
        otherwise,
        &mut |desc| match desc.tensors(side).get(index) {
            Some(tensor) => work(tensor),
            None => {
                let _ = outside(call, index);
                otherwise
            }
        },
    )
}

/// Refuses an index.
pub(super) fn outside(call: &str, index: usize) -> aclError {
    invalid(
        call,
        format_args!("index {index} is not below the number of inputs or outputs"),
    )
}

/// Defines the functions that read one property of an input or output.
macro_rules! properties {
    ($( $name:ident($desc:ty, $side:ident) -> $ret:ty = $otherwise:expr, $work:expr; )*) => { $(
        pub(crate) unsafe extern "C" fn $name(modelDesc: $desc, index: usize) -> $ret {
            tensor(stringify!($name), modelDesc, (Side::$side, index), $otherwise, &$work)
        }
    )* };
}

properties! {
    aclmdlGetInputSizeByIndex(*mut aclmdlDesc, Input) -> usize = 0, |tensor| tensor.bytes;
    aclmdlGetOutputSizeByIndex(*mut aclmdlDesc, Output) -> usize = 0, |tensor| tensor.bytes;
    aclmdlGetInputFormat(*const aclmdlDesc, Input) -> aclFormat = ACL_FORMAT_UNDEFINED, |tensor| tensor.format;
    aclmdlGetOutputFormat(*const aclmdlDesc, Output) -> aclFormat = ACL_FORMAT_UNDEFINED, |tensor| tensor.format;
    aclmdlGetInputDataType(*const aclmdlDesc, Input) -> aclDataType = ACL_DT_UNDEFINED, |tensor| tensor.data_type;
    aclmdlGetOutputDataType(*const aclmdlDesc, Output) -> aclDataType = ACL_DT_UNDEFINED, |tensor| tensor.data_type;
    aclmdlGetInputNameByIndex(*const aclmdlDesc, Input) -> *const c_char = c"".as_ptr(), |tensor| tensor.name.as_ptr();
    aclmdlGetOutputNameByIndex(*const aclmdlDesc, Output) -> *const c_char = c"".as_ptr(), |tensor| tensor.name.as_ptr();
}

pub(crate) unsafe extern "C" fn aclmdlGetNumInputs(modelDesc: *mut aclmdlDesc) -> usize {
    read("aclmdlGetNumInputs", modelDesc, 0, &mut |desc| {
        desc.tensors(Side::Input).len()
    })
}

pub(crate) unsafe extern "C" fn aclmdlGetNumOutputs(modelDesc: *mut aclmdlDesc) -> usize {
    read("aclmdlGetNumOutputs", modelDesc, 0, &mut |desc| {
        desc.tensors(Side::Output).len()
    })
}

pub(crate) unsafe extern "C" fn aclmdlGetInputIndexByName(
    modelDesc: *const aclmdlDesc,
    name: *const c_char,
    index: *mut usize,
) -> aclError {
    // SAFETY: the same contract.
    unsafe {
        index_of(
            "aclmdlGetInputIndexByName",
            modelDesc,
            Side::Input,
            name,
            index,
        )
    }
}

pub(crate) unsafe extern "C" fn aclmdlGetOutputIndexByName(
    modelDesc: *const aclmdlDesc,
    name: *const c_char,
    index: *mut usize,
) -> aclError {
    // SAFETY: the same contract.
    unsafe {
        index_of(
            "aclmdlGetOutputIndexByName",
            modelDesc,
            Side::Output,
            name,
            index,
        )
    }
}

/// Writes the position of a tensor. A name that there is not leaves `index` as it was.
///
/// # Safety
///
/// - `name` is null or a C string, and `index` is null or valid for a write.
unsafe fn index_of(
    call: &str,
    desc: *const aclmdlDesc,
    side: Side,
    name: *const c_char,
    index: *mut usize,
) -> aclError {
    status((|| {
        not_null(call, "modelDesc", desc)?;
        not_null(call, "name", name)?;
        not_null(call, "index", index)?;
        // SAFETY: not null; the caller's contract.
        let name = unsafe { CStr::from_ptr(name) };
        let found = DESCS.with(call, "modelDesc", desc, &mut |desc| {
            let mut all = 0..desc.tensors(side).len();
            all.find(|at| {
                desc.tensors(side)
                    .get(*at)
                    .is_some_and(|one| *one.name == *name)
                    || *desc.short_name(side, *at) == *name
            })
        })?;
        let Some(found) = found else {
            return Err(invalid(
                call,
                format_args!("the model has no {name:?} on this side"),
            ));
        };
        // SAFETY: not null; the caller's contract.
        unsafe { write(index, found) };
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetTensorRealName(
    modelDesc: *const aclmdlDesc,
    name: *const c_char,
) -> *const c_char {
    let call = "aclmdlGetTensorRealName";
    if not_null(call, "modelDesc", modelDesc).is_err() || not_null(call, "name", name).is_err() {
        return ptr::null();
    }
    // SAFETY: not null; the caller's contract: a C string.
    let name = unsafe { CStr::from_ptr(name) };
    let found = read(call, modelDesc, None, &mut |desc| {
        [Side::Input, Side::Output].into_iter().find_map(|side| {
            let mut tensors = desc.tensors(side).iter().enumerate();
            let found = tensors
                .find(|(at, one)| *one.name == *name || *desc.short_name(side, *at) == *name);
            found.map(|(_, one)| one.name.as_ptr())
        })
    });
    match found {
        Some(name) => name,
        None => {
            invalid(
                call,
                format_args!("the model has neither an input nor an output {name:?}"),
            );
            ptr::null()
        }
    }
}

pub(crate) unsafe extern "C" fn aclmdlGetOpAttr(
    modelDesc: *mut aclmdlDesc,
    opName: *const c_char,
    attr: *const c_char,
) -> *const c_char {
    let call = "aclmdlGetOpAttr";
    for (argument, pointer) in [("opName", opName), ("attr", attr)] {
        if not_null(call, "modelDesc", modelDesc).is_err()
            || not_null(call, argument, pointer).is_err()
        {
            return ptr::null();
        }
    }
    // Its only attribute names the operators that a compiler has joined, and no engine joins any by name.
    invalid(
        call,
        format_args!("no operator of the model has the attribute"),
    );
    ptr::null()
}
