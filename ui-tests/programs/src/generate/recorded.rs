//! What recordings of legal programs do, and graphs of scenes.

use crate::program::{Beside, Name, Op, Part, Record, Records, Shape, With, third};
use crate::random::Random;
use crate::scene::{Scene, Site};

/// What is known of a part: whether it is memory of the host, and whether it is written.
pub(super) type Parts = [(bool, bool)];

pub(super) fn with_side(side: Option<Name>) -> With {
    match side {
        Some(_) => With::Side,
        None => With::Nothing,
    }
}

/// A part that fits.
pub(super) fn part(
    parts: &Parts,
    random: &mut Random,
    fits: impl Fn((bool, bool)) -> bool,
) -> Option<Part> {
    let fitting = (0..).zip(parts).filter(|(_, known)| fits(**known));
    let fitting: Vec<Part> = fitting.map(|(part, _)| part).collect();
    random.pick(&fitting).copied()
}

/// What a recording does with memory of these kinds.
pub(super) fn recorded(parts: &Parts, has_side: bool, random: &mut Random) -> Records {
    let mut records = [Record::Nothing; 4];
    let mut has_group = false;
    for place in &mut records {
        if let Some(record) = record(parts, has_side, random) {
            let is_group = matches!(record, Record::Group(..));
            if !(is_group && has_group) {
                *place = record;
                has_group |= is_group;
            }
        }
    }
    records
}

fn record(parts: &Parts, has_side: bool, random: &mut Random) -> Option<Record> {
    let to = part(parts, random, |(_, writes)| writes)?;
    let from = part(parts, random, |_| true)?;
    let of = |part: Part| {
        parts
            .get(usize::from(part))
            .copied()
            .unwrap_or((true, false))
    };
    let is_host = (of(to).0, of(from).0);
    let goes = is_host != (true, true) && to != from;
    let on_device = is_host == (false, false) && to != from;
    let record = match random.below(14) {
        0 | 1 => Record::Fill(to),
        2..5 if goes => Record::Copy(to, from),
        5 if on_device => Record::Add(to, from),
        6 | 7 if on_device => Record::Group(to, from),
        8 if is_host.0 => Record::Touch(to),
        9 => Record::Count,
        10 if to != from => Record::Temporary(to, from),
        11 | 12 if goes && has_side => {
            let fills = of(third(to, from)).1;
            let beside = match random.below(4) {
                0 => Beside::Nothing,
                1 => Beside::Reads,
                _ if fills => Beside::Fills,
                _ => Beside::Reads,
            };
            Record::Fork(to, from, beside)
        }
        13 if has_side => Record::OtherWaits,
        _ => return None,
    };
    Some(record)
}

/// Memory of the host and of the device for a graph.
pub(crate) fn memory(scene: &mut Scene, binding: Name) -> Option<[Name; 3]> {
    let host = scene.make(Op::MallocHost, &[binding])?;
    let mut on_device = || {
        let fresh = scene.make(Op::Malloc, &[binding])?;
        scene.write(Op::Memset, &[binding, fresh])
    };
    Some([on_device()?, on_device()?, host])
}

/// The kinds of the memory of `memory`.
pub(super) const OF_SCENE: &Parts = &[(false, true), (false, true), (true, true)];

/// A recording that each run sees: from the host to the device, through an operator, and back.
pub(crate) const THROUGH: Records = [
    Record::Copy(0, 2),
    Record::Group(1, 0),
    Record::Copy(2, 1),
    Record::Nothing,
];

/// The capture of a scene.
pub(crate) fn capture(
    scene: &mut Scene,
    site: Site,
    memory: [Name; 3],
    records: Records,
) -> Option<Name> {
    let [a, b, c] = memory;
    let op = Op::Capture {
        shape: Shape::Tuple,
        with: With::Nothing,
        records,
    };
    scene.make(op, &[site.binding, site.stream, a, b, c])
}
