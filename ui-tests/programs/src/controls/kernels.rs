//! The controls of kernels.

use super::list::{Control, Judge};
use crate::program::Reach;

pub(super) const KERNELS: &[Control] = &[
    Control {
        name: "a function of a kernel borrows its binary",
        edits: &[(
            "src/kernel/binary.rs",
            "    pub unsafe fn kernel<K: Kernel>(&self) -> Result<Function<'_, D, K>> {
",
            "    pub unsafe fn kernel<K: Kernel>(&self) -> Result<Function<'static, D, K>> {
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "a binary of kernels stays on its thread",
        edits: &[
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(crate::kernel::Binary<'static, 'static, D>: Send, Sync);
",
                "assert_impl_all!(crate::kernel::Binary<'static, 'static, D>: Send);
",
            ),
            (
                "src/kernel/binary.rs",
                "impl<D: AnyDevice> Drop for Binary<'_, '_, D> {
",
                "// SAFETY: none; this is a control.
unsafe impl<D: AnyDevice> Send for Binary<'_, '_, D> {}
impl<D: AnyDevice> Drop for Binary<'_, '_, D> {
",
            ),
        ],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("Unload"),
    },
    Control {
        name: "what a kernel changes is borrowed exclusively",
        edits: &[(
            "src/kernel/argument.rs",
            "    A: Destination<X, Written = (), Place: KernelPlace, Elements: Elements<Element = T>>,
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
",
            "    A: Source<X, Place: KernelPlace, Elements: Elements<Element = T>>,
{
    type Back<L: List> = L;
    const ELEMENT: usize = size_of::<ElementOf<A::Elements>>();

    fn len(&self) -> usize {
        A::Elements::count(self.source())
    }

    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(A::Elements::count(self.source()))
    }

    fn pack(&self, to: &mut Address, (): &mut (), _: &[usize], at: At) -> Result<()> {
        address(to, self.source(), A::WHOLE, at)
    }
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "a kernel changes no fresh memory",
        edits: &[(
            "src/kernel/argument.rs",
            "    A: Destination<X, Written = (), Place: KernelPlace, Elements: Elements<Element = T>>,
",
            "    A: Destination<X, Place: KernelPlace, Elements: Elements<Element = T>>,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "a kernel reads no memory of the host",
        edits: &[(
            "src/kernel/argument.rs",
            "    A: Source<X, Place: KernelPlace, Elements: Elements<Element = T>>,
",
            "    A: Source<X, Elements: Elements<Element = T>>,
",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "the length that a kernel gets is filled in",
        edits: &[(
            "src/kernel/argument.rs",
            "#[cold]
fn too_long(",
            "impl<X, L: ParameterName, const N: usize> Pass<X, LenOf<L>, N> for u32 {
    type Back<B: List> = B;
    no_elements!();

    fn fact(&self, _: &[usize]) -> Exact {
        Exact::from(*self)
    }

    fn pack(&self, to: &mut Bytes<u32>, (): &mut (), _: &[usize], _: At) -> Result<()> {
        to.0.write(*self);
        Ok(())
    }

    unsafe fn back<B: List>(self, list: B) -> B {
        list
    }
}

#[cold]
fn too_long(",
        )],
        found_by: Judge::Compiler,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "the arguments of a kernel meet its conditions",
        edits: &[(
            "src/kernel/tuple.rs",
            "                        return Err(broken::<K>(condition, launch.blocks, facts));
",
            "                        let _ = broken::<K>(condition, launch.blocks, facts);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
    Control {
        name: "a binary of kernels is unloaded behind a wait",
        edits: &[(
            "src/kernel/binary.rs",
            "        self.current.core().wait_and_release()?;
",
            "",
        )],
        found_by: Judge::Checker,
        needs: Reach::Kernels,
        kind: Some("Unload"),
    },
    Control {
        name: "a dropped binary of kernels is unloaded behind a wait",
        edits: &[(
            "src/kernel/binary.rs",
            "        core.parking().park(&[None], parked);
",
            "        core.parking().park(&[], parked);
",
        )],
        found_by: Judge::Checker,
        needs: Reach::Kernels,
        kind: Some("LaunchKernel"),
    },
];
