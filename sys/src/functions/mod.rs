//! The functions of AscendCL, one list per area.
//!
//! Each area file holds one list, written in C's words. The list is a macro, so that everything that
//! must agree with it is made from it: the [table](stream::StreamTable) of function pointers, the
//! `extern "C"` block, the loader, the raw calls, and (in `ascendcl-emulator-capi`) the exported C
//! symbols. A signature that drifts is a type error.
//!
//! A function that is newer than CANN 8.1 is marked `#[newer]`. `#[changed(1.17)]` marks one that has another signature
//! in releases of AscendCL before 1.17: it is absent if `aclrtGetVersion` says that the library is older, because a
//! call through the wrong signature is undefined behaviour.
//!
//! A raw call (`ascendcl_sys::aclrtMalloc(..)`) goes through the installed [`Api`](crate::Api): one
//! load and one indirect call. Before a backend is installed, and for a function that the installed
//! CANN lacks, it returns [`ACL_ERROR_API_NOT_SUPPORT`](crate::ACL_ERROR_API_NOT_SUPPORT) (or null)
//! and [`absent::take`](crate::absent::take) names the function.

use crate::release::Release;

/// Calls `$callback!` with each area that has a list: its word, its table, and the macro with the list.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_area {
    ($callback:ident) => {
        $callback! {
            runtime RuntimeTable runtime_functions,
            device DeviceTable device_functions,
            context ContextTable context_functions,
            stream StreamTable stream_functions,
            event EventTable event_functions,
            memory MemoryTable memory_functions,
            callback CallbackTable callback_functions,
            op OpTable op_functions,
            graph GraphTable graph_functions,
            model ModelTable model_functions,
            media MediaTable media_functions,
            collective CollectiveTable collective_functions,
            profiling ProfilingTable profiling_functions,
        }
    };
}
pub(crate) use for_each_area;

/// Calls `$callback!` with one function of a list: its documentation, its mark in brackets, and all its parameters.
///
/// A macro that takes a whole list must not look into the functions, but leave this to another macro. At each `$(..)*` and
/// `$(..)?` rustc copies all that the pattern has matched so far. A pattern with such a part for each of 600 functions
/// took two seconds.
#[doc(hidden)]
#[macro_export]
macro_rules! function {
    // The first phase of an operator has two parameters that its line in the list omits.
    ($callback:path; $(# $attribute:tt)+ fn $name:ident [first ($($arg:ident: $kind:ident),* $(,)?)] -> $ret:ty;) => {
        $crate::function! {
            $callback;
            $(# $attribute)+
            fn $name(
                $($arg: $crate::parameter::$kind,)*
                workspaceSize: *mut u64,
                executor: *mut *mut $crate::aclOpExecutor
            ) -> $ret;
        }
    };
    ($callback:path; $(#[doc = $before:expr])* #[newer] $(#[doc = $after:expr])* fn $($function:tt)*) => {
        $callback! { $(#[doc = $before])* $(#[doc = $after])* [newer] fn $($function)* }
    };
    ($callback:path; $(#[doc = $doc:expr])* #[changed($release:literal)] fn $($function:tt)*) => {
        $callback! { $(#[doc = $doc])* [changed $release] fn $($function)* }
    };
    ($callback:path; $(#[doc = $doc:expr])* fn $($function:tt)*) => {
        $callback! { $(#[doc = $doc])* [] fn $($function)* }
    };
}

#[cfg(feature = "loaded")]
pub(crate) use function;

/// The type of a function of a list.
macro_rules! signature {
    ([first ($($arg:ident: $kind:ident),* $(,)?)] -> $ret:ty) => {
        unsafe extern "C" fn(
            $(crate::parameter::$kind,)*
            *mut u64,
            *mut *mut crate::structs::aclOpExecutor
        ) -> $ret
    };
    (($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty) => {
        unsafe extern "C" fn($($ty),*) -> $ret
    };
}

/// What an entry does when the backend lacks the function.
macro_rules! stub {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        pub(super) unsafe extern "C" fn $name($(_: $ty),*) -> $ret {
            crate::absent::value(&stringify!($name))
        }
    };
}

/// A function that the program was linked with, as C declares it.
#[cfg(feature = "linked")]
macro_rules! linked_declaration {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        unsafe extern "C" {
            pub(super) unsafe fn $name($($arg: $ty),*) -> $ret;
        }
    };
}

/// A raw call.
macro_rules! raw_call {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// The contract of the C function: pointers are valid for what it reads and writes, and
        /// handles are alive.
        #[inline]
        #[allow(clippy::too_many_arguments, reason = "C's own argument lists")]
        pub unsafe fn $name($($arg: $ty),*) -> $ret {
            #[cfg(feature = "dispatch")]
            {
                // Relaxed: every slot always holds a function of this signature, and whoever
                // saw the installation (through `Api::install`) sees the installed one.
                let address = SLOTS.$name.load(core::sync::atomic::Ordering::Relaxed);
                // SAFETY: `install` of the table and the static's initialiser store only pointers
                // that were functions of exactly this type.
                let function = unsafe {
                    core::mem::transmute::<
                        *mut core::ffi::c_void,
                        unsafe extern "C" fn($($ty),*) -> $ret,
                    >(address)
                };
                #[cfg(feature = "spans")]
                let span = crate::spans::of!($name);
                // SAFETY: the caller's contract is that of the C function.
                let result = unsafe { function($($arg),*) };
                #[cfg(feature = "spans")]
                crate::spans::record(&span, &result);
                result
            }
            #[cfg(all(feature = "linked", not(feature = "dispatch")))]
            {
                linked_call!(
                    [$($mark)*] $name: unsafe extern "C" fn($($ty),*) -> $ret, $($arg),*
                )
            }
            #[cfg(not(any(feature = "linked", feature = "dispatch")))]
            {
                // SAFETY: the stub reads none of its arguments.
                unsafe { absent::$name($($arg),*) }
            }
        }
    };
}

/// Expands one area's list to its table, loader, slots and raw calls.
macro_rules! define {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        /// The function pointers of this area. Every entry is callable: a function that the
        /// backend lacks is a stub that returns the "not supported" value of its type.
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub struct $Table {
            $(
                #[doc = concat!("Points to [`", stringify!($name), "`].")]
                pub $name: signature!($parameters -> $ret),
            )*
        }

        impl core::fmt::Debug for $Table {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($Table), "({} of {} functions of area {})"),
                    Self::NAMES.len() - self.missing().count(), Self::NAMES.len(), Self::AREA)
            }
        }

        impl $Table {
            /// The area word: the name of the file in every tree of this project.
            pub const AREA: &'static str = $area;

            /// The C names of the functions, in the order of the list.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// A table without any function: each entry reports its absence when it is called.
            pub const ABSENT: $Table = $Table { $($name: absent::$name),* };

            /// The same for C.
            const C_NAMES: &'static [&'static core::ffi::CStr] =
                &[$(crate::functions::c_name(concat!(stringify!($name), "\0"))),*];

            /// Since which release each function has the signature of the list, where older ones have another.
            const SINCE: &'static [Option<crate::release::Release>] = &[$(since!($(# $attribute)+)),*];

            /// Fills the table with what `resolve` finds; the rest is absent.
            ///
            /// A function marked `#[changed(<release>)]` is filled in only if `aclrtGetVersion`, for which `resolve` is
            /// asked too and which is called then, reports that release or a later one. A library without it that has
            /// `aclsysGetVersionNum` counts as one of release 1.17.
            ///
            /// # Safety
            ///
            /// Each address that `resolve` returns is that of a C function which has the signature
            /// of the list under that name, and stays valid for the rest of the process. A function marked
            /// `#[changed(<release>)]` may have another signature if `aclrtGetVersion` reports an older release.
            pub unsafe fn resolve(
                mut resolve: impl FnMut(&'static core::ffi::CStr) -> Option<core::ptr::NonNull<core::ffi::c_void>>,
            ) -> $Table {
                let mut addresses = Self::absent();
                // SAFETY: the caller's contract.
                unsafe {
                    crate::functions::fill(&mut addresses, Self::C_NAMES, Self::SINCE, &mut resolve);
                }
                // SAFETY: the caller's contract, and what was not found is the stub that was there.
                unsafe { Self::from_addresses(addresses) }
            }

            /// The entries of a table without any function. Generic code calls this, where a copy of the constant would be
            /// an instruction for each entry.
            #[inline(never)]
            fn absent() -> Addresses {
                Self::ABSENT.addresses()
            }

            /// The names of the functions that this table lacks.
            pub fn missing(&self) -> impl Iterator<Item = &'static str> + use<> {
                crate::functions::missing(Self::NAMES, &self.addresses(), &Self::ABSENT.addresses())
            }

            /// The function of this name, unless the table lacks it.
            #[must_use]
            pub fn find(&self, name: &core::ffi::CStr) -> Option<core::ptr::NonNull<core::ffi::c_void>> {
                crate::functions::find(name, Self::C_NAMES, &self.addresses(), &Self::ABSENT.addresses())
            }

            /// This table, with the chosen functions of another one.
            pub(crate) fn with_functions_of(self, other: $Table, is_chosen: &dyn Fn(&str) -> bool) -> $Table {
                let mut addresses = self.addresses();
                crate::functions::choose(&mut addresses, &other.addresses(), Self::NAMES, is_chosen);
                // SAFETY: each entry is that of one of the two tables, in the same place.
                unsafe { Self::from_addresses(addresses) }
            }

            /// The entries in the order of the list.
            const fn addresses(self) -> Addresses {
                // SAFETY: a table is nothing but pointers in this order (`repr(C)`), and no pointer that
                // may be called needs more than to be one.
                unsafe { core::mem::transmute::<$Table, Addresses>(self) }
            }

            /// The table with these entries.
            ///
            /// # Safety
            ///
            /// Each is a function of the signature that the list has in its place.
            unsafe fn from_addresses(addresses: Addresses) -> $Table {
                // SAFETY: a table is nothing but pointers in this order (`repr(C)`), and the caller says
                // that they are the right ones.
                unsafe { core::mem::transmute::<Addresses, $Table>(addresses) }
            }

            /// The functions that the program was linked with.
            #[cfg(feature = "linked")]
            pub(crate) fn linked() -> $Table {
                $Table { $(
                    $name: linked_entry!($(# $attribute)+ $name: signature!($parameters -> $ret)),
                )* }
            }

            /// The functions that raw calls go to now.
            ///
            /// An area whose libraries load on first use has other functions later.
            #[must_use]
            pub fn installed() -> $Table {
                #[cfg(feature = "dispatch")]
                {
                    let mut addresses = Self::ABSENT.addresses();
                    for (address, slot) in addresses.iter_mut().zip(SLOTS.each()) {
                        *address = slot.load(core::sync::atomic::Ordering::Acquire);
                    }
                    // SAFETY: `install` and the static's initialiser store in a slot only pointers that
                    // were functions of its entry's type.
                    unsafe { Self::from_addresses(addresses) }
                }
                #[cfg(all(feature = "linked", not(feature = "dispatch")))]
                {
                    $Table::linked()
                }
                #[cfg(not(any(feature = "linked", feature = "dispatch")))]
                {
                    $Table::ABSENT
                }
            }

            /// The function that raw calls go to now, of the entry that lies `offset` bytes behind the first one.
            #[cfg(feature = "loaded")]
            #[allow(dead_code, reason = "only some areas have libraries of their own")]
            pub(crate) fn entry(offset: usize) -> *mut core::ffi::c_void {
                let slot = SLOTS.each().get(offset / size_of::<usize>());
                slot.map_or(core::ptr::null_mut(), |slot| slot.load(core::sync::atomic::Ordering::Acquire))
            }

            /// Makes this the table that the raw calls use.
            #[cfg(feature = "dispatch")]
            pub(crate) fn install(&self) {
                for (slot, address) in SLOTS.each().iter().zip(self.addresses()) {
                    slot.store(address, core::sync::atomic::Ordering::Release);
                }
            }
        }

        /// The entries of a table without their types: what goes over all of them is a loop then, which
        /// costs less to compile than a line for each.
        type Addresses = [*mut core::ffi::c_void; $Table::NAMES.len()];

        /// What an entry does when the backend lacks the function.
        #[allow(non_snake_case, reason = "the names of C, which a feature may leave out")]
        mod absent {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_int, c_void};
            $( function! { stub; $(# $attribute)+ fn $name $parameters -> $ret; } )*
        }

        #[cfg(feature = "linked")]
        #[allow(dead_code, reason = "where calls are dispatched, nobody names the newer ones")]
        mod linked {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_int, c_void};
            $( function! { linked_declaration; $(# $attribute)+ fn $name $parameters -> $ret; } )*
        }

        /// Where the raw calls find their functions.
        #[cfg(feature = "dispatch")]
        #[allow(non_snake_case, reason = "the names of C, which a feature may leave out")]
        #[repr(C)]
        struct Slots {
            /// Nothing, with the alignment of a slot: an area that a feature leaves out has no other field.
            none: [core::sync::atomic::AtomicPtr<core::ffi::c_void>; 0],
            $( $name: core::sync::atomic::AtomicPtr<core::ffi::c_void>, )*
        }

        #[cfg(feature = "dispatch")]
        static SLOTS: Slots = Slots {
            none: [],
            $( $name: core::sync::atomic::AtomicPtr::new(absent::$name as *mut core::ffi::c_void), )*
        };

        #[cfg(feature = "dispatch")]
        impl Slots {
            /// The slots in the order of the list.
            fn each(&self) -> &[core::sync::atomic::AtomicPtr<core::ffi::c_void>; $Table::NAMES.len()] {
                // SAFETY: these are the fields, which are all of one type, so nothing is between them. `none` has no
                // size, and gives the structure the alignment of a slot.
                unsafe { &*core::ptr::from_ref(self).cast() }
            }
        }

        $( function! { raw_call; $(# $attribute)+ fn $name $parameters -> $ret; } )*
    };
}

/// The release of a mark, if there is one.
macro_rules! since {
    ($(#[doc = $doc:expr])+ #[changed($release:literal)]) => {
        Some(const { crate::release::Release::new(stringify!($release)) })
    };
    ($($other:tt)+) => {
        None
    };
}

/// A function that the program was linked with. The newer ones are looked up: a program that named
/// them could not be linked with a CANN that lacks them.
#[cfg(feature = "linked")]
macro_rules! linked_entry {
    ($(#[doc = $before:expr])* #[newer] $(#[doc = $after:expr])* $name:ident: $type:ty) => {
        linked_entry!(found crate::link::find(crate::functions::c_name(concat!(stringify!($name), "\0"))), $name: $type)
    };
    ($(#[doc = $doc:expr])* #[changed($release:literal)] $name:ident: $type:ty) => {
        linked_entry!(
            found Some(const { crate::release::Release::new(stringify!($release)) }).and_then(|since| {
                crate::link::find_since(crate::functions::c_name(concat!(stringify!($name), "\0")), since)
            }),
            $name: $type
        )
    };
    ($(#[doc = $doc:expr])+ $name:ident: $type:ty) => {
        linked::$name
    };
    (found $found:expr, $name:ident: $type:ty) => {
        match $found {
            // SAFETY: the headers of this release declare a function of this signature under this name.
            Some(address) => unsafe {
                core::mem::transmute::<*mut core::ffi::c_void, $type>(address.as_ptr())
            },
            None => absent::$name,
        }
    };
}

/// A call of a function that the program was linked with: a direct one, unless its signature depends on the release.
#[cfg(all(feature = "linked", not(feature = "dispatch")))]
macro_rules! linked_call {
    ([changed $release:literal] $name:ident: $type:ty, $($arg:ident),*) => {{
        let function: $type = linked_entry!(#[changed($release)] $name: $type);
        // SAFETY: the caller's contract is that of the C function.
        unsafe { function($($arg),*) }
    }};
    ([$($newer:ident)?] $name:ident: $type:ty, $($arg:ident),*) => {
        // SAFETY: the caller's contract is that of the C function.
        unsafe { linked::$name($($arg),*) }
    };
}

/// A list's name as a C string. The caller passes a literal that ends in its only NUL.
const fn c_name(name: &'static str) -> &'static core::ffi::CStr {
    match core::ffi::CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

/// Puts what `resolve` finds into the entries of a table, but no function of another signature.
///
/// # Safety
///
/// As for `resolve` of each table.
unsafe fn fill(
    entries: &mut [*mut core::ffi::c_void],
    names: &[&'static core::ffi::CStr],
    since: &[Option<Release>],
    resolve: &mut dyn FnMut(
        &'static core::ffi::CStr,
    ) -> Option<core::ptr::NonNull<core::ffi::c_void>>,
) {
    let mut installed = None;
    if since.iter().any(Option::is_some) {
        // SAFETY: the caller's contract: an address is that of the function of this name.
        installed = unsafe { Release::installed(resolve) };
    }
    for ((entry, name), since) in entries.iter_mut().zip(names).zip(since) {
        // An unknown release (`None`) is older than any.
        if (since.is_none() || installed >= *since)
            && let Some(found) = resolve(name)
        {
            *entry = found.as_ptr();
        }
    }
}

/// Replaces the entries of a table whose names are chosen. Written once, so that it is compiled once and not for each
/// area.
fn choose(
    entries: &mut [*mut core::ffi::c_void],
    others: &[*mut core::ffi::c_void],
    names: &[&'static str],
    is_chosen: &dyn Fn(&str) -> bool,
) {
    for ((entry, other), name) in entries.iter_mut().zip(others).zip(names) {
        if is_chosen(name) {
            *entry = *other;
        }
    }
}

/// The names whose entries are the stubs. Collected, so that it is compiled once and not for each area.
fn missing(
    names: &[&'static str],
    entries: &[*mut core::ffi::c_void],
    stubs: &[*mut core::ffi::c_void],
) -> std::vec::IntoIter<&'static str> {
    let pairs = entries.iter().zip(stubs);
    let named = names.iter().zip(pairs);
    let missing: Vec<_> = named
        .filter(|(_, (entry, stub))| entry == stub)
        .map(|(name, _)| *name)
        .collect();
    missing.into_iter()
}

/// The entry of this name, unless it is the stub. Written once, so that it is compiled once and not for each area.
fn find(
    name: &core::ffi::CStr,
    names: &[&'static core::ffi::CStr],
    entries: &[*mut core::ffi::c_void],
    stubs: &[*mut core::ffi::c_void],
) -> Option<core::ptr::NonNull<core::ffi::c_void>> {
    let index = names.iter().position(|known| *known == name)?;
    let entry = *entries.get(index)?;
    if stubs.get(index) == Some(&entry) {
        return None;
    }
    core::ptr::NonNull::new(entry)
}

pub mod callback;
pub mod collective;
pub mod context;
pub mod device;
pub mod event;
pub mod graph;
pub mod log;
pub mod media;
pub mod memory;
pub mod model;
pub mod op;
mod operators;
pub mod profiling;
pub mod runtime;
pub mod stream;
