//! Element types of collectives, reductions, and which product has which of them.

use ascendcl_sys as sys;

use crate::collective::product::Products;
use crate::memory::Plain;

/// A type of elements that ranks exchange, with its `HcclDataType`. The numbers of that enumeration are not those of
/// `aclDataType`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` elements cannot be exchanged with other ranks",
    label = "no `HcclDataType` stands for `{Self}`",
    note = "ranks exchange f32, f64, i8 to i64, u8 to u64, and with the feature `half` f16 and bf16"
)]
pub trait CommElement: Plain + seal::Exchanged {
    /// The type as C names it.
    const DATA_TYPE: sys::HcclDataType;
    /// The products that do not exchange it.
    #[doc(hidden)]
    const LACKING: Products;
}

/// A type of elements that the reduction `O` combines: [`Sum`], [`Prod`], [`Max`] or [`Min`].
///
/// The relation has what at least one product reduces. Reductions of `u64` and `f64` exist on Ascend 950 only, those of
/// `i64` and `bf16` not on Ascend 310P, those of `i16` not on Ascend 910 and only as sums on Ascend 310P, and those of
/// `bf16` not on Ascend 910. A call on a product that lacks the reduction returns an error and queues nothing.
#[diagnostic::on_unimplemented(
    message = "HCCL does not reduce `{Self}` elements by `{O}`",
    label = "no product has this reduction",
    note = "convert the elements on the device with `op::cast` first, for instance u8 to i32",
    note = "the reductions `Sum`, `Max` and `Min` take f32, f64, i8 to i64, u64, and with the feature `half` f16 and bf16",
    note = "the reduction `Prod` takes f32, f64, i8, i32, i64, u64, and with the feature `half` f16"
)]
pub trait Reduces<O>: CommElement + seal::Combined<O> {
    /// The reduction as C names it.
    #[doc(hidden)]
    const OPERATION: sys::HcclReduceOp;
    /// The products that lack the reduction.
    #[doc(hidden)]
    const REFUSED: Products;
}

/// Declares the reductions.
macro_rules! reductions {
    ($($(#[$doc:meta])* $name:ident, $raw:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name;
        impl $name {
            const OPERATION: sys::HcclReduceOp = sys::$raw;
        }
    )* };
}

reductions! {
    /// The sum of the elements of all ranks.
    Sum, HCCL_REDUCE_SUM;
    /// The product of the elements of all ranks.
    Prod, HCCL_REDUCE_PROD;
    /// The largest of the elements of all ranks.
    Max, HCCL_REDUCE_MAX;
    /// The smallest of the elements of all ranks.
    Min, HCCL_REDUCE_MIN;
}

/// Lists the element types with their numbers, the products that do not exchange them, and their reductions with the
/// products that lack these.
macro_rules! elements {
    ($( $type:ty, $raw:ident, $lacking:expr, [$($reduction:ident: $refused:expr),*]; )*) => { $(
        impl seal::Exchanged for $type {}
        #[diagnostic::do_not_recommend]
        impl CommElement for $type {
            const DATA_TYPE: sys::HcclDataType = sys::$raw;
            const LACKING: Products = $lacking;
        }
        $(
            impl seal::Combined<$reduction> for $type {}
            #[diagnostic::do_not_recommend]
            impl Reduces<$reduction> for $type {
                const OPERATION: sys::HcclReduceOp = $reduction::OPERATION;
                const REFUSED: Products = $refused;
            }
        )*
    )* };
}

elements! {
    f32, HCCL_DATA_TYPE_FP32, Products::NONE,
        [Sum: Products::NONE, Prod: Products::NONE, Max: Products::NONE, Min: Products::NONE];
    f64, HCCL_DATA_TYPE_FP64, Products::NONE,
        [Sum: Products::BEFORE_950, Prod: Products::BEFORE_950, Max: Products::BEFORE_950, Min: Products::BEFORE_950];
    i8, HCCL_DATA_TYPE_INT8, Products::NONE,
        [Sum: Products::NONE, Prod: Products::NONE, Max: Products::NONE, Min: Products::NONE];
    i16, HCCL_DATA_TYPE_INT16, Products::NONE,
        [Sum: Products::P910, Max: Products::P910.and(Products::P310), Min: Products::P910.and(Products::P310)];
    i32, HCCL_DATA_TYPE_INT32, Products::NONE,
        [Sum: Products::NONE, Prod: Products::NONE, Max: Products::NONE, Min: Products::NONE];
    i64, HCCL_DATA_TYPE_INT64, Products::NONE,
        [Sum: Products::P310, Prod: Products::P310, Max: Products::P310, Min: Products::P310];
    u8, HCCL_DATA_TYPE_UINT8, Products::NONE, [];
    u16, HCCL_DATA_TYPE_UINT16, Products::NONE, [];
    u32, HCCL_DATA_TYPE_UINT32, Products::NONE, [];
    u64, HCCL_DATA_TYPE_UINT64, Products::NONE,
        [Sum: Products::BEFORE_950, Prod: Products::BEFORE_950, Max: Products::BEFORE_950, Min: Products::BEFORE_950];
}

#[cfg(feature = "half")]
elements! {
    half::f16, HCCL_DATA_TYPE_FP16, Products::NONE,
        [Sum: Products::NONE, Prod: Products::NONE, Max: Products::NONE, Min: Products::NONE];
    half::bf16, HCCL_DATA_TYPE_BFP16, Products::P310, [
        Sum: Products::P910.and(Products::P310),
        Max: Products::P910.and(Products::P310),
        Min: Products::P910.and(Products::P310)
    ];
}

mod seal {
    crate::state::sealed! {
        "a wrong number would make HCCL move other bytes than those of the elements";
        /// Seals [`CommElement`](super::CommElement).
        pub trait Exchanged {}
    }
    crate::state::sealed! {
        "HCCL has four reductions";
        /// Seals [`Reduces`](super::Reduces).
        pub trait Combined<O> {}
    }
}
