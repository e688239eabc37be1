//! Rules of shapes beyond those of [`shape`](crate::op::shape): an operator of a table names the one that it follows.

use crate::error::{Result, Usage};
use crate::op::shape::Dims;

impl Dims {
    /// Checks that the operands of `operator` broadcast to exactly this shape.
    pub(super) fn check_broadcast_of(
        &self,
        operator: &'static str,
        operands: &[&Dims],
    ) -> Result<()> {
        let rank = operands.iter().map(|operand| operand.rank).max();
        let at = |dims: &Dims, from_last: usize| {
            let sizes = dims.sizes();
            sizes.iter().rev().nth(from_last).copied().unwrap_or(1)
        };
        let fits = |from_last: usize| {
            let mut sizes = operands
                .iter()
                .map(|operand| at(operand, from_last))
                .filter(|size| *size != 1);
            let size = sizes.next().unwrap_or(1);
            sizes.all(|other| other == size) && at(self, from_last) == size
        };
        if rank == Some(self.rank) && (0..self.rank).all(fits) {
            return Ok(());
        }
        let wrong = Usage::BroadcastOf {
            operator,
            operands: operands.iter().map(|operand| operand.to_vec()).collect(),
            output: self.to_vec(),
        };
        Err(wrong.into())
    }
}
