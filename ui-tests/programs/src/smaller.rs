//! Programs with fewer steps.

use crate::program::{ACL, Name, Program, Record, Step};

/// The programs without one step and the steps that need it, those without one block around its steps, and those without a
/// part of a recording.
pub(crate) fn candidates(program: &Program) -> Vec<Program> {
    let mut found: Vec<Program> = Vec::new();
    for at in program.blocks() {
        let mut copy = program.clone();
        let len = copy.block(&at).map_or(0, |block| block.len());
        for index in 0..len {
            let mut without = program.clone();
            if let Some(block) = without.block(&at) {
                block.remove(index);
                remove_dangling(&mut without);
                found.push(without);
            }
            let mut unwrapped = program.clone();
            if let Some(block) = unwrapped.block(&at) {
                let step = block.remove(index);
                if step.op.is_block() && step.to.is_empty() {
                    block.splice(index..index, step.body);
                    found.push(unwrapped);
                }
            }
            // All behind the step.
            let mut cut = program.clone();
            if let Some(block) = cut.block(&at) {
                block.truncate(index + 1);
                remove_dangling(&mut cut);
                found.push(cut);
            }
        }
    }
    for at in program.blocks() {
        let mut copy = program.clone();
        let len = copy.block(&at).map_or(0, |block| block.len());
        for index in 0..len {
            for place in 0..4 {
                let mut without = program.clone();
                let step = without.block(&at).and_then(|block| block.get_mut(index));
                let records = step.and_then(|step| step.op.records_mut());
                if let Some(record) = records.and_then(|records| records.get_mut(place)) {
                    *record = Record::Nothing;
                    found.push(without);
                }
            }
        }
    }
    found.retain(|candidate| candidate.size() < program.size() && candidate.is_resolved());
    found.dedup();
    found
}

/// Removes steps whose operands are not given any more.
fn remove_dangling(program: &mut Program) {
    fn visit(steps: &mut Vec<Step>, visible: &mut Vec<Name>) {
        let outside = visible.len();
        steps.retain_mut(|step| {
            if !step.of.iter().all(|name| visible.contains(name)) {
                return false;
            }
            let before = visible.len();
            visible.extend(&step.to);
            if step.op.is_block() {
                visit(&mut step.body, visible);
                visible.truncate(before);
            }
            true
        });
        visible.truncate(outside);
    }
    visit(&mut program.steps, &mut vec![ACL]);
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use crate::program::{Name, Op, Program, Sort, Step};

    #[test]
    fn a_step_goes_with_those_that_need_it() {
        let step = |op, of: &[Name], to: &[Name]| Step::new(op, of, to);
        let memory = Name {
            sort: Sort::Memory,
            number: 1,
        };
        let mut block = step(Op::Closure, &[], &[]);
        block.body = vec![step(Op::Read, &[memory], &[])];
        let steps = vec![step(Op::Vec, &[], &[memory]), block];
        let all = candidates(&Program { steps });
        let kinds = |program: &Program| {
            let op = |step: &Step| (step.op, step.body.len());
            program.steps.iter().map(op).collect::<Vec<_>>()
        };
        let all: Vec<_> = all.iter().map(kinds).collect();
        assert!(all.contains(&vec![(Op::Closure, 0)]), "{all:?}");
        assert!(all.contains(&vec![(Op::Vec, 0)]), "{all:?}");
        assert!(all.contains(&vec![(Op::Vec, 0), (Op::Read, 0)]), "{all:?}");
    }
}
