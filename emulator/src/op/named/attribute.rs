//! Sets of attributes (`acl/acl_op.h`).

use std::ffi::{CStr, c_char, c_int};

use ascendcl_sys::{aclDataType, aclError, aclopAttr};

use crate::object_calls::{Objects, invalid, not_null, status};
use crate::results::{every, list_of};
use crate::sorted::Sorted;

/// The value of an attribute. Numbers are compared by their bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Bool(bool),
    Int(i64),
    /// The bits of a number.
    Float(u32),
    Text(String),
    Type(aclDataType),
    Types(Vec<aclDataType>),
    Bools(Vec<bool>),
    Ints(Vec<i64>),
    /// The bits of numbers.
    Floats(Vec<u32>),
    Texts(Vec<String>),
    IntLists(Vec<Vec<i64>>),
}

/// The attributes of a call, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes(pub(super) Sorted<String, Value>);

static ATTRIBUTES: Objects<Attributes> = Objects::new("aclopAttr", 0x62);

impl Attributes {
    /// Returns a copy of the attributes of a call; null has none.
    pub(super) fn of(call: &str, argument: &str, attr: *const aclopAttr) -> Result<Self, aclError> {
        if attr.is_null() {
            return Ok(Self::default());
        }
        ATTRIBUTES.get(call, argument, attr)
    }
}

pub(crate) unsafe extern "C" fn aclopCreateAttr() -> *mut aclopAttr {
    ATTRIBUTES.create("aclopCreateAttr", Attributes::default())
}

pub(crate) unsafe extern "C" fn aclopDestroyAttr(attr: *const aclopAttr) {
    if !attr.is_null() {
        ATTRIBUTES.destroy("aclopDestroyAttr", "attr", attr);
    }
}

/// Copies a text of C.
///
/// # Safety
///
/// - `text` is null or a C string.
pub(super) unsafe fn text(
    call: &str,
    argument: &str,
    text: *const c_char,
) -> Result<String, aclError> {
    not_null(call, argument, text)?;
    // SAFETY: not null; the caller's contract.
    let text = unsafe { CStr::from_ptr(text) };
    Ok(text.to_string_lossy().into_owned())
}

/// Copies an array of C.
///
/// # Safety
///
/// - `values` is null or valid for reads of `count` values.
unsafe fn copied<T: Copy>(
    call: &str,
    argument: &str,
    values: *const T,
    count: c_int,
) -> Result<Vec<T>, aclError> {
    let Ok(count) = usize::try_from(count) else {
        return Err(invalid(
            call,
            format_args!("the number of values is {count}; pass 0 or more"),
        ));
    };
    if count == 0 {
        return Ok(Vec::new());
    }
    not_null(call, argument, values)?;
    // SAFETY: not null; the caller's contract.
    Ok(unsafe { std::slice::from_raw_parts(values, count) }.to_vec())
}

/// Sets an attribute.
///
/// # Safety
///
/// - `name` is null or a C string.
unsafe fn set(
    call: &str,
    attr: *mut aclopAttr,
    name: *const c_char,
    value: &dyn Fn() -> Result<Value, aclError>,
) -> aclError {
    status((|| {
        ATTRIBUTES.check(call, "attr", attr)?;
        // SAFETY: the caller's contract.
        let name = unsafe { text(call, "attrName", name) }?;
        let value = value()?;
        ATTRIBUTES.with(call, "attr", attr, &mut |attributes| {
            attributes.0.insert(name.clone(), value.clone());
        })
    })())
}

/// Defines the functions that set an attribute to a value that C passes.
macro_rules! values {
    ($($name:ident: $ty:ty, |$value:ident| $kept:expr;)*) => {$(
        pub(crate) unsafe extern "C" fn $name(
            attr: *mut aclopAttr,
            attrName: *const c_char,
            attrValue: $ty,
        ) -> aclError {
            let $value = attrValue;
            // SAFETY: the caller's contract: a C string.
            unsafe { set(stringify!($name), attr, attrName, &|| Ok($kept)) }
        }
    )*};
}

values! {
    aclopSetAttrBool: u8, |value| Value::Bool(value != 0);
    aclopSetAttrInt: i64, |value| Value::Int(value);
    aclopSetAttrFloat: f32, |value| Value::Float(value.to_bits());
    aclopSetAttrDataType: aclDataType, |value| Value::Type(value);
}

/// Defines the functions that set an attribute to a list that C passes.
macro_rules! lists {
    ($($name:ident: $ty:ty, |$values:ident| $kept:expr;)*) => {$(
        pub(crate) unsafe extern "C" fn $name(
            attr: *mut aclopAttr,
            attrName: *const c_char,
            numValues: c_int,
            values: *const $ty,
        ) -> aclError {
            let call = stringify!($name);
            let value = || {
                // SAFETY: the caller's contract: `numValues` values.
                let $values = unsafe { copied(call, "values", values, numValues) }?;
                Ok($kept)
            };
            // SAFETY: the caller's contract: a C string.
            unsafe { set(call, attr, attrName, &value) }
        }
    )*};
}

lists! {
    aclopSetAttrListDataType: aclDataType, |values| Value::Types(values);
    aclopSetAttrListBool: u8, |values| Value::Bools(list_of(values.iter().map(|value| *value != 0)));
    aclopSetAttrListInt: i64, |values| Value::Ints(values);
    aclopSetAttrListFloat: f32, |values| Value::Floats(list_of(values.iter().map(|value| value.to_bits())));
}

pub(crate) unsafe extern "C" fn aclopSetAttrString(
    attr: *mut aclopAttr,
    attrName: *const c_char,
    attrValue: *const c_char,
) -> aclError {
    let call = "aclopSetAttrString";
    // SAFETY: the caller's contract: a C string.
    let value = || unsafe { text(call, "attrValue", attrValue) }.map(Value::Text);
    // SAFETY: the caller's contract: a C string.
    unsafe { set(call, attr, attrName, &value) }
}

pub(crate) unsafe extern "C" fn aclopSetAttrListString(
    attr: *mut aclopAttr,
    attrName: *const c_char,
    numValues: c_int,
    values: *mut *const c_char,
) -> aclError {
    let call = "aclopSetAttrListString";
    let value = || {
        // SAFETY: the caller's contract: `numValues` texts.
        let values = unsafe { copied(call, "values", values.cast_const(), numValues) }?;
        let texts = values.into_iter().map(|value| {
            // SAFETY: the caller's contract: each is a C string.
            unsafe { text(call, "an element of values", value) }
        });
        Ok(Value::Texts(every(texts)?))
    };
    // SAFETY: the caller's contract: a C string.
    unsafe { set(call, attr, attrName, &value) }
}

pub(crate) unsafe extern "C" fn aclopSetAttrListListInt(
    attr: *mut aclopAttr,
    attrName: *const c_char,
    numLists: c_int,
    numValues: *const c_int,
    values: *const *const i64,
) -> aclError {
    let call = "aclopSetAttrListListInt";
    let value = || {
        // SAFETY: the caller's contract: `numLists` numbers.
        let counts = unsafe { copied(call, "numValues", numValues, numLists) }?;
        // SAFETY: the caller's contract: `numLists` lists.
        let lists = unsafe { copied(call, "values", values, numLists) }?;
        let lists = counts.into_iter().zip(lists).map(|(count, list)| {
            // SAFETY: the caller's contract: each list has its number of values.
            unsafe { copied(call, "an element of values", list, count) }
        });
        Ok(Value::IntLists(every(lists)?))
    };
    // SAFETY: the caller's contract: a C string.
    unsafe { set(call, attr, attrName, &value) }
}
