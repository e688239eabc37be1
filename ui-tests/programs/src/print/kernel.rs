//! Steps with kernels as Rust.

use super::Printer;
use crate::program::{ACL, Kernel, Op, Passed, Step};

impl Printer {
    /// A step with a kernel. `result` is the head of the line for its result.
    pub(super) fn kernel(&self, step: &Step, result: &str) -> String {
        let of = |index: usize| step.of.get(index).copied().unwrap_or(ACL);
        let (a, stream, x) = (of(0), of(1), step.to.first().copied().unwrap_or(ACL));
        match step.op {
            Op::LoadBinary => {
                let bytes = "b\"the registered kernels stand for it\"";
                format!("let mut {x} = {a}.load_binary_from({bytes})?;")
            }
            Op::FindKernel { kernel } => {
                format!("let mut {x} = unsafe {{ {a}.kernel::<{kernel:?}>() }}?;")
            }
            Op::LaunchKernel {
                kernel,
                passed,
                number,
            } => {
                let from = self.shared(of(2));
                let to = match (passed, step.to.is_empty()) {
                    (Passed::Shared, _) => self.shared(of(3)),
                    (_, true) => self.exclusive(of(3)),
                    (_, false) => of(3).to_string(),
                };
                let arguments = match (kernel, passed) {
                    (Kernel::Make, Passed::Declared | Passed::Shared) => {
                        format!("{from}, {to}, ()")
                    }
                    (Kernel::Make, _) => format!("{from},"),
                    (_, Passed::Declared | Passed::Shared) => format!("{from}, {to}, {number}, ()"),
                    (_, Passed::Turned) => format!("{number}, {from}, {to}, ()"),
                    (_, Passed::Fewer) => format!("{from}, {to}"),
                    (_, Passed::Wider) => format!("{from}, {to}, {number}_i64, ()"),
                    (_, Passed::Longer) => format!("{from}, {to}, {number}, 1000_u32"),
                };
                let blocks = 1 + number % 7;
                format!("{result}{stream}.launch({a}, {blocks}, ({arguments}))?;")
            }
            _ => format!("{a}.unload()?;"),
        }
    }
}
