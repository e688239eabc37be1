//! What a program passes for the parameters of a kernel.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use bytemuck::NoUninit;

use crate::error::{Error, KernelMismatch, Result, Usage};
use crate::kernel::declare::ParameterName;
use crate::kernel::exact::Exact;
use crate::kernel::list::List;
use crate::kernel::parameter::seal::Slot;
use crate::kernel::parameter::{
    Address, Behind, Bytes, In, InOut, LenOf, Length, Out, Parameters, Placed, Struct,
};
use crate::memory::elements::ElementOf;
use crate::memory::{Destination, Elements, Mapped, OnBoard, Place, Source};

/// The alignment that data copies of AI cores need for addresses, in bytes.
const ALIGNMENT: usize = 32;

/// What a program passes to a kernel with the parameters `P` that is launched on the queue `X`: a tuple with an argument for
/// each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a kernel with the parameters `{P}`",
    label = "one argument for each parameter, in that order",
    note = "the table of `ascendcl::kernel::Parameter` says what goes where"
)]
pub trait Arguments<X, P: Parameters>: Pack<X, P> {}
#[diagnostic::do_not_recommend]
impl<X, P: Parameters, A: Pack<X, P>> Arguments<X, P> for A {}

/// The kernel and the parameter of an argument, for errors.
#[derive(Debug, Clone, Copy)]
pub struct At {
    pub kernel: &'static str,
    pub parameter: &'static str,
}

pub(super) mod pass {
    use ascendcl_sys as sys;

    use super::{At, List, Parameters, Result, Slot};
    use crate::kernel::declare::Kernel;

    /// What a program passes for the parameter `P`, as the argument number `N`.
    #[diagnostic::on_unimplemented(
        message = "argument {N} of this kernel (counted from 0) is for the parameter `{P}`, and `{Self}` does not fit it",
        label = "the kernel is launched on `{X}`",
        note = "buffers are device memory that is queued on the stream of the launch: `&buffer` of initialised memory for `In`, `&mut buffer` for `InOut`, a fresh buffer by value or `&mut buffer` for `Out`; move an idle buffer there with `stream.adopt(buffer)`",
        note = "values have exactly the type of the parameter; `LenOf` takes `()` and is filled in, `Struct<S>` takes an `S`, `Placed<S>` takes `&S`, and an `Option` that is left out `()`",
        note = "the table of `ascendcl::kernel::Parameter` says what goes where"
    )]
    pub trait Pass<X, P: Slot, const N: usize> {
        /// The list `L`, and behind it what comes back.
        type Back<L: List>: List;

        /// The bytes of an element of a buffer.
        const ELEMENT: usize;

        /// The number of elements of a buffer, and 0 for what is none.
        fn len(&self) -> usize;

        /// What the condition of the declaration knows of it. `lens` has the lengths of all arguments.
        fn fact(&self, lens: &[usize]) -> P::Fact;

        /// Writes the bytes of the argument, and those behind all arguments.
        fn pack(
            &self,
            to: &mut P::Packed,
            behind: &mut P::Behind,
            lens: &[usize],
            at: At,
        ) -> Result<()>;

        /// # Safety
        ///
        /// - A kernel that writes each element of its outputs was queued.
        unsafe fn back<L: List>(self, list: L) -> Self::Back<L>;
    }

    /// A launch without its arguments.
    #[derive(Debug)]
    pub struct Launch<'a> {
        pub function: sys::aclrtFuncHandle,
        pub blocks: u32,
        pub stream: sys::aclrtStream,
        pub attributes: &'a mut [sys::aclrtLaunchKernelAttr],
    }

    /// Does the work of [`Arguments`](super::Arguments), and seals it.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` are not the arguments of a kernel with the parameters `{P}`",
        label = "one argument for each parameter, in that order",
        note = "the table of `ascendcl::kernel::Parameter` says what goes where"
    )]
    pub trait Pack<X, P: Parameters> {
        /// What comes back: nothing, a written buffer, or a tuple of them.
        type Written;

        /// Compares the arguments with the conditions of the kernel, packs them, and queues the kernel.
        ///
        /// # Safety
        ///
        /// - The function is that of `K` in a binary that stays loaded until the kernel is over (contract of
        ///   `Binary::kernel`).
        /// - The stream is live, belongs to the current context and to the queue `X`, and the function to its context.
        unsafe fn launch<K: Kernel<Parameters = P>>(
            self,
            launch: Launch<'_>,
        ) -> Result<Self::Written>;
    }
}
use pass::{Pack, Pass};

/// Implements what is said of elements, for an argument that has none.
macro_rules! no_elements {
    () => {
        const ELEMENT: usize = 0;

        #[inline(always)]
        fn len(&self) -> usize {
            0
        }
    };
}

/// Domains of memory that a kernel reaches: those on the device, and host memory that is mapped for it.
pub trait KernelPlace: Place {}
impl<M: OnBoard> KernelPlace for M {}
impl<D> KernelPlace for Mapped<D> {}

/// Packs the address of memory.
#[inline(always)]
fn address<E: ?Sized>(to: &mut Address, memory: NonNull<E>, is_whole: bool, at: At) -> Result<()> {
    // Whole buffers and pieces of a block begin at a multiple of 64 bytes.
    if !is_whole && !memory.addr().get().is_multiple_of(ALIGNMENT) {
        return Err(misaligned(at, memory.addr().get()));
    }
    *to = Address(memory.as_ptr().cast());
    Ok(())
}

#[cold]
fn misaligned(at: At, address: usize) -> Error {
    let At { kernel, parameter } = at;
    Usage::Kernel(KernelMismatch::Part {
        kernel,
        parameter,
        address,
    })
    .into()
}

#[diagnostic::do_not_recommend]
impl<X, T, A, const N: usize> Pass<X, In<T>, N> for A
where
    A: Source<X, Place: KernelPlace, Elements: Elements<Element = T>>,
{
    type Back<L: List> = L;
    const ELEMENT: usize = size_of::<ElementOf<A::Elements>>();

    #[inline(always)]
    fn len(&self) -> usize {
        A::Elements::count(self.source())
    }

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(A::Elements::count(self.source()))
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, (): &mut (), _: &[usize], at: At) -> Result<()> {
        address(to, self.source(), A::WHOLE, at)
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}

#[diagnostic::do_not_recommend]
impl<X, T, A, const N: usize> Pass<X, Out<T>, N> for A
where
    A: Destination<X, Place: KernelPlace, Elements: Elements<Element = T>>,
{
    type Back<L: List> = L::Push<A::Written>;
    const ELEMENT: usize = size_of::<ElementOf<A::Elements>>();

    #[inline(always)]
    fn len(&self) -> usize {
        A::Elements::count(self.destination())
    }

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(A::Elements::count(self.destination()))
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, (): &mut (), _: &[usize], at: At) -> Result<()> {
        address(to, self.destination(), A::WHOLE, at)
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L::Push<A::Written> {
        // SAFETY: the caller's contract.
        list.push(unsafe { self.written() })
    }
}

#[diagnostic::do_not_recommend]
impl<X, T, A, const N: usize> Pass<X, InOut<T>, N> for A
where
    A: Destination<X, Written = (), Place: KernelPlace, Elements: Elements<Element = T>>,
{
    type Back<L: List> = L;
    const ELEMENT: usize = size_of::<ElementOf<A::Elements>>();

    #[inline(always)]
    fn len(&self) -> usize {
        A::Elements::count(self.destination())
    }

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(A::Elements::count(self.destination()))
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, (): &mut (), _: &[usize], at: At) -> Result<()> {
        address(to, self.destination(), A::WHOLE, at)
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}

#[diagnostic::do_not_recommend]
impl<X, T, A: Pass<X, In<T>, N>, const N: usize> Pass<X, Option<In<T>>, N> for Option<A> {
    type Back<L: List> = L;
    const ELEMENT: usize = A::ELEMENT;

    #[inline(always)]
    fn len(&self) -> usize {
        self.as_ref().map_or(0, A::len)
    }

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(self.as_ref().map_or(0, A::len))
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, behind: &mut (), lens: &[usize], at: At) -> Result<()> {
        *to = Address::NULL;
        self.as_ref()
            .map_or(Ok(()), |argument| argument.pack(to, behind, lens, at))
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}

#[diagnostic::do_not_recommend]
impl<X, T, const N: usize> Pass<X, Option<In<T>>, N> for () {
    type Back<L: List> = L;
    no_elements!();

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(0_u32)
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, (): &mut (), _: &[usize], _: At) -> Result<()> {
        *to = Address::NULL;
        Ok(())
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}

/// Lists values that are passed as they are.
macro_rules! values {
    ($($type:ty, $Fact:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<X, const N: usize> Pass<X, $type, N> for $type {
            type Back<L: List> = L;
            no_elements!();

            #[inline(always)]
            fn fact(&self, _: &[usize]) -> $Fact {
                <$Fact>::from(*self)
            }

            #[inline(always)]
            fn pack(&self, to: &mut Bytes<$type>, (): &mut (), _: &[usize], _: At) -> Result<()> {
                to.0.write(*self);
                Ok(())
            }

            #[inline(always)]
            unsafe fn back<L: List>(self, list: L) -> L {
                list
            }
        }
    )* };
}

values! {
    u8, Exact;
    u16, Exact;
    u32, Exact;
    u64, Exact;
    i8, Exact;
    i16, Exact;
    i32, Exact;
    i64, Exact;
    f32, f32;
    f64, f64;
}

#[diagnostic::do_not_recommend]
impl<X, L: ParameterName, T: Length, const N: usize> Pass<X, LenOf<L, T>, N> for () {
    type Back<B: List> = B;
    no_elements!();

    #[inline(always)]
    fn fact(&self, lens: &[usize]) -> Exact {
        Exact::from(lens.get(L::POSITION).copied().unwrap_or_default())
    }

    #[inline(always)]
    fn pack(&self, to: &mut Bytes<T>, (): &mut (), lens: &[usize], at: At) -> Result<()> {
        let len = lens.get(L::POSITION).copied().unwrap_or_default();
        match T::try_from(len) {
            Ok(len) => to.0.write(len),
            Err(_) => return Err(too_long(at, len)),
        };
        Ok(())
    }

    #[inline(always)]
    unsafe fn back<B: List>(self, list: B) -> B {
        list
    }
}

#[cold]
fn too_long(at: At, len: usize) -> Error {
    let At { kernel, parameter } = at;
    Usage::Kernel(KernelMismatch::Length {
        kernel,
        parameter,
        len,
    })
    .into()
}

#[diagnostic::do_not_recommend]
impl<X, S: NoUninit, const N: usize> Pass<X, Struct<S>, N> for S {
    type Back<L: List> = L;
    no_elements!();

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> S {
        *self
    }

    #[inline(always)]
    fn pack(&self, to: &mut Bytes<S>, (): &mut (), _: &[usize], _: At) -> Result<()> {
        to.0 = MaybeUninit::new(*self);
        Ok(())
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}

#[diagnostic::do_not_recommend]
impl<X, S: NoUninit, const N: usize> Pass<X, Placed<S>, N> for &S {
    type Back<L: List> = L;
    no_elements!();

    #[inline(always)]
    fn fact(&self, _: &[usize]) -> S {
        **self
    }

    #[inline(always)]
    fn pack(&self, to: &mut Address, behind: &mut Behind<S>, _: &[usize], _: At) -> Result<()> {
        // C puts the address here.
        *to = Address::NULL;
        behind.0.write(**self);
        Ok(())
    }

    #[inline(always)]
    unsafe fn back<L: List>(self, list: L) -> L {
        list
    }
}
