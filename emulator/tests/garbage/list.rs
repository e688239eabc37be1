//! The functions of C with the kinds of their arguments, made from the lists of `ascendcl-sys`.

use std::any::type_name;
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Mutex;

/// A function of C.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) arguments: Vec<Argument>,
    /// What the function returns.
    pub(crate) returns: Argument,
    /// Calls the function. There is one word for each argument ([`from_word`]).
    pub(crate) call: fn(&[u64]) -> u64,
}

/// An argument, as the list declares it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    /// The type in the words of the list.
    pub(crate) ty: &'static str,
    pub(crate) shape: Shape,
}

/// What the type of an argument is in Rust.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// A number, an enumeration or a structure of so many bytes.
    Value(usize),
    /// A pointer to values of so many bytes; opaque types have none.
    Pointer(usize, &'static str),
    /// A function of the program; here is one that does nothing.
    Hook(usize),
}

/// The type of an argument.
pub(crate) struct Type<T>(pub(crate) PhantomData<T>);

/// Any type that is neither a pointer nor a function. A method of the type itself wins against this one.
pub(crate) trait AnyShape {
    fn shape(&self) -> Shape;
}

impl<T> AnyShape for Type<T> {
    fn shape(&self) -> Shape {
        Shape::Value(size_of::<T>())
    }
}

impl<T> Type<*mut T> {
    pub(crate) fn shape(&self) -> Shape {
        Shape::Pointer(size_of::<T>(), type_name::<T>())
    }
}

impl<T> Type<*const T> {
    pub(crate) fn shape(&self) -> Shape {
        Shape::Pointer(size_of::<T>(), type_name::<T>())
    }
}

/// Gives the shape of functions with these parameters, and a function that returns zero.
macro_rules! hooks {
    ($($hook:ident($($parameter:ident),*);)*) => { $(
        #[allow(non_snake_case, reason = "the names of types")]
        unsafe extern "C" fn $hook<$($parameter,)* R>($(_: $parameter),*) -> R {
            // SAFETY: the functions of C return nothing, a number or a pointer, and zero is one.
            unsafe { MaybeUninit::zeroed().assume_init() }
        }

        impl<$($parameter,)* R> Type<Option<unsafe extern "C" fn($($parameter),*) -> R>> {
            pub(crate) fn shape(&self) -> Shape {
                let hook: unsafe extern "C" fn($($parameter),*) -> R = $hook::<$($parameter,)* R>;
                Shape::Hook(hook as usize)
            }
        }
    )* };
}

hooks! {
    one(A);
    two(A, B);
    three(A, B, C);
    four(A, B, C, D);
}

/// Makes an argument from its word: the value itself, or the address of a value of more than eight bytes.
///
/// # Safety
///
/// - The word is a value of `T`, or the address of one.
pub(crate) unsafe fn from_word<T>(word: u64) -> T {
    if size_of::<T>() > size_of::<u64>() {
        let place: *const T = ptr::with_exposed_provenance(word as usize);
        // SAFETY: the caller's contract.
        return unsafe { place.read_unaligned() };
    }
    // SAFETY: the caller's contract; on this machine the value begins where the word begins.
    unsafe { ptr::from_ref(&word).cast::<T>().read_unaligned() }
}

/// Makes a word from a result of at most eight bytes.
pub(crate) fn to_word<T>(value: T) -> u64 {
    assert!(size_of::<T>() <= size_of::<u64>());
    let mut word = 0_u64;
    // SAFETY: the value is not longer than the word.
    unsafe { ptr::from_mut(&mut word).cast::<T>().write_unaligned(value) };
    word
}

/// The texts of types so far. Each lives as long as the process.
static TEXTS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

/// Returns the text of a type as the list has it; `stringify!` writes `* mut` for `*mut`.
pub(crate) fn text(written: &str) -> &'static str {
    let text = written.replace("* ", "*");
    let mut texts = TEXTS.lock().unwrap();
    if let Some(known) = texts.get(text.as_str()) {
        return known;
    }
    let text = text.leak();
    texts.insert(text);
    text
}

/// Describes a type of the list.
macro_rules! argument {
    ($name:expr, $text:expr, $ty:ty) => {{
        #[allow(unused_imports, reason = "a pointer has a method of its own")]
        use $crate::list::AnyShape;
        $crate::list::Argument {
            name: $name,
            ty: $crate::list::text($text),
            shape: $crate::list::Type::<$ty>(std::marker::PhantomData).shape(),
        }
    }};
}

/// Describes a function.
macro_rules! description {
    ($(#[$doc:meta])* [$($mark:tt)*] fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty;) => {
        pub(super) fn $name() -> $crate::list::Function {
            $crate::list::Function {
                name: stringify!($name),
                arguments: vec![$( argument!(stringify!($arg), stringify!($ty), $ty) ),*],
                returns: argument!("", stringify!($ret), $ret),
                call: |words| {
                    #[allow(unused_variables, unused_mut, reason = "a function may have no argument")]
                    let mut words = words.iter().copied();
                    $(
                        // SAFETY: `draw.rs` draws a word of this type.
                        let $arg = unsafe { $crate::list::from_word::<$ty>(words.next().unwrap()) };
                    )*
                    let function = TABLE.$name;
                    // SAFETY: pointers to results, structures, texts and arrays are valid, and the emulator looks
                    // up all other values.
                    $crate::list::to_word(unsafe { function($($arg),*) })
                },
            }
        }
    };
}

/// Describes the functions of an area.
macro_rules! describe {
    (
        area $area:literal, $Table:ident;
        $( $(# $attribute:tt)+ fn $name:ident $parameters:tt -> $ret:ty; )*
    ) => {
        $( ascendcl_sys::function! { description; $(# $attribute)+ fn $name $parameters -> $ret; } )*

        pub(super) fn functions(found: &mut Vec<$crate::list::Function>) {
            found.extend([$( $name() ),*]);
        }
    };
}

/// Makes a module for each area.
macro_rules! areas {
    ($($area:ident $Table:ident $functions:ident),* $(,)?) => {
        $(
            #[allow(non_snake_case, reason = "the names of C are kept")]
            mod $area {
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use ascendcl_sys::{structs::*, types::*};
                #[allow(unused_imports, reason = "an area may need types of any other")]
                use std::ffi::{c_char, c_int, c_void};

                /// The table; the first call decides whether calls are observed.
                static TABLE: std::sync::LazyLock<ascendcl_sys::$Table> =
                    std::sync::LazyLock::new(|| ascendcl_emulator::api().$area);

                ascendcl_sys::$functions!(describe);
            }
        )*

        /// Returns all functions, in the order of the lists.
        pub(crate) fn functions() -> Vec<Function> {
            let mut found = Vec::new();
            $( $area::functions(&mut found); )*
            found
        }
    };
}

ascendcl_sys::for_each_area!(areas);

/// The name of C's `void`, as [`Shape::Pointer`] has it.
pub(crate) fn void() -> &'static str {
    type_name::<c_void>()
}
