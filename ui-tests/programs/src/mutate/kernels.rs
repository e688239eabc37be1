//! Mistakes with kernels: with binaries, with arguments, with memory.

use super::scenes::Mistake;
use super::{givers, names};
use crate::generate::launch;
use crate::model::Rule;
use crate::program::{Kernel, Name, Op, Passed, Program, Step};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const MISTAKES: [Mistake; 16] = [
    (&[Rule::BinaryGone], launched_behind_end),
    (&[Rule::BinaryGone], launched_behind_end),
    (&[Rule::Unwritten], change_of_fresh),
    (&[Rule::NoContext], ended_elsewhere),
    (&[Rule::ContextGone], kept_behind_reset),
    (&[Rule::DeviceOfStream], of_other_device),
    (&[Rule::Unwritten], change_of_fresh),
    (&[Rule::Unwritten], read_of_fresh),
    (&[Rule::KernelAlias], of_one),
    (&[Rule::KernelAlias], of_one),
    (&[Rule::Race], of_other_stream),
    (&[Rule::KernelHost], of_host),
    (&[Rule::KernelArguments], of_other_form),
    (&[Rule::KernelArguments], of_other_form),
    (&[Rule::Length], of_part),
    (&[Rule::TouchedInUse, Rule::FreedInUse], used_while_launched),
];

/// A launch gets another operand or another form, or its binary ends before it.
pub(super) fn strike(program: &mut Program, random: &mut Random) -> Option<()> {
    let all = names(program);
    let given = givers(&program.steps);
    let mut places = Vec::new();
    for at in program.blocks() {
        let steps = program.block(&at)?.iter().enumerate();
        let launches = steps.filter(|(_, step)| matches!(step.op, Op::LaunchKernel { .. }));
        places.extend(launches.map(|(index, _)| (at.clone(), index)));
    }
    let (at, index) = random.pick(&places)?.clone();
    let block = program.block(&at)?;
    let step = block.get_mut(index)?;
    let other = |operand: usize, step: &mut Step, random: &mut Random| {
        let sort = step.of.get(operand)?.sort;
        let others: Vec<Name> = all
            .iter()
            .copied()
            .filter(|name| name.sort == sort)
            .collect();
        *step.of.get_mut(operand)? = *random.pick(&others)?;
        Some(())
    };
    match random.below(8) {
        0 | 1 => {
            let function = step.of.first()?;
            let of = given.iter().find(|(result, ..)| result == function);
            let binary = *of?.2.first()?;
            let end = *random.pick(&[Op::Unload, Op::Unload, Op::Drop, Op::Forget])?;
            block.insert(index, Step::new(end, &[binary], &[]));
        }
        2 => {
            if let Op::LaunchKernel { passed, .. } = &mut step.op {
                *passed = form(random)?;
            }
        }
        3 => {
            // Both are one memory, perhaps by shared references.
            if let Op::LaunchKernel { passed, .. } = &mut step.op
                && random.chance(50)
            {
                *passed = Passed::Shared;
            }
            *step.of.get_mut(2)? = *step.of.get(3)?;
        }
        4 => other(0, step, random)?,
        5 => other(1, step, random)?,
        6 => other(2, step, random)?,
        _ => other(3, step, random)?,
    }
    Some(())
}

/// Arguments that the kernel does not declare.
fn form(random: &mut Random) -> Option<Passed> {
    let all = [
        Passed::Turned,
        Passed::Fewer,
        Passed::Wider,
        Passed::Longer,
        Passed::Longer,
        Passed::Longer,
    ];
    random.pick(&all).copied()
}

/// A binary of the binding, and one of its kernels.
fn loaded(scene: &mut Scene, binding: Name, kernel: Kernel) -> Option<[Name; 2]> {
    let binary = scene.make(Op::LoadBinary, &[binding])?;
    Some([binary, scene.make(Op::FindKernel { kernel }, &[binary])?])
}

/// Adds a launch that changes memory of a stream of its own. Returns the memory.
fn changed(
    scene: &mut Scene,
    function: Name,
    stream: Name,
    random: &mut Random,
) -> Option<[Name; 2]> {
    let (x, y) = (scene.written_on(stream)?, scene.written_on(stream)?);
    scene.make(launch(Kernel::Change, random), &[function, stream, x, y]);
    Some([x, y])
}

/// A kernel is launched when its binary is unloaded or dropped.
fn launched_behind_end(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [binary, function] = loaded(scene, site.binding, Kernel::Change)?;
    let (x, y) = (
        scene.written_on(site.stream)?,
        scene.written_on(site.stream)?,
    );
    let of = [function, site.stream, x, y];
    if random.chance(50) {
        scene.make(launch(Kernel::Change, random), &of);
    }
    scene.make(*random.pick(&[Op::Unload, Op::Drop])?, &[binary]);
    scene.make(launch(Kernel::Change, random), &of);
    Some(())
}

/// A binary ends on a thread without a context.
fn ended_elsewhere(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [binary, function] = loaded(scene, site.binding, Kernel::Change)?;
    if random.chance(50) {
        changed(scene, function, site.stream, random)?;
    }
    scene.make_on_thread(Op::Unload, &[binary])
}

/// The device of a binary is reset before the binary ends.
fn kept_behind_reset(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    scene.make(Op::LoadBinary, &[site.binding])?;
    scene.make(Op::DestroyStream, &[site.stream]);
    scene.make(Op::Reset, &[site.device?]);
    Some(())
}

/// A kernel of one device is launched on a stream of another one.
fn of_other_device(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [_, function] = loaded(scene, site.binding, Kernel::Change)?;
    let there = scene.other_device(site.thread?)?;
    let stream = scene.other_stream(there)?;
    changed(scene, function, stream, random).map(drop)
}

/// A kernel changes memory that nothing has written, by value or not.
fn change_of_fresh(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [_, function] = loaded(scene, site.binding, Kernel::Change)?;
    let fresh = scene.make(Op::MallocOn, &[site.stream])?;
    let x = scene.written_on(site.stream)?;
    let of = [function, site.stream, x, fresh];
    let op = launch(Kernel::Change, random);
    if random.chance(75) {
        scene.write(op, &of);
    } else {
        scene.make(op, &of);
    }
    Some(())
}

/// A kernel reads memory that nothing has written.
fn read_of_fresh(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let kernel = *random.pick(&[Kernel::Change, Kernel::Make])?;
    let [_, function] = loaded(scene, site.binding, kernel)?;
    let fresh = scene.make(Op::MallocOn, &[site.stream])?;
    let y = scene.written_on(site.stream)?;
    scene.make(launch(kernel, random), &[function, site.stream, fresh, y]);
    Some(())
}

/// The memory that a kernel writes is its input.
fn of_one(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let kernel = *random.pick(&[Kernel::Change, Kernel::Change, Kernel::Change, Kernel::Make])?;
    let [_, function] = loaded(scene, site.binding, kernel)?;
    let both = scene.written_on(site.stream)?;
    let mut op = launch(kernel, random);
    if let Op::LaunchKernel { passed, .. } = &mut op
        && random.chance(85)
    {
        *passed = Passed::Shared;
    }
    scene.make(op, &[function, site.stream, both, both]);
    Some(())
}

/// A kernel uses memory of another stream.
fn of_other_stream(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [_, function] = loaded(scene, site.binding, Kernel::Change)?;
    let other = scene.other_stream(site.binding)?;
    let (x, y) = (scene.written_on(site.stream)?, scene.written_on(other)?);
    let [x, y] = if random.chance(50) { [x, y] } else { [y, x] };
    scene.make(
        launch(Kernel::Change, random),
        &[function, site.stream, x, y],
    );
    Some(())
}

/// A kernel uses memory of the host.
fn of_host(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let kernel = *random.pick(&[Kernel::Change, Kernel::Make])?;
    let [_, function] = loaded(scene, site.binding, kernel)?;
    let host = scene.make(Op::MallocHostOn, &[site.stream])?;
    let y = scene.written_on(site.stream)?;
    let [x, y] = if random.chance(75) {
        [host, y]
    } else {
        [y, host]
    };
    scene.make(launch(kernel, random), &[function, site.stream, x, y]);
    Some(())
}

/// A kernel gets arguments that it does not declare, or those of another kernel.
fn of_other_form(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let is_other = random.chance(25);
    let kernel = if is_other {
        Kernel::Make
    } else {
        Kernel::Change
    };
    let [_, function] = loaded(scene, site.binding, kernel)?;
    let (x, y) = (
        scene.written_on(site.stream)?,
        scene.written_on(site.stream)?,
    );
    let mut op = launch(Kernel::Change, random);
    if let Op::LaunchKernel { passed, .. } = &mut op
        && !is_other
    {
        *passed = form(random)?;
    }
    scene.make(op, &[function, site.stream, x, y]);
    Some(())
}

/// A kernel gets memory of two lengths.
fn of_part(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let kernel = *random.pick(&[Kernel::Change, Kernel::Make])?;
    let [_, function] = loaded(scene, site.binding, kernel)?;
    let (x, y) = (
        scene.written_on(site.stream)?,
        scene.written_on(site.stream)?,
    );
    let [x, y] = if random.chance(60) {
        // The kernel would write behind the end of the part.
        [x, scene.make(Op::Split, &[y])?]
    } else {
        [scene.make(Op::Slice, &[x])?, y]
    };
    scene.make(launch(kernel, random), &[function, site.stream, x, y]);
    Some(())
}

/// Memory is used by the host, or freed, while a kernel has it.
fn used_while_launched(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let [_, function] = loaded(scene, site.binding, Kernel::Change)?;
    let memory = changed(scene, function, site.stream, random)?;
    let memory = *random.pick(&memory)?;
    match random.below(3) {
        0 => drop(scene.make(Op::Free, &[memory])),
        1 => drop(scene.make(Op::Memset, &[site.binding, memory])),
        _ => {
            let host = scene.make(Op::MallocHost, &[site.binding])?;
            scene.make(Op::Memcpy, &[site.binding, host, memory]);
        }
    }
    Some(())
}
