//! The element types of ONNX: their numbers, their bytes, and what a number becomes in each.

use ascendcl_sys::{
    ACL_BF16, ACL_BOOL, ACL_DOUBLE, ACL_FLOAT, ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2, ACL_FLOAT16,
    ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64,
    aclDataType,
};

/// An element type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DType {
    F32,
    U8,
    I8,
    U16,
    I16,
    I32,
    I64,
    Text,
    Bool,
    F16,
    F64,
    U32,
    U64,
    Bf16,
    E4m3fn,
    E4m3fnuz,
    E5m2,
    E5m2fnuz,
    U4,
    I4,
    E2m1,
    E8m0,
    U2,
    I2,
}

/// The types with their numbers in a file, their names there, and the types of AscendCL.
const ALL: [(DType, i64, &str, Option<aclDataType>); 24] = [
    (DType::F32, 1, "float", Some(ACL_FLOAT)),
    (DType::U8, 2, "uint8", Some(ACL_UINT8)),
    (DType::I8, 3, "int8", Some(ACL_INT8)),
    (DType::U16, 4, "uint16", Some(ACL_UINT16)),
    (DType::I16, 5, "int16", Some(ACL_INT16)),
    (DType::I32, 6, "int32", Some(ACL_INT32)),
    (DType::I64, 7, "int64", Some(ACL_INT64)),
    (DType::Text, 8, "string", None),
    (DType::Bool, 9, "bool", Some(ACL_BOOL)),
    (DType::F16, 10, "float16", Some(ACL_FLOAT16)),
    (DType::F64, 11, "double", Some(ACL_DOUBLE)),
    (DType::U32, 12, "uint32", Some(ACL_UINT32)),
    (DType::U64, 13, "uint64", Some(ACL_UINT64)),
    (DType::Bf16, 16, "bfloat16", Some(ACL_BF16)),
    (DType::E4m3fn, 17, "float8e4m3fn", Some(ACL_FLOAT8_E4M3FN)),
    (DType::E4m3fnuz, 18, "float8e4m3fnuz", None),
    (DType::E5m2, 19, "float8e5m2", Some(ACL_FLOAT8_E5M2)),
    (DType::E5m2fnuz, 20, "float8e5m2fnuz", None),
    (DType::U4, 21, "uint4", None),
    (DType::I4, 22, "int4", None),
    (DType::E2m1, 23, "float4e2m1", None),
    (DType::E8m0, 24, "float8e8m0", None),
    (DType::U2, 25, "uint2", None),
    (DType::I2, 26, "int2", None),
];

/// The bits of a floating-point type: exponent, fraction, the bias of the exponent, and its special values.
#[derive(Debug, Clone, Copy)]
struct Layout {
    fraction: i32,
    bias: i32,
    largest: f64,
    has_infinite: bool,
}

const fn layout(fraction: i32, bias: i32, largest: f64, has_infinite: bool) -> Layout {
    Layout {
        fraction,
        bias,
        largest,
        has_infinite,
    }
}

impl DType {
    fn row(self) -> Option<&'static (DType, i64, &'static str, Option<aclDataType>)> {
        ALL.iter().find(|(kind, ..)| *kind == self)
    }

    /// Returns the type with this number in a file.
    pub(crate) fn of(number: i64) -> Option<DType> {
        let found = ALL.iter().find(|(_, own, ..)| *own == number);
        found.map(|(kind, ..)| *kind)
    }

    /// Returns the number in a file.
    pub(crate) fn number(self) -> i64 {
        self.row().map_or(0, |(_, number, ..)| *number)
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().map_or("", |(_, _, name, _)| *name)
    }

    /// Returns the type of AscendCL.
    pub(crate) fn acl(self) -> Option<aclDataType> {
        self.row().and_then(|(.., acl)| *acl)
    }

    pub(crate) fn of_acl(data_type: aclDataType) -> Option<DType> {
        let found = ALL.iter().find(|(.., acl)| *acl == Some(data_type));
        found.map(|(kind, ..)| *kind)
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, DType::F32 | DType::F64) || self.layout().is_some() || self == DType::E8m0
    }

    /// Returns the bits of an element; a text has none.
    pub(crate) fn bits(self) -> usize {
        match self {
            DType::Text => 0,
            DType::U2 | DType::I2 => 2,
            DType::U4 | DType::I4 | DType::E2m1 => 4,
            DType::F32 | DType::I32 | DType::U32 => 32,
            DType::I64 | DType::U64 | DType::F64 => 64,
            DType::U16 | DType::I16 | DType::F16 | DType::Bf16 => 16,
            _ => 8,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(
            self,
            DType::I2 | DType::I4 | DType::I8 | DType::I16 | DType::I32 | DType::I64
        )
    }

    fn layout(self) -> Option<Layout> {
        Some(match self {
            DType::F16 => layout(10, 15, 65504.0, true),
            DType::Bf16 => layout(7, 127, 3.389_531_389_251_535_5e38, true),
            DType::E4m3fn => layout(3, 7, 448.0, false),
            DType::E4m3fnuz => layout(3, 8, 240.0, false),
            DType::E5m2 => layout(2, 15, 57344.0, true),
            DType::E5m2fnuz => layout(2, 16, 57344.0, false),
            DType::E2m1 => layout(1, 1, 6.0, false),
            _ => return None,
        })
    }

    /// Returns the smallest and the largest number of a type of whole numbers.
    pub(crate) fn range(self) -> (i128, i128) {
        let bits = self.bits().max(1);
        if self == DType::Bool {
            (0, 1)
        } else if self.is_signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }

    /// Returns the whole number that this type keeps of `value`: its lowest bits.
    pub(crate) fn wrap(self, value: i128) -> i128 {
        if self == DType::Bool {
            return i128::from(value != 0);
        }
        let (low, high) = self.range();
        if value >= low && value <= high {
            return value;
        }
        let size = high - low + 1;
        (value - low).rem_euclid(size) + low
    }

    /// Returns the nearest number of a floating-point type. Numbers beyond the largest one become infinite or no
    /// number, or with `saturates` the largest one.
    pub(crate) fn round(self, value: f64, saturates: bool) -> f64 {
        match self {
            DType::F64 => value,
            DType::F32 => f64::from(value as f32),
            DType::E8m0 => power_of_two(value),
            _ => match self.layout() {
                Some(layout) => self.nearest(layout, value, saturates),
                None => value,
            },
        }
    }

    fn nearest(self, layout: Layout, value: f64, saturates: bool) -> f64 {
        if value.is_nan() {
            return value;
        }
        let beyond = |value: f64| {
            let narrow = self.bits() <= 8;
            if self == DType::E2m1 || narrow && saturates {
                layout.largest.copysign(value)
            } else if layout.has_infinite {
                f64::INFINITY.copysign(value)
            } else {
                f64::NAN.copysign(value)
            }
        };
        if value.is_infinite() {
            return beyond(value);
        }
        let exponent = exponent(value).max(1 - layout.bias);
        let unit = f64::from(2).powi(exponent - layout.fraction);
        let rounded = (value / unit).round_ties_even() * unit;
        if rounded.abs() > layout.largest {
            return beyond(value);
        }
        let no_negative_zero = matches!(self, DType::E4m3fnuz | DType::E5m2fnuz);
        if rounded == 0.0 && no_negative_zero {
            return 0.0;
        }
        rounded
    }

    /// Returns the number that the bits of a floating-point type mean.
    pub(crate) fn of_bits(self, bits: u32) -> f64 {
        if self == DType::E8m0 {
            return match bits {
                255 => f64::NAN,
                // CAST: at most 254.
                bits => f64::from(2).powi(bits as i32 - 127),
            };
        }
        let Some(layout) = self.layout() else {
            return 0.0;
        };
        let width = self.bits() as i32;
        let sign = if bits >> (width - 1) & 1 == 1 {
            -1.0
        } else {
            1.0
        };
        let magnitude = bits & ((1 << (width - 1)) - 1);
        let fraction = magnitude & ((1 << layout.fraction) - 1);
        let exponent = (magnitude >> layout.fraction) as i32;
        let all_ones = (1 << (width - 1 - layout.fraction)) - 1;
        let is_nuz = matches!(self, DType::E4m3fnuz | DType::E5m2fnuz);
        if is_nuz && magnitude == 0 && sign < 0.0 {
            return f64::NAN;
        }
        if layout.has_infinite && exponent == all_ones {
            return if fraction == 0 {
                sign * f64::INFINITY
            } else {
                f64::NAN
            };
        }
        if self == DType::E4m3fn && magnitude == 0x7f {
            return f64::NAN;
        }
        let unit = f64::from(2).powi(exponent.max(1) - layout.bias - layout.fraction);
        let hidden = if exponent == 0 {
            0
        } else {
            1 << layout.fraction
        };
        sign * f64::from(fraction + hidden) * unit
    }

    /// Returns the bits of a number that [`round`](DType::round) has returned.
    pub(crate) fn to_bits(self, value: f64) -> u32 {
        if self == DType::E8m0 {
            return if value.is_nan() {
                255
            } else {
                (exponent(value) + 127) as u32
            };
        }
        let Some(layout) = self.layout() else {
            return 0;
        };
        let width = self.bits() as i32;
        let sign = u32::from(value.is_sign_negative()) << (width - 1);
        if value.is_nan() {
            return match self {
                DType::E4m3fnuz | DType::E5m2fnuz => 0x80,
                DType::E4m3fn => sign | 0x7f,
                DType::E2m1 => 0,
                // The highest bit of the fraction: a quiet one.
                _ => sign | ((1 << (width - 1)) - 1) & !((1 << (layout.fraction - 1)) - 1),
            };
        }
        if value.is_infinite() {
            return sign | ((1 << (width - 1)) - (1 << layout.fraction));
        }
        if value == 0.0 {
            return sign;
        }
        let exponent = exponent(value).max(1 - layout.bias);
        let unit = f64::from(2).powi(exponent - layout.fraction);
        let all = (value.abs() / unit) as u32;
        let hidden = 1 << layout.fraction;
        let stored = if all < hidden {
            0
        } else {
            (exponent + layout.bias) as u32
        };
        sign | (stored << layout.fraction) | (all & (hidden - 1))
    }
}

/// Returns the exponent of a number: the largest power of two that is not larger.
fn exponent(value: f64) -> i32 {
    let bits = (value.abs().to_bits() >> 52) as i32;
    if bits == 0 { -1074 } else { bits - 1023 }
}

/// Returns the next power of two in the direction of `float8e8m0`, whose rounding is upwards.
fn power_of_two(value: f64) -> f64 {
    if value.is_nan() || value <= 0.0 {
        return f64::NAN;
    }
    if value.is_infinite() {
        return f64::from(2).powi(127);
    }
    let floor = f64::from(2).powi(exponent(value));
    let up = if value > floor { floor * 2.0 } else { floor };
    up.clamp(f64::from(2).powi(-127), f64::from(2).powi(127))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_numbers_are_inverse() {
        for kind in [
            DType::F16,
            DType::Bf16,
            DType::E4m3fn,
            DType::E4m3fnuz,
            DType::E5m2,
            DType::E5m2fnuz,
            DType::E2m1,
            DType::E8m0,
        ] {
            for bits in 0..1_u32 << kind.bits() {
                let value = kind.of_bits(bits);
                if value.is_nan() {
                    assert!(
                        kind.of_bits(kind.to_bits(value)).is_nan(),
                        "{kind:?} {bits}"
                    );
                    continue;
                }
                assert_eq!(kind.round(value, false), value, "{kind:?} {bits}");
                assert_eq!(kind.to_bits(value), bits, "{kind:?} {value}");
            }
        }
    }

    #[test]
    fn a_number_between_two_becomes_the_nearest_one() {
        assert_eq!(DType::F16.round(2049.0, false), 2048.0);
        assert_eq!(DType::F16.round(2051.0, false), 2052.0);
        assert_eq!(DType::F16.round(65520.0, false), f64::INFINITY);
        assert_eq!(DType::F16.round(65519.0, false), 65504.0);
        assert_eq!(DType::E4m3fn.round(1e6, true), 448.0);
        assert!(DType::E4m3fn.round(1e6, false).is_nan());
        assert_eq!(DType::Bf16.round(1.0 + 1.0 / 256.0, false), 1.0);
        assert_eq!(DType::I8.wrap(200), -56);
        assert_eq!(DType::U4.wrap(-1), 15);
        assert_eq!(DType::U64.wrap(-1), u64::MAX.into());
    }
}
