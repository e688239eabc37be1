//! Names of communicators in types.

use std::any::{TypeId, type_name};
use std::fmt;
use std::marker::PhantomData;

/// A name for communicators. Each communicator and its ranks carry it, so a rank of one communicator cannot be passed to
/// another one.
///
/// All ranks of one communicator have the same name. A device has at most one communicator of a name at a time, and the
/// creation of a communicator checks that. Any type of your own can be a name:
///
/// ```
/// enum Pipeline {}
/// impl ascendcl::collective::CommName for Pipeline {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a name for a communicator",
    label = "expected a type that implements `CommName`",
    note = "a program with one communicator uses `collective::World`",
    note = "declare another name: `enum Pipeline {{}}` and `impl CommName for Pipeline {{}}`",
    note = "a part of a communicator has no parts of its own: make both of the whole communicator"
)]
pub trait CommName: 'static {}

/// The name for programs with one communicator.
///
/// ```
/// use ascendcl::collective::{Comm, RootInfo, World};
/// use ascendcl::{Current, DeviceTag, Result};
///
/// fn join<'t, 'd, D: DeviceTag>(current: Current<'t, 'd, D>, root: &RootInfo, rank: u32) -> Result<Comm<'t, 'd, D>> {
///     current.comm_init_root_info::<World>(root, rank)
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum World {}
#[diagnostic::do_not_recommend]
impl CommName for World {}

/// The tag of a communicator with the name `N` whose ranks are some of the ranks of the communicator `P`.
/// [`Comm::create_sub_comm`](crate::collective::Comm::create_sub_comm) makes it.
///
/// ```
/// use ascendcl::collective::{Comm, CommName, Sub, World};
/// use ascendcl::{DeviceTag, Result};
///
/// enum Pair {}
/// impl CommName for Pair {}
///
/// fn first_two<'t, 'd, D: DeviceTag>(world: &mut Comm<'t, 'd, D, World>) -> Result<Comm<'t, 'd, D, Sub<World, Pair>>> {
///     let ranks = [world.rank(0)?, world.rank(1)?];
///     world.create_sub_comm::<Pair>(&ranks, 0)
/// }
/// ```
pub struct Sub<P, N>(PhantomData<fn(P, N) -> (P, N)>);

impl<P, N> fmt::Debug for Sub<P, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sub<{}, {}>", type_name::<P>(), type_name::<N>())
    }
}

/// The tag of a communicator in types: a [`CommName`], or [`Sub`] for a part of a communicator.
pub trait CommTag: tag::Tag + 'static {}
#[diagnostic::do_not_recommend]
impl<N: tag::Tag + 'static> CommTag for N {}

mod tag {
    use super::{CommName, Sub};

    crate::state::sealed! {
        "expected a `CommName`, or `Sub` of two of them";
        /// Seals [`CommTag`](super::CommTag).
        pub trait Tag {}
    }
    impl<N: CommName> Tag for N {}
    impl<P: CommName, N: CommName> Tag for Sub<P, N> {}
}

/// The name of a communicator as a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub(super) id: TypeId,
    pub(super) text: &'static str,
}

impl Name {
    pub(super) fn of<N: CommTag>() -> Name {
        Name {
            id: TypeId::of::<N>(),
            text: type_name::<N>(),
        }
    }
}
