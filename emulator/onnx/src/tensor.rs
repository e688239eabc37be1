//! Arrays with elements of any type of ONNX.
//!
//! Whole numbers have 128 bits here and floating-point ones 64, so that an operator is written once for all types of a
//! sort. [`Tensor::float`] and [`Tensor::whole`] round to the element type.

use crate::dtype::DType;

/// The elements of an array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Data {
    Float(Vec<f64>),
    Whole(Vec<i128>),
    Text(Vec<String>),
}

/// An array.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tensor {
    pub(crate) kind: DType,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Data,
}

/// Returns the number of elements of a shape, or the reason why memory cannot hold them.
pub(crate) fn count(shape: &[usize]) -> Result<usize, String> {
    // An operator can make memory for the other dimensions of an array that has none in one of them.
    let all = product(shape.iter().map(|dim| *dim.max(&1)));
    // Sixteen bytes for each element.
    all.filter(|all| *all < 1 << 28)
        .ok_or_else(|| format!("the shape {shape:?} does not fit the memory"))?;
    Ok(shape.iter().product())
}

/// Refuses a computation of more steps than a run can have: they would take minutes.
pub(crate) fn bounded(factors: &[usize]) -> Result<(), String> {
    product(factors.iter().copied())
        .filter(|all| *all < 1 << 32)
        .map(|_| ())
        .ok_or_else(|| format!("the product of {factors:?} is too many steps for a run"))
}

fn product(mut factors: impl Iterator<Item = usize>) -> Option<usize> {
    factors.try_fold(1, |all: usize, one| all.checked_mul(one))
}

impl Tensor {
    /// Makes an array of floating-point numbers, rounded to the type.
    pub(crate) fn float(kind: DType, shape: &[usize], mut data: Vec<f64>) -> Tensor {
        if kind != DType::F64 {
            for one in &mut data {
                *one = kind.round(*one, true);
            }
        }
        Tensor {
            kind,
            shape: shape.to_vec(),
            data: Data::Float(data),
        }
    }

    /// Makes an array of whole numbers, of which the lowest bits count.
    pub(crate) fn whole(kind: DType, shape: &[usize], mut data: Vec<i128>) -> Tensor {
        for one in &mut data {
            *one = kind.wrap(*one);
        }
        Tensor {
            kind,
            shape: shape.to_vec(),
            data: Data::Whole(data),
        }
    }

    /// Makes an array of the type `kind` from numbers of a floating-point calculation.
    pub(crate) fn number(kind: DType, shape: &[usize], data: Vec<f64>) -> Tensor {
        if kind.is_float() {
            return Tensor::float(kind, shape, data);
        }
        // CAST: towards zero, as a conversion of ONNX does.
        Tensor::whole(
            kind,
            shape,
            data.into_iter().map(|one| one as i128).collect(),
        )
    }

    pub(crate) fn bools(shape: &[usize], data: impl IntoIterator<Item = bool>) -> Tensor {
        Tensor::whole(
            DType::Bool,
            shape,
            data.into_iter().map(i128::from).collect(),
        )
    }

    /// Makes an array of one dimension of `int64`.
    pub(crate) fn list(data: impl IntoIterator<Item = i64>) -> Tensor {
        let data: Vec<_> = data.into_iter().map(i128::from).collect();
        Tensor::whole(DType::I64, &[data.len()], data)
    }

    pub(crate) fn len(&self) -> usize {
        match &self.data {
            Data::Float(data) => data.len(),
            Data::Whole(data) => data.len(),
            Data::Text(data) => data.len(),
        }
    }

    /// Returns the same elements in another shape of the same size.
    pub(crate) fn shaped(mut self, shape: &[usize]) -> Tensor {
        self.shape = shape.to_vec();
        self
    }

    /// Returns the elements as floating-point numbers.
    pub(crate) fn floats(&self) -> Vec<f64> {
        match &self.data {
            Data::Float(data) => data.clone(),
            // CAST: the nearest number.
            Data::Whole(data) => data.iter().map(|one| *one as f64).collect(),
            Data::Text(data) => data.iter().map(|one| one.parse().unwrap_or(0.0)).collect(),
        }
    }

    /// Returns the elements as whole numbers.
    pub(crate) fn wholes(&self) -> Vec<i128> {
        match &self.data {
            // CAST: towards zero.
            Data::Float(data) => data.iter().map(|one| *one as i128).collect(),
            Data::Whole(data) => data.clone(),
            Data::Text(data) => data.iter().map(|one| one.parse().unwrap_or(0)).collect(),
        }
    }

    /// Returns the elements as `int64`.
    pub(crate) fn ints(&self) -> Vec<i64> {
        // CAST: those of a list of positions or sizes, which are `int64` or shorter.
        self.wholes().into_iter().map(|one| one as i64).collect()
    }

    /// Returns the array of the elements at these positions.
    pub(crate) fn pick(&self, shape: &[usize], from: &[usize]) -> Tensor {
        fn all<T: Clone>(data: &[T], from: &[usize]) -> Vec<T> {
            from.iter()
                .filter_map(|at| data.get(*at).cloned())
                .collect()
        }
        let data = match &self.data {
            Data::Float(data) => Data::Float(all(data, from)),
            Data::Whole(data) => Data::Whole(all(data, from)),
            Data::Text(data) => Data::Text(all(data, from)),
        };
        Tensor {
            kind: self.kind,
            shape: shape.to_vec(),
            data,
        }
    }

    /// Makes an array of the elements in the order of a file.
    pub(crate) fn read(kind: DType, shape: &[usize], bytes: &[u8]) -> Result<Tensor, String> {
        let len = count(shape)?;
        let needed = (len * kind.bits()).div_ceil(8);
        if bytes.len() != needed || kind == DType::Text {
            return Err(format!(
                "{} bytes are no array of {} with the shape {shape:?}, which has {needed}",
                bytes.len(),
                kind.name()
            ));
        }
        let whole = |at: usize| -> u64 {
            let bits = kind.bits();
            if bits < 8 {
                let byte = bytes.get(at * bits / 8).copied().unwrap_or(0);
                return u64::from(byte >> (at * bits % 8)) & ((1 << bits) - 1);
            }
            let part = bytes.get(at * bits / 8..).unwrap_or_default().iter();
            let part = part.take(bits / 8).enumerate();
            part.fold(0, |all, (place, byte)| {
                all | u64::from(*byte) << (8 * place)
            })
        };
        let all = (0..len).map(whole);
        let data = match kind {
            DType::F64 => Data::Float(all.map(f64::from_bits).collect()),
            // CAST: of 32 bits.
            DType::F32 => Data::Float(all.map(|one| f32::from_bits(one as u32).into()).collect()),
            // CAST: of 16 bits at most.
            _ if kind.is_float() => Data::Float(all.map(|one| kind.of_bits(one as u32)).collect()),
            _ => Data::Whole(all.map(|one| kind.wrap(one.into())).collect()),
        };
        Ok(Tensor {
            kind,
            shape: shape.to_vec(),
            data,
        })
    }

    /// Returns the elements in the order of a file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let bits: Vec<u64> = match &self.data {
            Data::Float(data) => data
                .iter()
                .map(|one| match self.kind {
                    DType::F64 => one.to_bits(),
                    // CAST: exact, because it was rounded.
                    DType::F32 => (*one as f32).to_bits().into(),
                    kind => kind.to_bits(*one).into(),
                })
                .collect(),
            // CAST: the lowest bits.
            Data::Whole(data) => data.iter().map(|one| *one as u64).collect(),
            Data::Text(_) => Vec::new(),
        };
        let width = self.kind.bits();
        if width >= 8 {
            let bytes = bits
                .iter()
                .flat_map(|one| one.to_le_bytes().into_iter().take(width / 8));
            return bytes.collect();
        }
        let per_byte = 8 / width.max(1);
        let mask = (1_u64 << width) - 1;
        let bytes = bits.chunks(per_byte).map(|chunk| {
            let places = chunk.iter().enumerate();
            places.fold(0, |all, (place, one)| {
                all | ((one & mask) << (place * width)) as u8
            })
        });
        bytes.collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_each_width_keep_their_bytes() {
        let bytes: Vec<u8> = (1..=8).collect();
        for (kind, len) in [
            (DType::U2, 32),
            (DType::I4, 16),
            (DType::E2m1, 16),
            (DType::I8, 8),
            (DType::F16, 4),
            (DType::U32, 2),
            (DType::F64, 1),
        ] {
            let read = Tensor::read(kind, &[len], &bytes).unwrap();
            assert_eq!(read.bytes(), bytes, "{kind:?}");
            assert!(Tensor::read(kind, &[len + 8], &bytes).is_err());
        }
        assert!(count(&[1 << 40, 1 << 40]).is_err() && count(&[1 << 29]).is_err());
        assert!(count(&[1 << 40, 0]).is_err() && count(&[3, 0]) == Ok(0));
    }
}
