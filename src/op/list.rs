//! The parameters of an operator that are lists of tensors or of scalars.

use ascendcl_sys as sys;

use crate::device::Site;
use crate::error::Result;
use crate::op::element::Element;
use crate::op::handle::{RawScalar, RawScalars, RawTensor, RawTensors};
use crate::op::layout::Contiguous;
use crate::op::parameter::describe::Describe;
use crate::op::parameter::sealed::Sealed;
use crate::op::parameter::{List, Parameter, Scalars, SparseList, is_tensor, no_tensor, optional};
use crate::op::slot::Listed;
use crate::op::tensor::Tensor;

/// Declares lists that an operator reads: the object of C, and the list of a program.
macro_rules! lists {
    ($( $Name:ident, $Raw:ident, $object:ident, [$($generics:tt)*] $element:ty, [$($slot:tt)*], $place:expr, $each:expr; )*) => { $(
        impl<T: Element> Parameter for $Name<T> {
            type Handle = $Raw;
            type Value = *mut sys::$object;
            type Outputs<L> = L;
            $($slot)*

            fn value(handle: &$Raw) -> *mut sys::$object {
                handle.as_ptr()
            }
        }
        impl<'b, $($generics)* T: Element> Describe<'b, X, $Name<T>> for &[$element] {
            type Memory<L> = L;

            fn describe(&mut self) -> Result<$Raw> {
                let each = $each;
                $Raw::new(self.iter().map(each).collect::<Result<_>>()?)
            }

            fn place(&mut self) -> <$Name<T> as Parameter>::Place {
                $place
            }

            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        impl<'b, $($generics)* T: Element, const N: usize> Describe<'b, X, $Name<T>> for &[$element; N] {
            type Memory<L> = L;

            fn describe(&mut self) -> Result<$Raw> {
                let mut all: &[$element] = *self;
                Describe::<'b, X, $Name<T>>::describe(&mut all)
            }

            fn place(&mut self) -> <$Name<T> as Parameter>::Place {
                $place
            }

            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
        impl<'b, $($generics)* T: Element> Describe<'b, X, $Name<T>> for &Vec<$element> {
            type Memory<L> = L;

            fn describe(&mut self) -> Result<$Raw> {
                let mut all: &[$element] = self;
                Describe::<'b, X, $Name<T>>::describe(&mut all)
            }

            fn place(&mut self) -> <$Name<T> as Parameter>::Place {
                $place
            }

            fn into_memory<L>(self, list: L) -> L {
                list
            }
        }
    )* };
}

lists! {
    List, RawTensors, aclTensorList, [X: Site,] &Tensor<'b, X, T>,
        [is_tensor!(Listed, true, false);], Listed, |tensor: &&Tensor<'b, X, T>| raw(tensor).map(Some);
    SparseList, RawTensors, aclTensorList, [X: Site,] Option<&Tensor<'b, X, T>>,
        [is_tensor!(Listed, true, false);], Listed,
        |tensor: &Option<&Tensor<'b, X, T>>| tensor.map(raw).transpose();
    Scalars, RawScalars, aclScalarList, [X,] T, [no_tensor!();], (), |value: &T| RawScalar::new(*value);
}

fn raw<X, T: Element>(tensor: &Tensor<'_, X, T>) -> Result<RawTensor> {
    RawTensor::new::<T, Contiguous>(tensor.data, tensor.offset, tensor.dims)
}

optional!([T: Element] ['v, 't,] List<T>, &'v [&'t Tensor<'b, X, T>], Listed);
optional!([T: Element] ['v,] Scalars<T>, &'v [T]);
