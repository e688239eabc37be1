//! Blocks whose steps run at the same time: where they may be, and what they may use.

use super::{Name, Op, Step};

/// Whether ranks are where ranks can be, and nothing else is there. The model runs them one after the other, so a value
/// outside belongs to one of them, unless all of them only share it.
pub(super) fn has_worlds(steps: &[Step], in_rank: bool) -> bool {
    steps.iter().all(|step| {
        let is_rank = |inner: &Step| inner.op == Op::Rank && has_worlds(&inner.body, true);
        match step.op {
            Op::Rank => false,
            Op::Ranks => !in_rank && step.body.iter().all(is_rank) && are_apart(&step.body),
            _ => has_worlds(&step.body, in_rank),
        }
    })
}

/// Whether no rank uses a value outside that another rank uses too, unless both only share it.
fn are_apart(ranks: &[Step]) -> bool {
    let used: Vec<Vec<(Name, bool)>> = ranks.iter().map(outer_names).collect();
    let mut pairs = used.iter().enumerate();
    pairs.all(|(rank, own)| {
        let others = || used.iter().skip(rank + 1).flatten();
        let is_apart = |(name, shares): &(Name, bool)| {
            let mut same = others().filter(|(other, _)| other == name);
            same.all(|(_, other)| *shares && *other)
        };
        own.iter().all(is_apart)
    })
}

/// The names outside of a block that its steps use, and whether they only share them.
fn outer_names(block: &Step) -> Vec<(Name, bool)> {
    fn walk(steps: &[Step], given: &mut Vec<Name>, used: &mut Vec<(Name, bool)>) {
        for step in steps {
            let of = step.of.iter().enumerate();
            used.extend(of.map(|(index, name)| (*name, step.op.shares(index))));
            given.extend(&step.to);
            walk(&step.body, given, used);
        }
    }
    let (mut given, mut used) = (Vec::new(), Vec::new());
    walk(&block.body, &mut given, &mut used);
    used.retain(|(name, _)| !given.contains(name));
    used
}
