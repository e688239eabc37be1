//! Operators that a text names: results, attributes, the operators that were compiled, codes and the order of checks.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod calls;
mod compiled;
mod objects;
mod results;

use std::ffi::{CStr, CString, c_int};
use std::ptr::{null, null_mut, without_provenance_mut};

use ascendcl_emulator::{Mistake, take_findings};
use ascendcl_sys::*;
use common::tensor::*;
use common::*;

/// Makes a description.
fn desc(dtype: aclDataType, shape: &[i64]) -> *mut aclTensorDesc {
    let rank = shape.len() as c_int;
    let desc = call!(model.aclCreateTensorDesc(dtype, rank, shape.as_ptr(), ACL_FORMAT_ND));
    assert!(!desc.is_null(), "{}", text());
    desc
}

/// Makes a description of a constant of whole numbers.
fn constant(values: &[i32]) -> *mut aclTensorDesc {
    let desc = desc(ACL_INT32, &[values.len() as i64]);
    let bytes = size_of_val(values);
    let values = values.as_ptr().cast_mut().cast();
    check!(model.aclSetTensorConst(desc, values, bytes));
    desc
}

/// An operand: its description, and its memory if it has one.
struct Operand {
    desc: *mut aclTensorDesc,
    buffer: *mut aclDataBuffer,
    tensor: Option<Tensor>,
}

impl Operand {
    fn new(dtype: aclDataType, shape: &[i64], values: &[f64]) -> Operand {
        let (desc, tensor) = (desc(dtype, shape), tensor(dtype, shape, values));
        let bytes = call!(model.aclGetTensorDescSize(desc));
        let buffer = call!(runtime.aclCreateDataBuffer(tensor.memory, bytes));
        let tensor = Some(tensor);
        Operand {
            desc,
            buffer,
            tensor,
        }
    }

    fn room(dtype: aclDataType, shape: &[i64]) -> Operand {
        let count = shape.iter().product::<i64>();
        Operand::new(dtype, shape, &vec![7.0; count as usize])
    }

    fn constant(values: &[i32]) -> Operand {
        let buffer = call!(runtime.aclCreateDataBuffer(null_mut(), 0));
        let (desc, tensor) = (constant(values), None);
        Operand {
            desc,
            buffer,
            tensor,
        }
    }

    fn values(&self) -> Vec<f64> {
        self.tensor.as_ref().unwrap().values()
    }
}

impl Drop for Operand {
    fn drop(&mut self) {
        call!(model.aclDestroyTensorDesc(self.desc));
        let _ = call!(runtime.aclDestroyDataBuffer(self.buffer));
        if let Some(tensor) = &self.tensor {
            let _ = call!(op.aclDestroyTensor(tensor.handle));
            let _ = call!(memory.aclrtFree(tensor.memory));
        }
    }
}

/// An attribute.
enum Is<'a> {
    Flag(bool),
    Whole(i64),
    Number(f32),
    Wholes(&'a [i64]),
    Word(&'a CStr),
}

/// Makes a set of attributes.
fn attributes(all: &[(&CStr, Is<'_>)]) -> *mut aclopAttr {
    let attr = call!(op.aclopCreateAttr());
    for (name, value) in all {
        let name = name.as_ptr();
        match value {
            Is::Flag(value) => check!(op.aclopSetAttrBool(attr, name, u8::from(*value))),
            Is::Whole(value) => check!(op.aclopSetAttrInt(attr, name, *value)),
            Is::Number(value) => check!(op.aclopSetAttrFloat(attr, name, *value)),
            Is::Wholes(values) => {
                let count = values.len() as c_int;
                check!(op.aclopSetAttrListInt(attr, name, count, values.as_ptr()))
            }
            Is::Word(value) => check!(op.aclopSetAttrString(attr, name, value.as_ptr())),
        }
    }
    attr
}

/// The arrays of a call.
struct Arrays {
    name: CString,
    in_descs: Vec<*mut aclTensorDesc>,
    ins: Vec<*mut aclDataBuffer>,
    out_descs: Vec<*mut aclTensorDesc>,
    outs: Vec<*mut aclDataBuffer>,
    attr: *mut aclopAttr,
}

impl Arrays {
    fn new(name: &str, inputs: &[&Operand], outputs: &[&Operand], attr: *mut aclopAttr) -> Arrays {
        let descs = |all: &[&Operand]| all.iter().map(|one| one.desc).collect();
        let buffers = |all: &[&Operand]| all.iter().map(|one| one.buffer).collect();
        Arrays {
            name: CString::new(name).unwrap(),
            in_descs: descs(inputs),
            ins: buffers(inputs),
            out_descs: descs(outputs),
            outs: buffers(outputs),
            attr,
        }
    }

    fn compile(&self) -> aclError {
        call!(op.aclopCompile(
            self.name.as_ptr(),
            self.in_descs.len() as c_int,
            self.in_descs.as_ptr().cast(),
            self.out_descs.len() as c_int,
            self.out_descs.as_ptr().cast(),
            self.attr,
            ACL_ENGINE_SYS,
            ACL_COMPILE_SYS,
            null(),
        ))
    }

    fn execute(&mut self, stream: aclrtStream) -> aclError {
        call!(op.aclopExecuteV2(
            self.name.as_ptr(),
            self.in_descs.len() as c_int,
            self.in_descs.as_mut_ptr(),
            self.ins.as_mut_ptr(),
            self.out_descs.len() as c_int,
            self.out_descs.as_mut_ptr(),
            self.outs.as_mut_ptr(),
            self.attr,
            stream,
        ))
    }

    fn compile_and_execute(&mut self, stream: aclrtStream) -> aclError {
        call!(op.aclopCompileAndExecute(
            self.name.as_ptr(),
            self.in_descs.len() as c_int,
            self.in_descs.as_ptr().cast(),
            self.ins.as_ptr().cast(),
            self.out_descs.len() as c_int,
            self.out_descs.as_ptr().cast(),
            self.outs.as_ptr().cast(),
            self.attr,
            ACL_ENGINE_SYS,
            ACL_COMPILE_SYS,
            null(),
            stream,
        ))
    }
}

/// Runs an operator and compares its outputs.
#[track_caller]
fn expect(
    name: &str,
    inputs: &[&Operand],
    attr: &[(&CStr, Is<'_>)],
    outputs: &[(&Operand, &[f64])],
) {
    let attr = attributes(attr);
    let rooms: Vec<_> = outputs.iter().map(|(room, _)| *room).collect();
    let code = Arrays::new(name, inputs, &rooms, attr).compile_and_execute(null_mut());
    assert_eq!(code, 0, "{name}: {}", text());
    check!(stream.aclrtSynchronizeStream(null_mut()));
    for (room, expected) in outputs {
        assert_eq!(room.values(), *expected, "{name}");
    }
    call!(op.aclopDestroyAttr(attr));
}

passes_while_watched!("operators_named");
