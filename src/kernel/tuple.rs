//! Tuples of parameters and arguments: how the arguments are packed for C, and the call of C.

use std::ffi::c_void;
use std::mem::{MaybeUninit, offset_of};
use std::ptr::null_mut;

use ascendcl_sys as sys;

use crate::error::{Error, KernelMismatch, Result, Usage};
use crate::kernel::argument::At;
use crate::kernel::argument::pass::{Launch, Pack, Pass};
use crate::kernel::declare::Kernel;
use crate::kernel::exact::Exact;
use crate::kernel::list::{List, Of};
use crate::kernel::parameter::seal::Layout;
#[cfg(feature = "emulator")]
use crate::kernel::parameter::seal::ParameterKind;
use crate::kernel::parameter::{Parameter, Parameters, tuple};
use crate::raw::check;

/// The name of a kernel in errors.
const fn name<K: Kernel>() -> &'static str {
    match K::NAME.to_str() {
        Ok(name) => name,
        Err(_) => "",
    }
}

/// The names of an argument in errors.
const fn at<K: Kernel>(number: usize) -> At {
    let parameter = match K::NAMES.split_at_checked(number) {
        Some((_, [name, ..])) => name,
        _ => "",
    };
    At {
        kernel: name::<K>(),
        parameter,
    }
}

/// A condition that the arguments break, with the values of all.
#[cold]
fn broken<K: Kernel>(
    condition: &'static str,
    blocks: u32,
    facts: <K::Parameters as Parameters>::Facts,
) -> Error {
    let texts = K::Parameters::texts(facts);
    let known = K::NAMES.iter().zip(texts);
    let values = known.filter_map(|(name, text)| Some(format!("{name} = {}", text?)));
    let values = values
        .chain([format!("blocks = {blocks}")])
        .collect::<Vec<_>>();
    Usage::Kernel(KernelMismatch::Condition {
        kernel: name::<K>(),
        condition,
        values: values.join(", "),
    })
    .into()
}

/// Tells the emulator how many bytes the kernel may use behind each pointer.
#[cfg(feature = "emulator")]
#[cold]
fn tell_lengths(layout: &[Layout], bytes: &[usize]) {
    let pointers = layout
        .iter()
        .zip(bytes)
        .filter(|(layout, _)| layout.kind != ParameterKind::Value);
    let lengths = pointers.map(|(layout, bytes)| match layout.placed {
        Some(bytes) => bytes,
        None => *bytes,
    });
    ascendcl_emulator::kernel::lengths(&lengths.collect::<Vec<_>>());
}

/// The place of a structure that is not known yet.
const NOWHERE: sys::aclrtPlaceHolderInfo = sys::aclrtPlaceHolderInfo {
    addrOffset: 0,
    dataOffset: 0,
};

/// What C gets: the arguments, and the structures behind them.
#[repr(C, align(8))]
struct Room<A, B>(A, B);

/// The arguments of the kernel `K`.
type PackedOf<K> = <<K as Kernel>::Parameters as tuple::Sealed>::Packed;
/// The structures behind the arguments of the kernel `K`.
type BehindOf<K> = <<K as Kernel>::Parameters as tuple::Sealed>::Behind;
/// What C gets for a launch of the kernel `K`.
type RoomOf<K> = Room<PackedOf<K>, BehindOf<K>>;

/// Implements what is said of parameters and arguments for tuples of one length.
macro_rules! tuple {
    ($count:literal $($P:ident $A:ident $v:ident $n:tt)*) => {
        const _: () = {
            /// The members of a structure of C.
            #[derive(Debug)]
            #[repr(C)]
            pub struct Members<$($A),*>($($A),*);

            impl<$($P: Parameter),*> tuple::Sealed for ($($P,)*) {
                type Packed = Members<$($P::Packed),*>;
                type Behind = Members<$($P::Behind),*>;
            }
            impl<$($P: Parameter),*> Parameters for ($($P,)*) {
                type Facts = ($($P::Fact,)*);
                const LAYOUT: &'static [Layout] = &[$( Layout {
                    offset: offset_of!(<Self as tuple::Sealed>::Packed, $n),
                    size: $P::SIZE,
                    kind: $P::KIND,
                    placed: $P::PLACED,
                    length_of: $P::LENGTH_OF,
                } ),*];

                fn texts(($($v,)*): Self::Facts) -> Vec<Option<String>> {
                    vec![$($P::text($v)),*]
                }
            }

            impl<X, $($P: Parameter, $A: Pass<X, $P, $n>),*> Pack<X, ($($P,)*)> for ($($A,)*) {
                type Written = <tuple!(@back Of<()>, $($A: $P $n,)*) as List>::Flat;

                #[inline(always)]
                #[allow(unused_mut, unused_variables, reason = "a kernel may have no parameters")]
                unsafe fn launch<K: Kernel<Parameters = ($($P,)*)>>(self, launch: Launch<'_>) -> Result<Self::Written> {
                    let ($($v,)*) = self;
                    let lens: [usize; $count] = [$( <$A as Pass<X, $P, $n>>::len(&$v) ),*];
                    let facts = ($( <$A as Pass<X, $P, $n>>::fact(&$v, &lens), )*);
                    if let Some(condition) = K::broken(Exact::from(launch.blocks), facts) {
                        // Made anew: the facts above stay in registers then.
                        let facts = ($( <$A as Pass<X, $P, $n>>::fact(&$v, &lens), )*);
                        return Err(broken::<K>(condition, launch.blocks, facts));
                    }
                    // Zeros, so that C copies no byte that was never written: the padding between two arguments.
                    let mut room = MaybeUninit::<RoomOf<K>>::zeroed();
                    // SAFETY: all bits zero are a value of each member (`Slot::Packed`, `Slot::Behind`).
                    let arguments = unsafe { room.assume_init_mut() };
                    $( <$A as Pass<X, $P, $n>>::pack(&$v, &mut arguments.0.$n, &mut arguments.1.$n, &lens, const { at::<K>($n) })?; )*
                    let mut places = [NOWHERE; $count];
                    let mut placed = 0;
                    $(
                        if $P::PLACED.is_some() && let Some(place) = places.get_mut(placed) {
                            // CAST: the offsets of at most 24 structures of 2048 bytes.
                            place.addrOffset = const { offset_of!(PackedOf<K>, $n) as u32 };
                            place.dataOffset = const {
                                (offset_of!(RoomOf<K>, 1) + offset_of!(BehindOf<K>, $n)) as u32
                            };
                            placed += 1;
                        }
                    )*
                    #[cfg(feature = "emulator")]
                    if ascendcl_emulator::kernel::wants_lengths() {
                        let bytes = [$( <$A as Pass<X, $P, $n>>::len(&$v) * <$A as Pass<X, $P, $n>>::ELEMENT ),*];
                        tell_lengths(K::Parameters::LAYOUT, &bytes);
                    }
                    // SAFETY: the caller's contract.
                    unsafe { call(launch, room.as_mut_ptr().cast(), size_of::<RoomOf<K>>(), places.get_mut(..placed).unwrap_or_default()) }?;
                    let list = Of(());
                    $(
                        // SAFETY: the kernel was queued, and writes each element of its outputs (contract of
                        // `Binary::kernel`).
                        let list = unsafe { <$A as Pass<X, $P, $n>>::back($v, list) };
                    )*
                    Ok(list.flat())
                }
            }
        };
    };
    (@back $list:ty,) => { $list };
    (@back $list:ty, $A:ident: $P:ident $n:tt, $($rest:tt)*) => {
        tuple!(@back <$A as Pass<X, $P, $n>>::Back<$list>, $($rest)*)
    };
}

/// Queues a kernel (`aclrtLaunchKernelWithHostArgs`).
///
/// # Safety
///
/// - The contract of [`Pack::launch`], and `bytes` bytes at `arguments` are the arguments of the function, with these
///   structures behind them.
#[inline(always)]
unsafe fn call(
    launch: Launch<'_>,
    arguments: *mut c_void,
    bytes: usize,
    places: &mut [sys::aclrtPlaceHolderInfo],
) -> Result<()> {
    let mut config = sys::aclrtLaunchKernelCfg {
        attrs: launch.attributes.as_mut_ptr(),
        numAttrs: launch.attributes.len(),
    };
    let config = match launch.attributes.is_empty() {
        true => null_mut(),
        false => &raw mut config,
    };
    let (first, count) = match places.is_empty() {
        true => (null_mut(), 0),
        false => (places.as_mut_ptr(), places.len()),
    };
    // SAFETY: the function takes these arguments (the caller's contract). C copies them during the call (published
    // sources). They point to memory of the stream's device, which lives until a wait for the stream has succeeded
    // (invariant of `Queued`).
    let code = unsafe {
        sys::aclrtLaunchKernelWithHostArgs(
            launch.function,
            launch.blocks,
            launch.stream,
            config,
            arguments,
            bytes,
            first,
            count,
        )
    };
    check("aclrtLaunchKernelWithHostArgs", code)
}

/// Implements it for all lengths up to the longest.
macro_rules! tuples {
    ([$($done:tt)*] $count:literal) => {
        tuple!($count $($done)*);
    };
    ([$($done:tt)*] $count:literal $P:ident $A:ident $v:ident $n:tt, $next:literal $($rest:tt)*) => {
        tuple!($count $($done)*);
        tuples!([$($done)* $P $A $v $n] $next $($rest)*);
    };
}

tuples!([]
    0 P0 A0 v0 0, 1 P1 A1 v1 1, 2 P2 A2 v2 2, 3 P3 A3 v3 3, 4 P4 A4 v4 4, 5 P5 A5 v5 5, 6 P6 A6 v6 6, 7 P7 A7 v7 7,
    8 P8 A8 v8 8, 9 P9 A9 v9 9, 10 P10 A10 v10 10, 11 P11 A11 v11 11, 12 P12 A12 v12 12, 13 P13 A13 v13 13,
    14 P14 A14 v14 14, 15 P15 A15 v15 15, 16 P16 A16 v16 16, 17 P17 A17 v17 17, 18 P18 A18 v18 18, 19 P19 A19 v19 19,
    20 P20 A20 v20 20, 21 P21 A21 v21 21, 22 P22 A22 v22 22, 23 P23 A23 v23 23, 24
);
