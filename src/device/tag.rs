//! The names of devices in types.

use std::fmt;
use std::marker::PhantomData;

use crate::outcome::{ContinueOnFailure, FailureMode, StopOnFailure};
use crate::park::{self, Key};

/// The name of a device in types. Memory, streams and plans carry it, so what belongs to one device
/// cannot meet what belongs to another.
///
/// | name | made by | |
/// |---|---|---|
/// | [`Npu<SLOT>`](Npu) | [`Acl::set_device`](crate::Acl::set_device) | the everyday form |
/// | [`Brand`] | [`Acl::with_device`](crate::Acl::with_device) | for a number of devices that is known at run time |
/// | [`Stopping<D>`](Stopping) | [`Device::stop_on_failure`](crate::Device::stop_on_failure) | the same device, in another failure mode |
/// | [`Ctx<D, N>`](Ctx) | [`Device::create_context`](crate::Device::create_context) | an explicit context on a device |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a device",
    label = "expected `Npu<SLOT>`",
    note = "devices are named by slots: `Npu<0>`, `Npu<1>` ...; for a name of your own write `type Trainer = Npu<0>;`"
)]
pub trait AnyDevice: name::Tag + Site<Device = Self> {
    /// What a failed task does to later work.
    type Mode: FailureMode;
}

/// The name of a device that goes on when a task fails, as all do by default.
///
/// The bound for generic code: `fn work<D: DeviceTag>(current: Current<'_, '_, D>)`. Code that shall take
/// devices that [stop](Stopping) too asks for [`AnyDevice`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a device that goes on when a task fails",
    label = "expected `Npu<SLOT>`",
    note = "devices are named by slots: `Npu<0>`, `Npu<1>` ...; for a name of your own write `type Trainer = Npu<0>;`"
)]
pub trait DeviceTag: AnyDevice<Mode = ContinueOnFailure> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice<Mode = ContinueOnFailure>> DeviceTag for D {}

/// Where memory is used: on a device `D` by blocking calls (idle buffers), or on a queue `(D, S)` by the
/// work of a stream (queued buffers).
pub trait Site: seal::Site {
    /// The device.
    type Device: AnyDevice;
}

pub(crate) mod seal {
    /// Seals [`Site`](super::Site).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "expected a device, or `(D, S)`: a device and a stream name"
    )]
    pub trait Site {}
}

mod name {
    use std::fmt;

    use crate::park::Key;

    /// Seals [`AnyDevice`](super::AnyDevice).
    #[diagnostic::on_unimplemented(
        message = "this trait of `ascendcl` is sealed: `{Self}` cannot implement it",
        label = "expected `Npu<SLOT>`"
    )]
    pub trait Tag {
        /// Which device it is, where the name does not say that. Queued memory carries it.
        type Ident: Copy + fmt::Debug + Send + Sync;
        /// A device that has this name from now on.
        fn open() -> Self::Ident;
        /// The device with that key, which is asked for where it is needed.
        fn of(key: impl FnOnce() -> Key) -> Self::Ident;
        /// Its key.
        fn key(ident: Self::Ident) -> Key;
    }
}

/// Which device `D` it is, where types do not say that: nothing for slots, a number for brands.
pub(crate) type Ident<D> = <D as name::Tag>::Ident;

/// The key of a device or context that is opened now under the name `D`.
pub(crate) fn new_key<D: AnyDevice>() -> Key {
    <D as name::Tag>::key(<D as name::Tag>::open())
}

/// Which device named `D` has the key, which is asked for where types do not say it.
#[inline(always)]
pub(crate) fn ident_of<D: AnyDevice>(key: impl FnOnce() -> Key) -> Ident<D> {
    <D as name::Tag>::of(key)
}

/// The key of a device named `D`.
pub(crate) fn key_of<D: AnyDevice>(ident: Ident<D>) -> Key {
    <D as name::Tag>::key(ident)
}

/// The device in slot `SLOT` of this program. Which card that is, is decided at run time by
/// [`Acl::set_device`](crate::Acl::set_device).
#[derive(Debug, Clone, Copy)]
pub struct Npu<const SLOT: usize>;

/// A device that has no name but a lifetime of its own, which no other device has. Made by
/// [`Acl::with_device`](crate::Acl::with_device).
pub struct Brand<'id>(PhantomData<fn(&'id ()) -> &'id ()>);

/// The device `D`, when a failed task stops it. Made by
/// [`Device::stop_on_failure`](crate::Device::stop_on_failure).
pub struct Stopping<D>(PhantomData<fn(D) -> D>);

/// The explicit context number `N` on device `D`. Made by
/// [`Device::create_context`](crate::Device::create_context).
pub struct Ctx<D, const N: usize>(PhantomData<fn(D) -> D>);

impl fmt::Debug for Brand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Brand")
    }
}
impl<D> fmt::Debug for Stopping<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stopping<{}>", std::any::type_name::<D>())
    }
}
impl<D, const N: usize> fmt::Debug for Ctx<D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ctx<{}, {N}>", std::any::type_name::<D>())
    }
}

/// A device tag that is a slot with a number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no name of a device",
    label = "expected `Npu<SLOT>`",
    note = "devices are named by slots: `Npu<0>`, `Npu<1>` ...; for a name of your own write `type Trainer = Npu<0>;`"
)]
pub trait NamedDevice: AnyDevice {
    /// The number.
    const SLOT: usize;
}

#[diagnostic::do_not_recommend]
impl<const SLOT: usize> NamedDevice for Npu<SLOT> {
    const SLOT: usize = SLOT;
}

/// A tag of a whole device, in contrast to one of its explicit contexts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no whole device",
    label = "expected the tag of a device, not of one of its contexts"
)]
pub trait WholeDevice: AnyDevice {}

#[diagnostic::do_not_recommend]
impl<const SLOT: usize> WholeDevice for Npu<SLOT> {}
#[diagnostic::do_not_recommend]
impl WholeDevice for Brand<'_> {}
#[diagnostic::do_not_recommend]
impl<D: WholeDevice<Mode = ContinueOnFailure>> WholeDevice for Stopping<D> {}

/// Declares a tag, with the functions of its identity.
macro_rules! tag {
    ([$($generics:tt)*] $tag:ty, $mode:ty, $ident:ty, $open:expr, |$of:pat_param| $from_key:expr, |$with:pat_param| $key:expr) => {
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> AnyDevice for $tag {
            type Mode = $mode;
        }
        impl<$($generics)*> seal::Site for $tag {}
        impl<$($generics)*> Site for $tag {
            type Device = $tag;
        }
        impl<$($generics)*> name::Tag for $tag {
            type Ident = $ident;

            #[inline(always)]
            fn open() -> $ident {
                $open
            }

            #[inline(always)]
            fn of($of: impl FnOnce() -> Key) -> $ident {
                $from_key
            }

            #[inline(always)]
            fn key($with: $ident) -> Key {
                $key
            }
        }
    };
}

tag!([const SLOT: usize] Npu<SLOT>, ContinueOnFailure, (), (), |_| (), |()| Key::Slot(SLOT));
tag!(['id] Brand<'id>, ContinueOnFailure, u64, park::number(), |key| number(key()), |number| Key::Numbered(number));
// The same device, so the same key: of the two one exists at a time.
tag!(
    [D: WholeDevice<Mode = ContinueOnFailure>] Stopping<D>,
    StopOnFailure,
    Ident<D>,
    <D as name::Tag>::open(),
    |key| ident_of::<D>(key),
    |ident| key_of::<D>(ident)
);
tag!(
    [D: WholeDevice, const N: usize] Ctx<D, N>,
    D::Mode,
    Ident<D>,
    <D as name::Tag>::open(),
    |key| ident_of::<D>(key),
    |ident| match key_of::<D>(ident) {
        Key::Slot(slot) => Key::Context(slot, N),
        key => key,
    }
);

/// The number of a device that has one.
fn number(key: Key) -> u64 {
    match key {
        Key::Numbered(number) => number,
        // No device with a brand has such a key.
        Key::Slot(_) | Key::Context(..) => u64::MAX,
    }
}
