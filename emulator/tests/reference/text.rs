//! The form of a case:
//!
//! ```text
//! aclnnAdd self=f32[2,3]:1,2,3,4,5,6 other=f32[3]/2+1:0,1,0,2,0,3 alpha=f32(0.5) out>f32[2,3]:1.5,3,4.5,4.5,6,7.5
//! ```
//!
//! - `name=f32[2,3]:values` is a tensor; `/strides+offset` makes it a view, and then the values are its storage.
//! - `name>f32[2]:values` is a tensor that the operator writes, with its results. A storage is full of sevens before.
//! - `name=f32[2]:values>values` is a tensor before and after an operator that works in place.
//! - `%2,3` behind a tensor is its shape after the operator.
//! - `{tensor;tensor}` is a list of tensors, `f32(1.5)` a scalar, `[1,2]` an array of numbers, `"BSH"` a text, `null`
//!   null. Other values stand for themselves.
//! - `..` says that all other arguments are null.
//! - `!161002` is the code of a first phase that refuses.
//! - `~0.001` is the largest error that is allowed, relative and absolute.

use ascendcl_sys::*;
use half::{bf16, f16};

/// A case.
pub(crate) struct Line<'a> {
    pub(crate) operator: &'a str,
    pub(crate) arguments: Vec<(&'a str, &'a str)>,
    pub(crate) code: i32,
    pub(crate) tolerance: Option<f64>,
    /// Whether arguments that are not named are null.
    pub(crate) has_nulls: bool,
}

impl<'a> Line<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut words = text.split_ascii_whitespace();
        let mut line = Self {
            operator: words.next().unwrap(),
            arguments: Vec::new(),
            code: 0,
            tolerance: None,
            has_nulls: false,
        };
        for word in words {
            if let Some(code) = word.strip_prefix('!') {
                line.code = code.parse().unwrap();
            } else if word == ".." {
                line.has_nulls = true;
            } else if let Some(tolerance) = word.strip_prefix('~') {
                line.tolerance = Some(tolerance.parse().unwrap());
            } else {
                let end = word
                    .find(['=', '>'])
                    .unwrap_or_else(|| panic!("{word} of {text}"));
                let (name, value) = word.split_at(end);
                // An output keeps its sign.
                line.arguments
                    .push((name, value.strip_prefix('=').unwrap_or(value)));
            }
        }
        line
    }
}

/// A tensor of a case.
pub(crate) struct Described {
    pub(crate) dtype: aclDataType,
    pub(crate) shape: Vec<i64>,
    pub(crate) strides: Option<Vec<i64>>,
    pub(crate) offset: i64,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<Value>>,
    pub(crate) shape_after: Option<Vec<i64>>,
    pub(crate) storage: usize,
}

impl Described {
    pub(crate) fn new(text: &str) -> Self {
        let (text, is_written) = text
            .strip_prefix('>')
            .map_or((text, false), |text| (text, true));
        let (head, values) = text.split_once(':').unwrap_or_else(|| panic!("{text}"));
        let (word, rest) = head.split_once('[').unwrap();
        let (shape, view) = rest.split_once(']').unwrap();
        let dtype = dtype(word);
        let (strides, offset) = match view
            .strip_prefix('/')
            .map(|view| view.split_once('+').unwrap())
        {
            Some((strides, offset)) => (Some(numbers(strides)), offset.parse().unwrap()),
            None => (None, 0),
        };
        let (values, shape_after) = match values.split_once('%') {
            Some((values, shape)) => (values, Some(numbers(shape))),
            None => (values, None),
        };
        let (before, after) = match values.split_once('>') {
            Some((before, after)) => (Some(before), Some(after)),
            None if is_written => (None, Some(values)),
            None => (Some(values), None),
        };
        let bytes = |text: &str| {
            let values = list(text).into_iter();
            values
                .flat_map(|value| Value::new(dtype, value).bytes(dtype))
                .collect::<Vec<_>>()
        };
        let storage = list(before.or(after).unwrap()).len();
        Self {
            dtype,
            shape: numbers(shape),
            strides,
            offset,
            before: before.map(bytes),
            after: after.map(|text| {
                list(text)
                    .into_iter()
                    .map(|value| Value::new(dtype, value))
                    .collect()
            }),
            shape_after,
            storage,
        }
    }
}

/// Returns the parts between commas.
fn list(text: &str) -> Vec<&str> {
    text.split(',').filter(|part| !part.is_empty()).collect()
}

/// Returns whole numbers between commas.
pub(crate) fn numbers(text: &str) -> Vec<i64> {
    list(text)
        .into_iter()
        .map(|number| number.parse().unwrap())
        .collect()
}

/// Returns the data type of a word.
pub(crate) fn dtype(word: &str) -> aclDataType {
    match word {
        "f32" => ACL_FLOAT,
        "f16" => ACL_FLOAT16,
        "bf16" => ACL_BF16,
        "f64" => ACL_DOUBLE,
        "s8" => ACL_INT8,
        "s16" => ACL_INT16,
        "s32" => ACL_INT32,
        "s64" => ACL_INT64,
        "u8" => ACL_UINT8,
        "u16" => ACL_UINT16,
        "u32" => ACL_UINT32,
        "u64" => ACL_UINT64,
        "bool" => ACL_BOOL,
        "c64" => ACL_COMPLEX64,
        _ => panic!("{word} is no data type"),
    }
}

/// A number of a tensor.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Whole(i128),
    Floating(f64),
}

impl Value {
    pub(crate) fn new(dtype: aclDataType, text: &str) -> Self {
        match dtype {
            ACL_FLOAT | ACL_FLOAT16 | ACL_BF16 | ACL_DOUBLE | ACL_COMPLEX64 => Value::Floating(
                text.parse()
                    .unwrap_or_else(|_| panic!("{text} is no number")),
            ),
            _ => Value::Whole(
                text.parse()
                    .unwrap_or_else(|_| panic!("{text} is no integer")),
            ),
        }
    }

    /// Returns the bytes of an element.
    pub(crate) fn bytes(self, dtype: aclDataType) -> Vec<u8> {
        // CAST: the values of a case are values of its type.
        match self {
            Value::Floating(value) => match dtype {
                ACL_FLOAT => (value as f32).to_le_bytes().to_vec(),
                ACL_FLOAT16 => f16::from_f64(value).to_bits().to_le_bytes().to_vec(),
                ACL_BF16 => bf16::from_f64(value).to_bits().to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            },
            Value::Whole(value) => value.to_le_bytes().into_iter().take(size(dtype)).collect(),
        }
    }

    /// Reads an element.
    pub(crate) fn read(dtype: aclDataType, bytes: &[u8]) -> Self {
        let mut wide = [0; 8];
        for (to, from) in wide.iter_mut().zip(bytes) {
            *to = *from;
        }
        let bits = u64::from_le_bytes(wide);
        // CAST: the bytes behind those of the element are 0.
        match dtype {
            ACL_FLOAT => Value::Floating(f32::from_bits(bits as u32).into()),
            ACL_DOUBLE => Value::Floating(f64::from_bits(bits)),
            ACL_FLOAT16 => Value::Floating(f16::from_bits(bits as u16).to_f64()),
            ACL_BF16 => Value::Floating(bf16::from_bits(bits as u16).to_f64()),
            ACL_INT8 => Value::Whole((bits as i8).into()),
            ACL_INT16 => Value::Whole((bits as i16).into()),
            ACL_INT32 => Value::Whole((bits as i32).into()),
            ACL_INT64 => Value::Whole((bits as i64).into()),
            _ => Value::Whole(bits.into()),
        }
    }

    /// Returns whether a result is near enough.
    pub(crate) fn is_near(self, expected: Self, tolerance: f64) -> bool {
        match (self, expected) {
            (Value::Whole(one), Value::Whole(other)) => one == other,
            (Value::Floating(one), Value::Floating(other)) => {
                let error = (one - other).abs();
                one == other
                    || (one.is_nan() && other.is_nan())
                    || error <= tolerance * (1.0 + other.abs())
            }
            _ => false,
        }
    }
}

/// Returns the bytes of an element.
pub(crate) fn size(dtype: aclDataType) -> usize {
    match dtype {
        ACL_INT8 | ACL_UINT8 | ACL_BOOL => 1,
        ACL_FLOAT16 | ACL_BF16 | ACL_INT16 | ACL_UINT16 => 2,
        ACL_FLOAT | ACL_INT32 | ACL_UINT32 => 4,
        _ => 8,
    }
}

/// Returns the error that results of a data type may have. Single and half precision are rounded once at the end.
pub(crate) fn tolerance(dtype: aclDataType) -> f64 {
    match dtype {
        ACL_DOUBLE => 1e-11,
        ACL_FLOAT => 5e-6,
        ACL_FLOAT16 => 1e-3,
        _ => 8e-3,
    }
}
