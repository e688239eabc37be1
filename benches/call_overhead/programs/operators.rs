//! Operators in a row on one stream, one wait at the end.

use std::mem::{forget, replace};

use ascendcl::sys::{self, aclrtStream};
use ascendcl::{Current, Result, Stream, op};

use super::{BYTES, Compute, LEN};
use crate::D;
use crate::raw::{self, Prepared, Status};

const OPERATORS: usize = 16;

pub(super) fn typed<'d>(
    (current, stream): (Current<'_, 'd, D>, &mut Stream<'_, 'd, D, Compute>),
) -> Result<()> {
    let zeros = || current.memset(current.malloc_as::<[f32; LEN]>()?, 0);
    let mut source = stream.adopt(zeros()?);
    let mut target = stream.adopt(zeros()?);
    let mut workspaces = [const { None }; OPERATORS];
    for workspace in &mut workspaces {
        let operand = source.tensor(&[LEN])?;
        let plan = op::mul(current, &operand, &operand, target.tensor_mut(&[LEN])?)?;
        let used = plan.launch(stream)?.workspace;
        // There is nothing to drop yet. The raw program overwrites without a check, too.
        forget(replace(workspace, used));
        (source, target) = (target, source);
    }
    let idle = stream.synchronize()?;
    for workspace in &mut workspaces {
        if let Some(workspace) = workspace.take() {
            idle.take(workspace).free()?;
        }
    }
    idle.take(source).free()?;
    idle.take(target).free()
}

pub(super) fn raw([_, stream, _]: &[aclrtStream; 3]) -> Result<(), Status> {
    let zeros = || {
        let memory = raw::malloc(BYTES)?;
        raw::memset(memory, BYTES, 0, BYTES)?;
        Ok::<_, Status>(memory)
    };
    let mut source = zeros()?;
    let mut target = zeros()?;
    let mut workspaces = [std::ptr::null_mut(); OPERATORS];
    for workspace in &mut workspaces {
        let plan = Prepared::mul([source, source, target], LEN as i64, sys::ACL_FLOAT)?;
        plan.launch(*stream)?;
        plan.forget_operands()?;
        *workspace = plan.workspace;
        (source, target) = (target, source);
    }
    raw::synchronize(*stream)?;
    for workspace in workspaces {
        if !workspace.is_null() {
            raw::free(workspace)?;
        }
    }
    raw::free(source)?;
    raw::free(target)
}
