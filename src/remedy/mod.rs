//! Placeholder methods and indexes: the use of one gives a compiler message that names the missing step.
//!
//! The items of this module cannot be called. Each one requires a trait that no type implements, and the message of
//! that trait names the missing step. The items are hidden from the documentation, because they are no part of the
//! API.

mod clone;
#[cfg(feature = "collectives")]
mod collective;
#[cfg(feature = "graphs")]
mod graph;
#[cfg(feature = "media")]
mod media;
mod methods;
mod missing;
#[cfg(feature = "operators")]
mod operator;
mod parts;
mod share;
mod signals;
mod steps;
#[cfg(feature = "operators")]
mod views;

use std::ops::{Index, IndexMut};

use crate::event::Fence;
use crate::memory::{Buf, Elements, Place, Slice, SliceMut};
use crate::outcome::Unverified;
use crate::queue::{Queue, Queued, Resource};
use crate::scope::{Lease, Lend};

use missing::{GivenBack, Indexable, Returned, Verified, Waited};

/// Adds an index operator that cannot be used. Each type has one: of several, the compiler reports none.
macro_rules! index {
    ($([$($g:tt)*] $type:ty: $missing:ident;)*) => { $(
        #[doc(hidden)]
        impl<Idx, $($g)*> Index<Idx> for $type
        where
            Self: $missing,
        {
            type Output = <Self as $missing>::Never;
            fn index(&self, _: Idx) -> &Self::Output {
                <Self as $missing>::never()
            }
        }
        #[doc(hidden)]
        impl<Idx, $($g)*> IndexMut<Idx> for $type
        where
            Self: $missing,
        {
            fn index_mut(&mut self, _: Idx) -> &mut Self::Output {
                <Self as $missing>::never()
            }
        }
    )* };
}

index! {
    [Q: Queue, R: Resource<Q::Device>, H] Queued<'_, Q, R, H>: GivenBack;
    [Q: Queue, R: Resource<Q::Device>, E, H] Fence<'_, Q, R, E, H>: Waited;
    [Q, R, H] Unverified<'_, Q, R, H>: Verified;
    [D, R: Lend] Lease<'_, D, R>: Returned;
    [M: Place, E: Elements + ?Sized, I] Buf<'_, M, E, I>: Indexable;
    [M: Place, E: Elements + ?Sized, Q] Slice<'_, M, E, Q>: Indexable;
    [M: Place, E: Elements + ?Sized, Q] SliceMut<'_, M, E, Q>: Indexable;
}
