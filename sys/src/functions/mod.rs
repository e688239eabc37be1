//! The functions of AscendCL, one list per area.
//!
//! Each area file holds one list, written in C's words. The list is a macro, so that everything that
//! must agree with it is made from it: the [table](stream::StreamTable) of function pointers, the
//! `extern "C"` block, the loader, the raw calls, and (in `ascendcl-emulator-capi`) the exported C
//! symbols. A signature that drifts is a type error.
//!
//! A function that is newer than CANN 8.1 is marked `[newer]`.
//!
//! A raw call (`ascendcl_sys::aclrtMalloc(..)`) goes through the installed [`Api`](crate::Api): one
//! load and one indirect call. Before a backend is installed, and for a function that the installed
//! CANN lacks, it returns [`ACL_ERROR_API_NOT_SUPPORT`](crate::ACL_ERROR_API_NOT_SUPPORT) (or null)
//! and [`absent::take`](crate::absent::take) names the function.

/// Expands one area's list to its table, loader, slots and raw calls.
macro_rules! define {
    (
        area $area:literal, $Table:ident;
        $(
            $(#[$doc:meta])*
            $([$newer:ident])? fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;
        )*
    ) => {
        /// The function pointers of this area. Every entry is callable: a function that the
        /// backend lacks is a stub that returns the "not supported" value of its type.
        #[derive(Clone, Copy)]
        pub struct $Table {
            $( $(#[$doc])* pub $name: unsafe extern "C" fn($($ty),*) $(-> $ret)?, )*
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

            /// Fills the table with what `resolve` finds; the rest is absent.
            ///
            /// # Safety
            ///
            /// Each address that `resolve` returns is that of a C function which has the signature
            /// of the list under that name, and stays valid for the rest of the process.
            pub unsafe fn resolve(
                mut resolve: impl FnMut(&'static core::ffi::CStr) -> Option<core::ptr::NonNull<core::ffi::c_void>>,
            ) -> $Table {
                let mut table = Self::ABSENT;
                $(
                    if let Some(address) = resolve(crate::functions::c_name(concat!(stringify!($name), "\0"))) {
                        // SAFETY: the caller's contract: a function of this signature.
                        table.$name = unsafe {
                            core::mem::transmute::<
                                *mut core::ffi::c_void,
                                unsafe extern "C" fn($($ty),*) $(-> $ret)?,
                            >(address.as_ptr())
                        };
                    }
                )*
                table
            }

            /// The names of the functions that this table lacks.
            pub fn missing(&self) -> impl Iterator<Item = &'static str> + use<> {
                let flags = [$(core::ptr::fn_addr_eq(
                    self.$name,
                    absent::$name as unsafe extern "C" fn($($ty),*) $(-> $ret)?,
                )),*];
                Self::NAMES.iter().zip(flags).filter(|(_, missing)| *missing).map(|(name, _)| *name)
            }

            /// The functions that the program was linked with.
            #[cfg(feature = "linked")]
            pub(crate) fn linked() -> $Table {
                $Table { $(
                    $name: linked_entry!([$($newer)?] $name: unsafe extern "C" fn($($ty),*) $(-> $ret)?),
                )* }
            }

            /// Entries that load this area's libraries when the first of them is called.
            #[cfg(feature = "loaded")]
            #[allow(dead_code, reason = "only areas with libraries of their own load lazily")]
            pub(crate) const fn lazy() -> $Table {
                $Table { $($name: lazy::$name),* }
            }

            /// The functions that raw calls go to now.
            ///
            /// An area whose libraries load on first use has other functions later.
            #[must_use]
            pub fn installed() -> $Table {
                #[cfg(feature = "dispatch")]
                {
                    $Table { $($name: {
                        let address = slots::$name.load(core::sync::atomic::Ordering::Acquire);
                        // SAFETY: `install` and the static's initialiser store only pointers that
                        // were functions of exactly this type.
                        unsafe {
                            core::mem::transmute::<
                                *mut core::ffi::c_void,
                                unsafe extern "C" fn($($ty),*) $(-> $ret)?,
                            >(address)
                        }
                    }),* }
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

            /// Makes this the table that the raw calls use.
            #[cfg(feature = "dispatch")]
            pub(crate) fn install(&self) {
                $( slots::$name.store(self.$name as *mut core::ffi::c_void, core::sync::atomic::Ordering::Release); )*
            }
        }

        /// What an entry does when the backend lacks the function.
        #[expect(non_snake_case, reason = "the names of C")]
        mod absent {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_void};
            $(
                pub(super) unsafe extern "C" fn $name($(_: $ty),*) $(-> $ret)? {
                    crate::absent::value(stringify!($name))
                }
            )*
        }

        #[cfg(feature = "loaded")]
        #[allow(dead_code, reason = "only areas with libraries of their own load lazily")]
        #[expect(non_snake_case, reason = "the names of C")]
        mod lazy {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_void};
            $(
                pub(super) unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
                    crate::load::load_area(super::$Table::AREA);
                    // SAFETY: the contract of the C function, passed through unchanged.
                    unsafe { super::$name($($arg),*) }
                }
            )*
        }

        #[cfg(feature = "linked")]
        #[allow(dead_code, reason = "where calls are dispatched, nobody names the newer ones")]
        mod linked {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_void};
            unsafe extern "C" {
                $( pub(super) unsafe fn $name($($arg: $ty),*) $(-> $ret)?; )*
            }
        }

        #[cfg(feature = "dispatch")]
        #[expect(non_upper_case_globals, reason = "the names of C")]
        mod slots {
            use core::ffi::c_void;
            use core::sync::atomic::AtomicPtr;
            $( pub(super) static $name: AtomicPtr<c_void> = AtomicPtr::new(super::absent::$name as *mut c_void); )*
        }

        $(
            $(#[$doc])*
            ///
            /// # Safety
            ///
            /// The contract of the C function: pointers are valid for what it reads and writes, and
            /// handles are alive.
            #[inline]
            #[allow(clippy::too_many_arguments, reason = "C's own argument lists")]
            pub unsafe fn $name($($arg: $ty),*) $(-> $ret)? {
                #[cfg(feature = "dispatch")]
                {
                    // Relaxed: every slot always holds a function of this signature, and whoever
                    // saw the installation (through `Api::install`) sees the installed one.
                    let address = slots::$name.load(core::sync::atomic::Ordering::Relaxed);
                    // SAFETY: `$Table::install` and the static's initialiser store only pointers
                    // that were functions of exactly this type.
                    let function = unsafe {
                        core::mem::transmute::<
                            *mut core::ffi::c_void,
                            unsafe extern "C" fn($($ty),*) $(-> $ret)?,
                        >(address)
                    };
                    // SAFETY: the caller's contract is that of the C function.
                    unsafe { function($($arg),*) }
                }
                #[cfg(all(feature = "linked", not(feature = "dispatch")))]
                {
                    // SAFETY: the caller's contract is that of the C function.
                    unsafe { linked::$name($($arg),*) }
                }
                #[cfg(not(any(feature = "linked", feature = "dispatch")))]
                {
                    // SAFETY: the stub reads none of its arguments.
                    unsafe { absent::$name($($arg),*) }
                }
            }
        )*
    };
}

/// A function that the program was linked with. The newer ones are looked up: a program that named
/// them could not be linked with a CANN that lacks them.
#[cfg(feature = "linked")]
macro_rules! linked_entry {
    ([] $name:ident: $type:ty) => {
        linked::$name
    };
    ([newer] $name:ident: $type:ty) => {
        match crate::link::find(crate::functions::c_name(concat!(stringify!($name), "\0"))) {
            // SAFETY: the header declares a function of this signature under this name.
            Some(address) => unsafe {
                core::mem::transmute::<*mut core::ffi::c_void, $type>(address.as_ptr())
            },
            None => absent::$name,
        }
    };
}

/// A list's name as a C string. The caller passes a literal that ends in its only NUL.
#[cfg_attr(
    not(any(feature = "loaded", feature = "linked")),
    allow(dead_code, reason = "only a loader asks for names")
)]
const fn c_name(name: &'static str) -> &'static core::ffi::CStr {
    match core::ffi::CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

pub mod callback;
pub mod context;
pub mod device;
pub mod event;
pub mod log;
pub mod media;
pub mod memory;
pub mod model;
pub mod op;
pub mod runtime;
pub mod stream;
