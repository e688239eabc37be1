//! The arguments of a case as the C functions take them. The list of operators says which function takes which kinds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use ascendcl_sys::*;

use super::common::{self, download, malloc, upload};
use super::text::{Described, Line, Value, dtype, numbers, size, tolerance};

/// The arguments of a case, by name. The objects are made when they are asked for.
pub(crate) struct Arguments<'a> {
    /// Whether the dimensions of the tensors have names, which convolutions ask for.
    has_images: bool,
    values: HashMap<&'a str, &'a str>,
    has_nulls: bool,
    held: RefCell<Vec<Held>>,
    texts: RefCell<Vec<CString>>,
    lists: RefCell<Vec<*const aclTensorList>>,
}

/// A tensor in device memory.
struct Held {
    described: Described,
    name: String,
    handle: *mut aclTensor,
    memory: *mut c_void,
    /// Whether a list owns the tensor.
    is_listed: bool,
}

/// An operator of the list: its name, and both phases for arguments of a case.
pub(crate) struct Listed {
    pub(crate) name: &'static str,
    /// The name and the kind of each parameter.
    pub(crate) kinds: &'static [(&'static str, &'static str)],
    prepare: fn(&Arguments<'_>, &mut u64, &mut *mut aclOpExecutor) -> i32,
    launch: fn(*mut c_void, u64, *mut aclOpExecutor, aclrtStream) -> i32,
}

/// Defines an operator.
macro_rules! listed {
    ($launch:ident, $prepare:ident($($arg:ident: $kind:ident),* $(,)?)) => {
        Listed {
            name: stringify!($launch),
            kinds: &[$((stringify!($arg), stringify!($kind))),*],
            prepare: |arguments, size, executor| {
                call!(op.$prepare($(arguments.$kind(stringify!($arg)),)* size, executor))
            },
            launch: |workspace, size, executor, stream| call!(op.$launch(workspace, size, executor, stream)),
        }
    };
}

/// Defines all operators.
macro_rules! table {
    ($(
        $(# $attribute:tt)+ operator $launch:ident, $prepare:ident $parameters:tt in $header:literal;
    )*) => {
        /// All operators.
        pub(crate) const OPERATORS: &[Listed] = &[$( listed!($launch, $prepare $parameters) ),*];
    };
}
operators!(table);

impl Listed {
    /// Returns the operator of a name.
    pub(crate) fn find(name: &str) -> &'static Self {
        let found = OPERATORS.iter().find(|one| one.name == name);
        found.unwrap_or_else(|| panic!("there is no operator {name}"))
    }

    /// Runs the first phase.
    pub(crate) fn prepare(
        &self,
        arguments: &Arguments<'_>,
        size: &mut u64,
        executor: &mut *mut aclOpExecutor,
    ) -> i32 {
        (self.prepare)(arguments, size, executor)
    }

    /// Runs the second phase.
    pub(crate) fn launch(
        &self,
        workspace: *mut c_void,
        size: u64,
        executor: *mut aclOpExecutor,
        stream: aclrtStream,
    ) -> i32 {
        (self.launch)(workspace, size, executor, stream)
    }
}

/// Defines getters of one kind of object under the names of the kinds of parameters.
macro_rules! getters {
    ($($kind:ident $(, $other:ident)* = $getter:ident -> $ty:ty;)*) => {
        #[allow(non_snake_case, reason = "a kind of parameter has the name of C")]
        #[allow(dead_code, reason = "not every kind of parameter has an operator")]
        impl Arguments<'_> {
            $(getters!(@ $getter, $ty, $kind $($other)*);)*
        }
    };
    (@ $getter:ident, $ty:ty, $($kind:ident)*) => {
        $(fn $kind(&self, name: &str) -> $ty {
            self.$getter(name)
        })*
    };
}

getters! {
    tensor, optional_tensor, const_out_tensor, optional_const_out_tensor, const_inout_tensor = tensor_of -> *const aclTensor;
    mut_tensor, out_tensor, optional_out_tensor, inout_tensor, optional_inout_tensor = mut_tensor_of -> *mut aclTensor;
    tensor_list, optional_tensor_list, sparse_tensor_list, const_out_tensor_list, const_inout_tensor_list = list_of -> *const aclTensorList;
    out_tensor_list, optional_out_tensor_list = mut_list_of -> *mut aclTensorList;
    scalar, optional_scalar = scalar_of -> *const aclScalar;
    scalar_list, optional_scalar_list = scalars_of -> *const aclScalarList;
    int_array, optional_int_array = ints_of -> *const aclIntArray;
    bool_array, optional_bool_array = bools_of -> *const aclBoolArray;
    optional_float_array = floats_of -> *const aclFloatArray;
    text = text_of -> *const c_char;
    mut_text = mut_text_of -> *mut c_char;
    aclDataType = type_of -> aclDataType;
    i8 = parsed -> i8;
    i32 = parsed -> i32;
    i64 = parsed -> i64;
    u64 = parsed -> u64;
    f32 = parsed -> f32;
    f64 = parsed -> f64;
    bool = parsed -> bool;
    c_int = parsed -> c_int;
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(line: &Line<'a>) -> Self {
        Self {
            has_images: line.operator.starts_with("aclnnConv"),
            values: line.arguments.iter().copied().collect(),
            has_nulls: line.has_nulls,
            held: RefCell::default(),
            texts: RefCell::default(),
            lists: RefCell::default(),
        }
    }

    /// Returns the text of an argument; `None` for null.
    fn value(&self, name: &str) -> Option<&'a str> {
        let name = name.strip_suffix('_').unwrap_or(name);
        match self.values.get(name) {
            Some(value) => Some(*value),
            None if self.has_nulls => None,
            None => panic!("there is no {name}"),
        }
    }

    fn mut_tensor_of(&self, name: &str) -> *mut aclTensor {
        let value = self.value(name);
        value.map_or(ptr::null_mut(), |value| self.hold(name, value, false))
    }

    fn tensor_of(&self, name: &str) -> *const aclTensor {
        self.mut_tensor_of(name)
    }

    fn hold(&self, name: &str, text: &str, is_listed: bool) -> *mut aclTensor {
        let described = Described::new(text);
        let element = size(described.dtype);
        let sevens = || match described.dtype {
            ACL_FLOAT | ACL_FLOAT16 | ACL_BF16 | ACL_DOUBLE => Value::Floating(7.0),
            ACL_BOOL => Value::Whole(1),
            _ => Value::Whole(7),
        };
        let bytes = described.before.clone();
        let bytes =
            bytes.unwrap_or_else(|| sevens().bytes(described.dtype).repeat(described.storage));
        let memory = malloc((described.storage * element).max(1));
        upload(memory, &bytes);
        let storage = [described.storage as i64];
        let handle = call!(
            op.aclCreateTensor(
                described.shape.as_ptr(),
                described.shape.len() as u64,
                described.dtype,
                described
                    .strides
                    .as_ref()
                    .map_or(ptr::null(), |strides| strides.as_ptr()),
                described.offset,
                self.format(&described),
                storage.as_ptr(),
                1,
                memory,
            )
        );
        assert!(!handle.is_null(), "{name}: {}", common::text());
        self.held.borrow_mut().push(Held {
            described,
            name: name.to_owned(),
            handle,
            memory,
            is_listed,
        });
        handle
    }

    fn format(&self, described: &Described) -> aclFormat {
        match described.shape.len() {
            3 if self.has_images => ACL_FORMAT_NCL,
            4 if self.has_images => ACL_FORMAT_NCHW,
            5 if self.has_images => ACL_FORMAT_NCDHW,
            _ => ACL_FORMAT_ND,
        }
    }

    fn mut_list_of(&self, name: &str) -> *mut aclTensorList {
        self.list_of(name).cast_mut()
    }

    fn list_of(&self, name: &str) -> *const aclTensorList {
        let Some(text) = self.value(name) else {
            return ptr::null();
        };
        let (text, sign) = text
            .strip_prefix('>')
            .map_or((text, ""), |text| (text, ">"));
        let inside = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'))
            .unwrap();
        let parts = inside
            .split(';')
            .filter(|part| !part.is_empty())
            .enumerate();
        let handles: Vec<_> = parts
            .map(|(index, part)| match part {
                "null" => ptr::null(),
                part => self
                    .hold(&format!("{name}[{index}]"), &format!("{sign}{part}"), true)
                    .cast_const(),
            })
            .collect();
        let list = call!(op.aclCreateTensorList(handles.as_ptr(), handles.len() as u64));
        self.lists.borrow_mut().push(list);
        list
    }

    fn scalar_of(&self, name: &str) -> *const aclScalar {
        self.value(name).map_or(ptr::null(), scalar)
    }

    fn scalars_of(&self, name: &str) -> *const aclScalarList {
        let Some(text) = self.value(name) else {
            return ptr::null();
        };
        let inside = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'))
            .unwrap();
        let scalars: Vec<_> = inside.split(';').map(scalar).collect();
        call!(op.aclCreateScalarList(scalars.as_ptr(), scalars.len() as u64))
    }

    fn bools_of(&self, name: &str) -> *const aclBoolArray {
        let Some(value) = self.value(name) else {
            return ptr::null();
        };
        let list = value.trim_matches(['[', ']']).split(',');
        let values: Vec<bool> = list.map(|one| one.parse().unwrap()).collect();
        call!(op.aclCreateBoolArray(values.as_ptr(), values.len() as u64))
    }

    fn floats_of(&self, name: &str) -> *const aclFloatArray {
        let Some(value) = self.value(name) else {
            return ptr::null();
        };
        let list = value.trim_matches(['[', ']']).split(',');
        let values: Vec<f32> = list.map(|one| one.parse().unwrap()).collect();
        call!(op.aclCreateFloatArray(values.as_ptr(), values.len() as u64))
    }

    fn ints_of(&self, name: &str) -> *const aclIntArray {
        let Some(text) = self.value(name) else {
            return ptr::null();
        };
        let inside = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'))
            .unwrap();
        let values = numbers(inside);
        call!(op.aclCreateIntArray(values.as_ptr(), values.len() as u64))
    }

    fn mut_text_of(&self, name: &str) -> *mut c_char {
        let Some(text) = self.value(name) else {
            return ptr::null_mut();
        };
        let text = CString::new(text.trim_matches('"')).unwrap();
        let pointer = text.as_ptr().cast_mut();
        self.texts.borrow_mut().push(text);
        pointer
    }

    fn text_of(&self, name: &str) -> *const c_char {
        self.mut_text_of(name)
    }

    fn type_of(&self, name: &str) -> aclDataType {
        dtype(self.value(name).unwrap())
    }

    fn parsed<T: core::str::FromStr>(&self, name: &str) -> T {
        let text = self.value(name).unwrap();
        text.parse().unwrap_or_else(|_| panic!("{name} is {text}"))
    }

    /// Compares all tensors with what they should be after the operator.
    pub(crate) fn compare(&self, given: Option<f64>) -> Result<(), String> {
        for Held {
            described,
            name,
            memory,
            handle,
            ..
        } in &*self.held.borrow()
        {
            if let Some(expected) = &described.shape_after {
                let shape = shape_of(*handle);
                if shape != *expected {
                    return Err(format!("{name} has the shape {shape:?}"));
                }
            }
            let Some(expected) = &described.after else {
                continue;
            };
            let element = size(described.dtype);
            let bytes = download(*memory, described.storage * element);
            let got = bytes
                .chunks(element)
                .map(|bytes| Value::read(described.dtype, bytes));
            let tolerance = given.unwrap_or(tolerance(described.dtype));
            for (index, (got, expected)) in got.zip(expected).enumerate() {
                if !got.is_near(*expected, tolerance) {
                    return Err(format!(
                        "{name}[{index}] is {got:?}, and should be {expected:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Makes a scalar from its data type and its value.
fn scalar(text: &str) -> *const aclScalar {
    let (word, value) = text
        .strip_suffix(')')
        .and_then(|text| text.split_once('('))
        .unwrap();
    let dtype = dtype(word);
    let mut bytes = Value::new(dtype, value).bytes(dtype);
    call!(op.aclCreateScalar(bytes.as_mut_ptr().cast(), dtype))
}

/// Returns the shape of a tensor.
fn shape_of(tensor: *const aclTensor) -> Vec<i64> {
    let (mut dims, mut count) = (ptr::null_mut(), 0);
    check!(op.aclGetViewShape(tensor, &mut dims, &mut count));
    let len = usize::try_from(count).unwrap();
    // SAFETY: the array has this many sizes.
    let shape = unsafe { core::slice::from_raw_parts(dims, len) }.to_vec();
    // SAFETY: the array was allocated for the caller.
    unsafe { libc::free(dims.cast()) };
    shape
}

impl Drop for Arguments<'_> {
    fn drop(&mut self) {
        for list in &*self.lists.borrow() {
            let _ = call!(op.aclDestroyTensorList(*list));
        }
        for held in &*self.held.borrow() {
            if !held.is_listed {
                let _ = call!(op.aclDestroyTensor(held.handle));
            }
            let _ = call!(memory.aclrtFree(held.memory));
        }
    }
}
