//! Mistakes with counters, with what a process shares, and with settings.

use super::scenes::Mistake;
use crate::model::Rule;
use crate::program::{ACL, Name, Op};
use crate::random::Random;
use crate::scene::{Scene, Site};

pub(super) const COUNTERS: [Mistake; 4] = [
    (&[Rule::CounterOfOther], counted_elsewhere),
    (&[Rule::CounterGone], counted_behind_end),
    (&[Rule::CounterGone], counter_of_closed_device),
    (
        &[Rule::Race, Rule::TouchedInUse],
        counter_hands_nothing_over,
    ),
];

pub(super) const SHARES: [Mistake; 12] = [
    (&[Rule::TouchedInUse], exported_in_use),
    (&[Rule::Unwritten], exported_fresh),
    (&[Rule::HostShared], exported_of_host),
    (&[Rule::ExportOpen], freed_while_exported),
    (&[Rule::OtherContext], closed_elsewhere),
    (&[Rule::OtherDevice], exported_elsewhere),
    (&[Rule::TouchedInUse, Rule::Race], used_while_queued),
    (&[Rule::SharedGone, Rule::EventOfOther], recorded_wrongly),
    (&[Rule::TouchedInUse], given_in_use),
    (&[Rule::Unwritten], given_fresh),
    (&[Rule::OtherDevice], given_elsewhere),
    (
        &[Rule::MemoryGone, Rule::DeviceGone],
        given_of_closed_device,
    ),
];

pub(super) const SETTINGS: [Mistake; 1] = [(&[Rule::SetTooLate], sized_too_late)];

/// One of the steps that use a counter.
fn use_of(random: &mut Random) -> Op {
    *random
        .pick(&[Op::Count, Op::ResetCounter, Op::Count])
        .unwrap_or(&Op::Count)
}

/// A stream of another device uses a counter.
fn counted_elsewhere(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let counter = scene.make(Op::CreateCounter, &[site.binding])?;
    let there = scene.other_device(site.thread?)?;
    let stream = scene.other_stream(there)?;
    scene.make(use_of(random), &[stream, counter]);
    Some(())
}

fn counted_behind_end(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let counter = scene.make(Op::CreateCounter, &[site.binding])?;
    scene.make(Op::Drop, &[counter]);
    scene.make(use_of(random), &[site.stream, counter]);
    Some(())
}

/// A device is reset while one of its counters is there.
fn counter_of_closed_device(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let device = scene.make(Op::SetDevice { slot: 3, id: 2 }, &[ACL, site.thread?])?;
    let there = scene.make(Op::Bind, &[site.thread?, device])?;
    let counter = scene.make(Op::CreateCounter, &[there])?;
    scene.make(Op::Reset, &[device]);
    scene.make(Op::Drop, &[counter]);
    Some(())
}

/// Behind a counter that does not order it, another stream or the host uses memory.
fn counter_hands_nothing_over(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let other = scene.other_stream(site.binding)?;
    let counter = scene.make(Op::CreateCounter, &[site.binding])?;
    scene.make(Op::Count, &[site.stream, counter]);
    let written = scene.written_on(site.stream)?;
    scene.make(Op::AwaitCount { number: 1 }, &[other, counter]);
    if random.chance(60) {
        let host = scene.make(Op::MallocHostOn, &[other])?;
        scene.make(Op::MemcpyAsync, &[other, host, written]);
    } else {
        let proof = scene.make(Op::Synchronize, &[other])?;
        let taken = scene.make(Op::Take, &[proof, written])?;
        scene.make(Op::Memset, &[site.binding, taken]);
    }
    Some(())
}

/// Memory that a stream writes is exported.
fn exported_in_use(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let written = scene.written_on(site.stream)?;
    scene.make(Op::Export, &[site.binding, written]);
    Some(())
}

fn exported_fresh(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    scene.make(Op::Export, &[site.binding, fresh]);
    Some(())
}

fn exported_of_host(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let host = scene.make(Op::MallocHost, &[site.binding])?;
    scene.make(Op::Export, &[site.binding, host]);
    Some(())
}

/// Idle memory that is exported.
fn exported(scene: &mut Scene, site: Site) -> Option<Name> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    let written = scene.write(Op::Memset, &[site.binding, fresh])?;
    scene.make(Op::Export, &[site.binding, written])
}

fn freed_while_exported(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let memory = exported(scene, site)?;
    scene.make(Op::Free, &[memory]);
    Some(())
}

/// An export ends while another device is current.
fn closed_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let memory = exported(scene, site)?;
    let there = scene.other_device(site.thread?)?;
    scene.make(Op::CloseExport, &[there, memory]);
    Some(())
}

fn exported_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    let written = scene.write(Op::Memset, &[site.binding, fresh])?;
    let there = scene.other_device(site.thread?)?;
    scene.make(Op::Export, &[there, written]);
    Some(())
}

/// Memory that a stream writes becomes a tensor.
fn given_in_use(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let written = scene.written_on(site.stream)?;
    scene.make(Op::ToDlpack, &[site.binding, written]);
    Some(())
}

fn given_fresh(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    scene.make(Op::ToDlpack, &[site.binding, fresh]);
    Some(())
}

fn given_elsewhere(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let fresh = scene.make(Op::Malloc, &[site.binding])?;
    let written = scene.write(Op::Memset, &[site.binding, fresh])?;
    let there = scene.other_device(site.thread?)?;
    scene.make(Op::ToDlpack, &[there, written]);
    Some(())
}

/// A device is reset while a tensor has its memory.
fn given_of_closed_device(scene: &mut Scene, site: Site, _: &mut Random) -> Option<()> {
    let device = scene.make(Op::SetDevice { slot: 3, id: 2 }, &[ACL, site.thread?])?;
    let there = scene.make(Op::Bind, &[site.thread?, device])?;
    let fresh = scene.make(Op::Malloc, &[there])?;
    let written = scene.write(Op::Memset, &[there, fresh])?;
    let tensor = scene.make(Op::ToDlpack, &[there, written])?;
    scene.make(Op::Reset, &[device]);
    scene.make(Op::Drop, &[tensor]);
    Some(())
}

/// The host or another stream uses exported memory that a stream writes.
fn used_while_queued(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let memory = exported(scene, site)?;
    let queued = scene.make(Op::Adopt, &[site.stream, memory])?;
    scene.make(Op::MemsetAsync, &[site.stream, queued]);
    match random.below(3) {
        0 => {
            let other = scene.other_stream(site.binding)?;
            let host = scene.make(Op::MallocHostOn, &[other])?;
            scene.make(Op::MemcpyAsync, &[other, host, queued]);
        }
        1 => drop(scene.make(Op::Memset, &[site.binding, queued])),
        _ => {
            let other = scene.other_stream(site.binding)?;
            let proof = scene.make(Op::Synchronize, &[other])?;
            let taken = scene.make(Op::Take, &[proof, queued])?;
            scene.make(Op::Memset, &[site.binding, taken]);
        }
    }
    Some(())
}

/// A shared event is recorded behind its end, or on a stream of another device.
fn recorded_wrongly(scene: &mut Scene, site: Site, random: &mut Random) -> Option<()> {
    let event = scene.make(Op::CreateShared, &[site.binding])?;
    let mut stream = site.stream;
    if random.chance(50) {
        scene.make(Op::Drop, &[event]);
    } else {
        let there = scene.other_device(site.thread?)?;
        stream = scene.other_stream(there)?;
    }
    scene.make(Op::RecordShared, &[stream, event]);
    Some(())
}

/// A size is set while there is a device.
fn sized_too_late(scene: &mut Scene, _: Site, _: &mut Random) -> Option<()> {
    scene.make(Op::SetSize, &[ACL]);
    Some(())
}
