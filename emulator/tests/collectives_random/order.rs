//! Random orders.

use super::random::Random;

pub(crate) fn shuffle<T>(random: &mut Random, all: &mut [T]) {
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last + 1));
    }
}

/// Merges lists. Each keeps its order.
pub(crate) fn merge<T>(random: &mut Random, lists: Vec<Vec<T>>) -> Vec<T> {
    let mut left: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut merged = Vec::new();
    loop {
        let open: Vec<usize> = (0..left.len())
            .filter(|list| left[*list].len() > 0)
            .collect();
        if open.is_empty() {
            return merged;
        }
        merged.extend(left[random.pick(&open)].next());
    }
}

/// A random order in which calls of the same class keep theirs.
pub(crate) fn reorder<T: Clone, C: PartialEq>(
    random: &mut Random,
    all: &[T],
    class: impl Fn(&T) -> C,
) -> Vec<T> {
    let mut classes: Vec<(C, Vec<T>)> = Vec::new();
    for one in all {
        let of = class(one);
        match classes.iter_mut().find(|(known, _)| *known == of) {
            Some((_, members)) => members.push(one.clone()),
            None => classes.push((of, vec![one.clone()])),
        }
    }
    let lists = classes.into_iter().map(|(_, members)| members);
    merge(random, lists.collect())
}
