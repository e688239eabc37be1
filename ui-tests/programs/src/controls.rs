//! Negative controls: a rule of the API is removed in a copy, and the programs have to find the hole.
//!
//! A control replaces text of `src/`. If the text is not there exactly once, the control does not fit the source any
//! more, and the command fails.

use std::path::Path;
use std::time::Instant;
use std::{fs, io};

use crate::compile::Workshop;
use crate::judge::{Judgement, Outcome, judge_all};
use crate::model::judge;
use crate::options::{Options, SEED, programs};
use crate::print::print;
use crate::program::{Program, Reach};

/// An edit of a file: the text that goes, and the text that comes.
type Edit = (&'static str, &'static str, &'static str);

struct Control {
    /// The rule that is removed.
    name: &'static str,
    edits: &'static [Edit],
    /// The compiler accepts the same programs as before, and the checker finds the hole.
    is_found_by_running: bool,
    /// Programs that use less cannot find it.
    needs: Reach,
    /// Programs without a step of this kind cannot find it.
    kind: Option<&'static str>,
}

const CONTROLS: &[Control] = &[
    Control {
        name: "memory borrows its device",
        edits: &[(
            "src/memory/alloc.rs",
            "    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'dev, D, [T], Uninit>> {
        self.malloc_with_policy(len, MallocPolicy::HugeFirst)",
            "    pub fn malloc<T: Plain>(self, len: usize) -> Result<DeviceBuf<'static, D, [T], Uninit>> {
        malloc_device(len, MallocPolicy::HugeFirst, |first| NonNull::slice_from_raw_parts(first, len))",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a proof borrows its stream",
        edits: &[(
            "src/stream/mod.rs",
            "pub fn synchronize(&mut self) -> Result<Idle<'_, (D, S)>> {",
            "pub fn synchronize(&mut self) -> Result<Idle<'static, (D, S)>> {",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a proof is of the stream of the memory",
        edits: &[(
            "src/queue/mod.rs",
            "    pub fn take<'dev, P: Queue + SameQueue<Q>, R: Resource<P::Device>, H: History>(",
            "    pub fn take<'dev, P: Queue<Device = Q::Device>, R: Resource<P::Device>, H: History>(",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "moved memory names the streams that have to prove it",
        edits: &[
            (
                "src/queue/moved.rs",
                "type Vouched<'dev, D: AnyDevice, R> = <D::Mode as FailureMode>::Fenced<'dev, (D, S), R, H>;",
                "type Vouched<'dev, D: AnyDevice, R> = R;",
            ),
            (
                "src/queue/moved.rs",
                "<Q::Device as AnyDevice>::Mode::fenced(Unverified::new(unverified.into_resource()))",
                "unverified.into_resource()",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "the source of queued work is queued on its stream",
        edits: &[(
            "src/queue/operand.rs",
            "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where",
            "impl<'dev, Q: Queue, P: Queue<Device = Q::Device>, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, P, Buf<'dev, M, E, Init>, H>
where",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a stream stays on its thread",
        edits: &[
            (
                "src/stream/mod.rs",
                "impl<D: AnyDevice, S: StreamTag> Drop for Stream<'_, '_, D, S> {",
                "unsafe impl<D: AnyDevice, S: StreamTag> Send for Stream<'_, '_, D, S> {}
impl<D: AnyDevice, S: StreamTag> Drop for Stream<'_, '_, D, S> {",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(Stream<'static, 'static, D, Main>: Send, Sync, Clone);",
                "",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(DefaultStream<'static, 'static, D>: Send, Sync, Clone);",
                "",
            ),
            (
                "src/auto_traits.rs",
                "assert_not_impl_any!(Stream<'static, 'static, D, StreamBrand<'static>>: Send, Sync, Clone);",
                "",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a plan borrows its operands",
        edits: &[(
            "src/op/tensor.rs",
            "pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'_, M::Device, E::Element>>",
            "pub fn tensor(&self, shape: &[usize]) -> Result<Tensor<'static, M::Device, E::Element>>",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "no copy leads from host to host",
        edits: &[(
            "src/memory/copy.rs",
            "directions! {
",
            "directions! {
    [] Host => Host, ACL_MEMCPY_HOST_TO_HOST;
",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "streams wait only for events that order",
        edits: &[(
            "src/event.rs",
            "impl<D: AnyDevice, S: StreamTag, C: CanOrder> WaitPoint<D> for Recorded<'_, (D, S), C> {",
            "impl<D: AnyDevice, S: StreamTag, C: Capability> WaitPoint<D> for Recorded<'_, (D, S), C> {",
        )],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a binding borrows the token of its thread",
        edits: &[
            (
                "src/context/mod.rs",
                "        device: &'dev Device<'_, D>,
    ) -> Result<Current<'t, 'dev, D>> {",
                "        device: &'dev Device<'_, D>,
    ) -> Result<Current<'static, 'dev, D>> {",
            ),
            (
                "src/context/mod.rs",
                "        core: &'dev Arc<Core>,
    ) -> Result<Current<'t, 'dev, D>> {",
                "        core: &'dev Arc<Core>,
    ) -> Result<Current<'static, 'dev, D>> {",
            ),
            (
                "src/context/mod.rs",
                "pub fn set_current<'t, 'dev, D: AnyDevice>(
        &'t mut self,",
                "pub fn set_current<'dev, D: AnyDevice>(
        &mut self,",
            ),
            (
                "src/context/mod.rs",
                "fn bind<'t, 'dev, D: AnyDevice>(
        &'t mut self,",
                "fn bind<'dev, D: AnyDevice>(
        &mut self,",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "fresh memory is no source",
        edits: &[
            (
                "src/queue/operand.rs",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, Init>, H>
where",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, I, H> Source<Q>
    for &Queued<'_, Q, Buf<'dev, M, E, I>, H>
where",
            ),
            (
                "src/queue/operand.rs",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, Init>, H> where",
                "impl<'dev, Q: Queue, M, E: Elements + ?Sized, I, H> Sealed for &Queued<'_, Q, Buf<'dev, M, E, I>, H> where",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "the drop of a communicator uses its device",
        edits: &[(
            "src/collective/comm.rs",
            "    _device: DropUses<'dev>,",
            "    _device: DropUses<'static>,",
        )],
        is_found_by_running: false,
        needs: Reach::Comms,
        kind: None,
    },
    Control {
        name: "ranks exchange device memory",
        edits: &[
            (
                "src/collective/operand.rs",
                "pub trait CommPlace: OnBoard {}",
                "pub trait CommPlace {}",
            ),
            (
                "src/collective/operand.rs",
                "impl<D: AnyDevice> CommPlace for Dev<D> {}",
                "impl<D: AnyDevice> CommPlace for Dev<D> {}
impl CommPlace for crate::memory::Host {}",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Comms,
        kind: None,
    },
    Control {
        name: "a batch borrows the memory of its messages",
        edits: &[
            (
                "src/collective/pair.rs",
                "        A: Source<Q, Place: CommPlace, Elements: Elements<Element: CommElement>> + 'b,",
                "        A: Source<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>,",
            ),
            (
                "src/collective/pair.rs",
                "            + Destination<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>
            + 'b,",
                "            + Destination<Q, Place: CommPlace, Elements: Elements<Element: CommElement>>,",
            ),
        ],
        is_found_by_running: false,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "the checker compares the operations of ranks",
        edits: &[
            (
                "emulator/src/collective/movement.rs",
                "        if other.terms() != first.terms() {",
                "        if false && other.terms() != first.terms() {",
            ),
            (
                "emulator/src/collective/movement.rs",
                "    lengths(call, parts, reduction.is_some())?;",
                "    if false { lengths(call, parts, reduction.is_some())?; }",
            ),
        ],
        is_found_by_running: true,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "a list of all_gather_v is as long as the memory that is received into",
        edits: &[(
            "src/collective/varied.rs",
            "        counted(CALL, \"send\", sent, own)?;
        counted(CALL, \"recv\", received, counts.total())?;",
            "        counted(CALL, \"send\", sent, own)?;",
        )],
        is_found_by_running: true,
        needs: Reach::Comms,
        kind: Some("AllGatherV"),
    },
    Control {
        name: "a list of reduce_scatter_v is as long as the memory that is sent",
        edits: &[(
            "src/collective/varied.rs",
            "        counted(CALL, \"recv\", received, own)?;
        counted(CALL, \"send\", sent, counts.total())?;",
            "        counted(CALL, \"recv\", received, own)?;",
        )],
        is_found_by_running: true,
        needs: Reach::Comms,
        kind: Some("ReduceScatterV"),
    },
    Control {
        name: "the lists of all_to_all_v are as long as their memory",
        edits: &[
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"send\", A::Elements::count(from), to_each.total())?;
",
                "",
            ),
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"recv\", B::Elements::count(to), from_each.total())?;
",
                "",
            ),
        ],
        is_found_by_running: true,
        needs: Reach::Comms,
        kind: Some("AllToAllV"),
    },
    Control {
        name: "the matrix of all_to_all_vc is as long as the memory",
        edits: &[
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"send\", A::Elements::count(from), sent)?;
",
                "",
            ),
            (
                "src/collective/varied.rs",
                "        counted(CALL, \"recv\", B::Elements::count(to), received)?;
",
                "",
            ),
        ],
        is_found_by_running: true,
        needs: Reach::Comms,
        kind: Some("AllToAllVC"),
    },
    Control {
        name: "the checker compares the lists of ranks",
        edits: &[(
            "emulator/src/collective/movement.rs",
            "    lengths(call, parts, reduction.is_some())?;",
            "    if false { lengths(call, parts, reduction.is_some())?; }",
        )],
        is_found_by_running: true,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "the checker compares the operations of processes",
        edits: &[
            (
                "emulator/src/collective/movement.rs",
                "        if other.terms() != first.terms() {",
                "        if matches!((first, other), (Seen::Here(_), Seen::Here(_))) && other.terms() != first.terms() {",
            ),
            (
                "emulator/src/collective/movement.rs",
                "    lengths(call, parts, reduction.is_some())?;",
                "    if parts.iter().all(|part| matches!(part, Seen::Here(_))) { lengths(call, parts, reduction.is_some())?; }",
            ),
        ],
        is_found_by_running: true,
        needs: Reach::Ranks,
        kind: None,
    },
    Control {
        name: "dropped queued memory waits for its stream",
        edits: &[(
            "src/queue/mod.rs",
            "            unsafe { resource.park(&parking, &[user]) };
        }
        // SAFETY: dropped once",
            "            drop((resource, parking, user));
        }
        // SAFETY: dropped once",
        )],
        is_found_by_running: true,
        needs: Reach::Alone,
        kind: None,
    },
    Control {
        name: "a stream that takes memory over waits for the event",
        edits: &[(
            "src/event.rs",
            "        self.wait_without_limit(fence.event.raw())?;
        // INVARIANT",
            "        // INVARIANT",
        )],
        is_found_by_running: true,
        needs: Reach::Alone,
        kind: None,
    },
];

/// What a copy needs to be compiled.
const COPIED: &[&str] = &[
    "src",
    "sys",
    "emulator",
    "tests/it/main.rs",
    "Cargo.toml",
    "build.rs",
];

/// Tries the controls whose names have `word`, with the programs of the seed.
pub(crate) fn run(options: &Options, word: &str, say: &dyn Fn(&str)) -> Result<(), String> {
    let all = CONTROLS
        .iter()
        .filter(|control| control.name.contains(word));
    let all: Vec<&Control> = all.collect();
    if all.is_empty() {
        return Err(format!("no control has {word:?} in its name"));
    }
    let copy = options.target.join("control");
    for name in COPIED {
        copy_all(&options.workspace.join(name), &copy.join(name))
            .map_err(|error| format!("cannot copy {name}: {error}"))?;
    }
    own_workspace(&copy.join("Cargo.toml"))?;
    let workshop = Workshop {
        source: copy.clone(),
        workspace: options.workspace.clone(),
        folder: options.target.join("control-package"),
        target: options.target.join("control-built"),
    };
    let made = programs(options.seed, 0..options.count);
    let mut missed = Vec::new();
    for control in &all {
        let start = Instant::now();
        let before = apply(&copy, control)?;
        let holes = holes(&workshop, &made, control);
        for (file, text) in before {
            fs::write(copy.join(file), text)
                .map_err(|error| format!("cannot restore {file}: {error}"))?;
        }
        let holes = holes.map_err(|error| format!("without \"{}\": {error}", control.name))?;
        let found = if holes == 0 { "MISSED" } else { "found" };
        say(&format!(
            "{found:>6}  {holes:>3} holes, {:>3} s  {}\n",
            start.elapsed().as_secs(),
            control.name
        ));
        if holes == 0 {
            missed.push(control.name);
        }
    }
    say(&format!(
        "{} of {} controls were found\n",
        all.len() - missed.len(),
        all.len()
    ));
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} programs find no hole where the API does not ask that {}",
        options.count,
        missed.join(", or that ")
    ))
}

/// The number of programs that are illegal and accepted, or that have a finding.
fn holes(workshop: &Workshop, made: &[Program], control: &Control) -> Result<usize, String> {
    let able = made.iter().filter(|program| {
        let has_kind = control.kind.is_none_or(|kind| program.has_kind(kind));
        program.reach() >= control.needs && has_kind
    });
    if control.is_found_by_running {
        let able: Vec<Program> = able.cloned().collect();
        let judgements = judge_all(workshop, &able, SEED)?;
        let outcomes = judgements.iter().map(Judgement::outcome);
        return Ok(outcomes.filter(|outcome| *outcome == Outcome::Hole).count());
    }
    // Legal programs say nothing about what is accepted too much.
    let is_refused = |program: &&Program| {
        let broken = judge(program).broken;
        broken.is_some_and(|rule| !rule.is_found_at_run_time())
    };
    let illegal: Vec<String> = able.filter(is_refused).map(print).collect();
    let numbers: Vec<usize> = (0..illegal.len()).collect();
    let refused = workshop.check(&illegal, &numbers)?;
    Ok(illegal.len() - refused.len())
}

/// Applies the edits of a control, and returns the files as they were.
fn apply(copy: &Path, control: &Control) -> Result<Vec<(&'static str, String)>, String> {
    let mut before: Vec<(&'static str, String)> = Vec::new();
    for (file, old, new) in control.edits {
        let path = copy.join(file);
        let text =
            fs::read_to_string(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
        if text.matches(old).count() != 1 {
            return Err(format!(
                "the control \"{}\" does not fit {file} any more: this text is not there once:\n{old}",
                control.name
            ));
        }
        fs::write(&path, text.replace(old, new))
            .map_err(|error| format!("cannot write {file}: {error}"))?;
        if before.iter().all(|(known, _)| known != file) {
            before.push((file, text));
        }
    }
    Ok(before)
}

/// The copy has fewer packages than the workspace.
fn own_workspace(manifest: &Path) -> Result<(), String> {
    let failed = |error: io::Error| format!("cannot change {}: {error}", manifest.display());
    let text = fs::read_to_string(manifest).map_err(failed)?;
    let lines = text.lines().map(|line| {
        if line.starts_with("members = [") {
            "members = [\"sys\", \"emulator\"]"
        } else {
            line
        }
    });
    // The copy has no examples.
    let mut in_example = false;
    let text: Vec<&str> = lines
        .filter(|line| {
            if line.starts_with('[') {
                in_example = *line == "[[example]]";
            }
            !in_example && !line.starts_with("exclude = [")
        })
        .collect();
    fs::write(manifest, text.join("\n")).map_err(failed)
}

/// Copies a file or a folder. Files that are the same keep their time, so that they are not compiled again.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_all(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    let bytes = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(to, bytes)
}

#[cfg(test)]
mod tests {
    use super::CONTROLS;

    #[test]
    fn each_control_fits_the_source() {
        for control in CONTROLS {
            for (file, old, new) in control.edits {
                let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned() + "/" + file;
                let text = std::fs::read_to_string(path).unwrap_or_default();
                assert_eq!(text.matches(old).count(), 1, "{file}: {old}");
                assert_ne!(old, new, "{}", control.name);
            }
        }
    }
}
