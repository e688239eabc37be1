//! Device tags: the names of devices in types.

use std::fmt;
use std::marker::PhantomData;

use crate::outcome::{ContinueOnFailure, FailureMode, StopOnFailure};
use crate::park::{self, Key};
use crate::state::Exactly;

/// The name of a device in types. Memory, streams and plans carry it, so values of two devices cannot be mixed.
///
/// | name | made by | |
/// |---|---|---|
/// | [`Npu<SLOT>`](Npu) | [`Acl::set_device`](crate::Acl::set_device) | a device in a slot: the usual name |
/// | [`Brand`] | [`Acl::with_device`](crate::Acl::with_device) | a device without a slot, for a number of devices that is known only at run time |
/// | [`Stopping<D>`](Stopping) | [`Device::stop_on_failure`](crate::Device::stop_on_failure) | the same device, in another failure mode |
/// | [`Ctx<D, N>`](Ctx) | [`Device::create_context`](crate::Device::create_context) | an explicit context on a device |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the name of a device",
    label = "expected `Npu<SLOT>`",
    note = "a slot names a device: `Npu<0>`, `Npu<1>` ...; for another name write `type Trainer = Npu<0>;`"
)]
pub trait AnyDevice: name::Tag + Site<Device = Self> {
    /// The reaction of the device to a failed task.
    type Mode: FailureMode;
}

/// The name of a device that runs later work although a task has failed. That is the default.
///
/// This is the bound for generic code: `fn work<D: DeviceTag>(current: Current<'_, '_, D>)`. Use [`AnyDevice`] for
/// code that also takes devices that [stop on failure](Stopping).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the name of a device that continues after a failed task",
    label = "expected `Npu<SLOT>`",
    note = "a slot names a device: `Npu<0>`, `Npu<1>` ...; for another name write `type Trainer = Npu<0>;`"
)]
pub trait DeviceTag: AnyDevice<Mode = ContinueOnFailure> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice<Mode = ContinueOnFailure>> DeviceTag for D {}

/// A device that is the device `D`. Each device is only itself, so the bound compares two names of devices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{D}` are two devices",
    label = "expected a value of `{D}`, the device of the call",
    note = "streams, events and memory belong to one device: make them while the thread is bound to it, `thread.set_current(&device)?`",
    note = "a context of a device, such as `Ctx<Npu<0>, 1>`, has streams and events of its own"
)]
pub trait SameDevice<D>: AnyDevice + Exactly<D> {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> SameDevice<D> for D {}

/// A value that belongs to the device of a call. `T` is only itself, so that the compiler names the missing step.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not belong to the device of this call",
    label = "expected `{T}`",
    note = "a binding: bind the thread to the device that the call is about, `thread.set_current(&device)?`",
    note = "a stream or options: make the call on a binding to their own device"
)]
pub trait OfDevice<T>: Exactly<T> {}
#[diagnostic::do_not_recommend]
impl<T> OfDevice<T> for T {}

/// The place where memory is used: a device `D` for idle buffers, or a queue `(D, S)` for queued buffers. Blocking
/// calls use idle buffers, and the work of a stream uses queued buffers.
pub trait Site: seal::Site {
    /// The device.
    type Device: AnyDevice;
}

pub(crate) mod seal {
    crate::state::sealed! {
        "expected a device, or `(D, S)`: a device and a stream name";
        /// Seals [`Site`](super::Site).
        pub trait Site {}
    }
}

mod name {
    use std::fmt;

    use crate::park::Key;

    crate::state::sealed! {
        "expected `Npu<SLOT>`";
        /// Seals [`AnyDevice`](super::AnyDevice).
        pub trait Tag {
            /// The identity of the device, where the name alone does not tell it. Queued memory carries it.
            type Ident: Copy + fmt::Debug + Send + Sync;
            /// Makes the identity of a device that is opened now.
            fn open() -> Self::Ident;
            /// Returns the identity of the device with a key. Calls `key` only where the identity depends on it.
            fn of(key: impl FnOnce() -> Key) -> Self::Ident;
            /// Returns the key of a device.
            fn key(ident: Self::Ident) -> Key;
        }
    }
}

/// The identity of a device `D`: nothing for slots, a number for brands.
pub(crate) type Ident<D> = <D as name::Tag>::Ident;

/// Returns the key of a device or context that is opened now under the name `D`.
pub(crate) fn new_key<D: AnyDevice>() -> Key {
    <D as name::Tag>::key(<D as name::Tag>::open())
}

/// Returns the identity of the device `D` with a key. Calls `key` only for brands.
#[inline(always)]
pub(crate) fn ident_of<D: AnyDevice>(key: impl FnOnce() -> Key) -> Ident<D> {
    <D as name::Tag>::of(key)
}

/// Returns the key of a device named `D`.
pub(crate) fn key_of<D: AnyDevice>(ident: Ident<D>) -> Key {
    <D as name::Tag>::key(ident)
}

/// The device in slot `SLOT` of this program. [`Acl::set_device`](crate::Acl::set_device) chooses the card at run
/// time.
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::{Acl, DeviceBuf, Npu, Thread};
///
/// type Trainer = Npu<0>; // a name of your own for a slot
///
/// let acl = Acl::from_env()?;
/// let mut thread = Thread::claim()?;
/// let device = acl.set_device::<Trainer>(&mut thread, 1)?; // the card is chosen at run time
/// let buf: DeviceBuf<'_, Trainer, [f32], _> = thread.set_current(&device)?.malloc(16)?;
/// # } Ok(()) }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Npu<const SLOT: usize>;

/// The name of a device without a slot: a lifetime that no other device has.
/// [`Acl::with_device`](crate::Acl::with_device) makes it.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// use ascendcl::{Brand, Device};
///
/// fn id<'id>(device: &Device<'_, Brand<'id>>) -> u32 {
///     device.id()
/// }
/// acl.with_device(&mut thread, 1, |device, _| assert_eq!(id(&device), 1))?;
/// # });
/// ```
pub struct Brand<'id>(PhantomData<fn(&'id ()) -> &'id ()>);

/// The device `D` in the failure mode in which a failed task stops it.
/// [`Device::stop_on_failure`](crate::Device::stop_on_failure) makes it.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// use ascendcl::{Device, Stopping};
///
/// let device: Device<'_, Stopping<Npu<0>>> = acl.set_device(&mut thread, 0)?.stop_on_failure();
/// # });
/// ```
pub struct Stopping<D>(PhantomData<fn(D) -> D>);

/// The explicit context number `N` on device `D`. [`Device::create_context`](crate::Device::create_context) makes it.
///
/// ```
/// # ascendcl::example!(|acl| {
/// # let mut thread = Thread::claim()?;
/// # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// use ascendcl::{Ctx, Current};
///
/// let context = device.create_context::<1>(&mut thread)?;
/// let current: Current<'_, '_, Ctx<Npu<0>, 1>> = thread.set_current_context(&context)?;
/// # });
/// ```
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

/// A device tag with a slot number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the name of a device",
    label = "expected `Npu<SLOT>`",
    note = "a slot names a device: `Npu<0>`, `Npu<1>` ...; for another name write `type Trainer = Npu<0>;`"
)]
pub trait NamedDevice: AnyDevice {
    /// The slot number.
    const SLOT: usize;
}

#[diagnostic::do_not_recommend]
impl<const SLOT: usize> NamedDevice for Npu<SLOT> {
    const SLOT: usize = SLOT;
}

/// The tag of a whole device, in contrast to the tag of an explicit context.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a whole device",
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
// `D` and `Stopping<D>` are the same device and never exist at the same time, so they have the same key.
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

/// Returns the number in the key of a device with a brand.
fn number(key: Key) -> u64 {
    match key {
        Key::Numbered(number) => number,
        // A device with a brand never has these keys.
        Key::Slot(_) | Key::Context(..) => u64::MAX,
    }
}
