//! Entries that load the libraries of their area when the first of them is called.

/// Loads the libraries of the area, and calls the function that was found.
macro_rules! lazy_entry {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        pub(super) unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
            let offset = const { core::mem::offset_of!(super::Table, $name) };
            let address = super::loaded(&stringify!($name), offset);
            // SAFETY: an entry is always a function of the signature that the list has in its place.
            let function = unsafe {
                core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($ty),*) -> $ret>(address)
            };
            // SAFETY: the contract of the C function, passed through unchanged.
            unsafe { function($($arg),*) }
        }
    };
}

/// Expands the list of an area with libraries of its own to a table of such entries.
macro_rules! define_lazy {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        #[allow(dead_code, reason = "a feature may leave the functions out")]
        type Table = $Table;

        /// Loads the libraries of the area, and returns the entry that lies `offset` bytes behind the first one. Hundreds of
        /// entries call it. With the calling convention of C none of them needs code for a panic.
        #[allow(dead_code, reason = "a feature may leave the functions out")]
        extern "C" fn loaded(name: &&'static str, offset: usize) -> *mut core::ffi::c_void {
            crate::load::load_area($area, name);
            $Table::entry(offset)
        }

        pub(in crate::load) static TABLE: $Table = $Table { $($name: lazy::$name),* };

        #[allow(non_snake_case, reason = "the names of C, which a feature may leave out")]
        mod lazy {
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use crate::{structs::*, types::*};
            #[allow(unused_imports, reason = "an area may need types of any other")]
            use core::ffi::{c_char, c_int, c_void};
            $( crate::functions::function! { lazy_entry; $(# $attribute)+ fn $name $parameters -> $ret; } )*
        }
    };
}

/// Operators.
pub(super) mod op {
    use crate::functions::op::{OpTable, op_functions};

    op_functions!(define_lazy);
}

/// Collective communication.
pub(super) mod collective {
    use crate::functions::collective::{CollectiveTable, collective_functions};

    collective_functions!(define_lazy);
}

/// The profiler.
pub(super) mod profiling {
    use crate::functions::profiling::{ProfilingTable, profiling_functions};

    profiling_functions!(define_lazy);
}

/// The media engine.
pub(super) mod media {
    use crate::functions::media::{MediaTable, media_functions};

    media_functions!(define_lazy);
}
