//! Counters, what processes share, and settings in legal programs: their supplies, and steps that come together.

use super::Generator;
use crate::program::{ACL, Name, Op, Program, Step};
use crate::random::Random;
use crate::scene::{Scene, Site};

impl Generator<'_> {
    /// Exported memory, and an event for other processes.
    pub(super) fn share_supplies(&mut self, binding: &[Name], all: &mut Vec<Step>) {
        let filled = self.filled(binding, all);
        let export = self.make(Op::Export, [binding, filled.as_slice()].concat());
        all.push(export);
        all.push(self.make(Op::CreateShared, binding.to_vec()));
    }
}

/// The wait for a stream that suits the program.
fn wait(program: &Program) -> Op {
    match program.has_kind("Limit") {
        true => Op::SynchronizeWithin,
        false => Op::Synchronize,
    }
}

/// Adds streams that count and wait for a counter, which is perhaps gone before they are done.
pub(super) fn counted(program: &mut Program, random: &mut Random) -> Option<()> {
    let wait = wait(program);
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let other = scene.other_stream(site.binding)?;
    let streams = [site.stream, other];
    let mut counter = scene.make(Op::CreateCounter, &[site.binding])?;
    let (mut count, mut host) = (0, None);
    for _ in 0..4 + random.below(6) {
        let stream = *random.pick(&streams)?;
        match random.below(10) {
            0..4 => {
                host = Some((stream, scene.copied(stream)?));
                scene.make(Op::Count, &[stream, counter]);
                count += 1;
            }
            4..7 if count > 0 => {
                let number = 1 + u8::try_from(random.below(count)).ok()?;
                scene.make(Op::AwaitCount { number }, &[stream, counter]);
                host = Some((stream, scene.copied(stream)?));
            }
            7 => {
                for stream in streams {
                    scene.make(wait, &[stream]);
                }
                scene.make(Op::ResetCounter, &[stream, counter]);
                // The other stream counts behind the reset.
                scene.make(wait, &[stream]);
                count = 0;
            }
            8 if random.chance(50) => {
                scene.make(Op::Drop, &[counter]);
                counter = scene.make(Op::CreateCounter, &[site.binding])?;
                count = 0;
            }
            _ => {}
        }
    }
    if random.chance(60) {
        scene.make(Op::Drop, &[counter]);
    }
    if let Some((stream, host)) = host {
        let proof = scene.make(wait, &[stream])?;
        let taken = scene.make(Op::Take, &[proof, host])?;
        scene.make(Op::Read, &[taken]);
    }
    scene.end(program)
}

/// Adds memory that is exported, used by a stream, and closed or dropped, beside records for other processes and tensors.
pub(super) fn shared(program: &mut Program, random: &mut Random) -> Option<()> {
    let wait = wait(program);
    let (mut scene, site) = Scene::behind_stream(program, random)?;
    let (binding, stream) = (site.binding, site.stream);
    let fresh = scene.make(Op::Malloc, &[binding])?;
    let mut memory = scene.write(Op::Memset, &[binding, fresh])?;
    let event = scene.make(Op::CreateShared, &[binding])?;
    for _ in 0..1 + random.below(3) {
        let exported = scene.make(Op::Export, &[binding, memory])?;
        let queued = scene.make(Op::Adopt, &[stream, exported])?;
        scene.make(Op::MemsetAsync, &[stream, queued]);
        let host = scene.make(Op::MallocHostOn, &[stream])?;
        scene.make(Op::MemcpyAsync, &[stream, host, queued]);
        scene.make(Op::RecordShared, &[stream, event]);
        if random.chance(30) {
            scene.make(Op::Drop, &[queued]);
            read(&mut scene, wait, stream, host)?;
            let fresh = scene.make(Op::Malloc, &[binding])?;
            memory = scene.write(Op::Memset, &[binding, fresh])?;
            continue;
        }
        if random.chance(50) {
            scene.make(Op::SynchronizeShared, &[event]);
        }
        let proof = scene.make(wait, &[stream])?;
        let idle = scene.make(Op::Take, &[proof, queued])?;
        let to = scene.make(Op::MallocHost, &[binding])?;
        scene.make(Op::Memcpy, &[binding, to, idle]);
        scene.make(Op::Read, &[to]);
        memory = scene.make(Op::CloseExport, &[binding, idle])?;
    }
    tensors(&mut scene, binding, memory, random)?;
    scene.make(Op::RecordShared, &[stream, event]);
    if random.chance(70) {
        scene.make(Op::Drop, &[event]);
    }
    scene.end(program)
}

/// Adds tensors of the parts of memory, and of the whole of it at its end.
fn tensors(scene: &mut Scene, binding: Name, memory: Name, random: &mut Random) -> Option<()> {
    if random.chance(60) {
        let op = *random.pick(&[Op::Split, Op::Slice])?;
        let parts = scene.make_all(op, &[memory]);
        let lent = scene.make(Op::ToDlpack, &[binding, *parts.first()?])?;
        scene.make(Op::Drop, &[lent]);
    }
    let end = *random.pick(&[Op::Free, Op::Drop, Op::ToDlpack])?;
    if end != Op::ToDlpack {
        scene.make(end, &[memory]);
        return Some(());
    }
    let given = scene.make(end, &[binding, memory])?;
    if random.chance(70) {
        let end = *random.pick(&[Op::Drop, Op::Forget])?;
        scene.make(end, &[given]);
    }
    Some(())
}

/// Adds a wait for a stream, and a read of what it has copied to the host.
fn read(scene: &mut Scene, wait: Op, stream: Name, host: Name) -> Option<()> {
    let proof = scene.make(wait, &[stream])?;
    let taken = scene.make(Op::Take, &[proof, host])?;
    scene.make(Op::Read, &[taken]);
    Some(())
}

/// Adds a device with a limit of its cores, and streams that give their work other limits.
pub(super) fn limited(program: &mut Program, random: &mut Random) -> Option<()> {
    let mut scene = Scene::new(program, Vec::new(), program.steps.len());
    let claim = program.steps.iter().find(|step| step.op == Op::Claim)?;
    let thread = *claim.to.first()?;
    let device = scene.make(Op::SetDevice { slot: 3, id: 2 }, &[ACL, thread])?;
    let cores = |random: &mut Random| 1 + u8::try_from(random.below(8)).unwrap_or(0);
    let op = Op::LimitCores {
        cores: cores(random),
    };
    scene.make(op, &[device]);
    let binding = scene.make(Op::Bind, &[thread, device])?;
    scene.make(Op::SeeCores, &[binding]);
    let stream = scene.other_stream(binding)?;
    let second = scene.make(Op::CreateStream { name: 5 }, &[binding])?;
    let site = Site {
        binding,
        stream,
        thread: Some(thread),
        device: Some(device),
    };
    nested(&mut scene, site, second, random)?;
    scene.make(Op::SeeCores, &[binding]);
    scene.make(Op::Drop, &[second]);
    scene.make(Op::Drop, &[stream]);
    // The limit is changed while nothing of the device is there.
    let op = Op::LimitCores {
        cores: cores(random),
    };
    scene.make(op, &[device]);
    let binding = scene.make(Op::Bind, &[thread, device])?;
    scene.make(Op::SeeCores, &[binding]);
    scene.end(program)
}

/// Adds a block with a limit of a stream, in which perhaps another stream has one.
fn nested(scene: &mut Scene, site: Site, second: Name, random: &mut Random) -> Option<()> {
    let outer = Op::WithCores {
        cores: 1 + u8::try_from(random.below(8)).ok()?,
    };
    let inner = Op::WithCores {
        cores: 9 + u8::try_from(random.below(8)).ok()?,
    };
    let is_nested = random.chance(80);
    scene.block(outer, &[site.stream], |scene, _| {
        scene.make(Op::SeeCores, &[site.binding]);
        if is_nested {
            scene.block(inner, &[second], |scene, _| {
                scene.make(Op::SeeCores, &[site.binding]);
                Some(())
            })?;
            scene.make(Op::SeeCores, &[site.binding]);
        }
        Some(())
    })
}
