//! Graphs: captures with a fork, a temporary, functions of the host and an operator that changes, further recordings, runs on two
//! streams, and captures that fail.

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::graph::NotCaptured;
use ascendcl::stream::Main;
use ascendcl::{Acl, Error, Npu, Result, StreamName, op};

enum Other {}
impl StreamName for Other {}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let mut other = current.create_stream::<Other>()?;
        let zeros = || current.memset(current.malloc::<i32>(4)?, 0);
        let input = current.malloc_host_from(host, &[3_i32; 4])?;
        let output = current.malloc_host::<i32>(host, 4)?;
        let constant = stream.adopt(current.memset_d32(current.malloc::<i32>(4)?, 10)?);
        let constant = constant.share();
        let constant = stream.synchronize()?.take(constant);

        // A capture that fails, and gives its memory back.
        let failed = stream.capture((zeros()?, zeros()?), |recording, (mut a, b)| {
            recording.memcpy_async(&mut a, &b)?;
            Err::<(), Error>(Usage::NoDefaultDevice.into())
        });
        let (a, b) = match failed {
            Err(NotCaptured {
                error,
                memory: Some(memory),
            }) if matches!(error.kind(), ascendcl::ErrorKind::Usage(_)) => {
                stream.synchronize()?.verify(memory)
            }
            Err(failed) => return Err(failed.into()),
            Ok(_) => return Err(Usage::NoDefaultDevice.into()),
        };

        let memory = (input, [a, b], constant, output);
        let graph = stream.capture(
            memory,
            |recording, (mut input, [mut a, mut b], constant, mut output)| {
                recording.each_run_on(&mut input, |input| {
                    input.iter_mut().take(1).for_each(|first| *first += 1)
                })?;
                recording.memcpy_async(&mut a, &input)?;
                recording.fork((&a, &mut b), |recording, side, (a, b)| {
                    side.memcpy_async(b, &a)?;
                    recording.each_run(|| ())
                })?;
                let copy = recording.memcpy_async(recording.malloc::<i32>(4)?, &b)?;
                let plan = op::add(
                    current,
                    &copy.tensor(&[4])?,
                    &constant.tensor(&[4])?,
                    1,
                    b.tensor_mut(&[4])?,
                )?;
                let ((), group) = recording.updatable(plan)?;
                recording.memcpy_async(&mut output, &b)?;
                Ok(group)
            },
        )?;
        let mut graph = graph.also(&mut stream, |recording, (_, [mut a, _], _, _)| {
            recording.memset_async(&mut a, 0)
        })?;
        graph.launch(&mut stream)?;
        graph.launch_nth(1, &mut stream)?;
        let group = graph.value().clone();
        graph.update(
            &mut stream,
            &group,
            |update, (_, [a, mut b], constant, _)| {
                let plan = op::add(
                    current,
                    &a.tensor(&[4])?,
                    &constant.tensor(&[4])?,
                    2,
                    b.tensor_mut(&[4])?,
                )?;
                update.launch(plan)
            },
        )?;
        let (_, [mut a, _], _, _) = graph.memory();
        stream.memset_async(&mut a, 1)?;
        graph.launch(&mut stream)?;

        // The same graph on another stream, which waits for the first one.
        let mut event = current.create_event::<Order>()?;
        let mut graph = stream.handoff(&mut other, &mut event, graph)?;
        graph.launch(&mut other)?;
        let graph = other.synchronize()?.take(graph);
        let mut graph = stream.synchronize()?.verify(graph);
        let (input, _, _, output) = graph.memory();
        assert_eq!(
            (input.to_vec(), output.to_vec()),
            (vec![6, 3, 3, 3], vec![26, 23, 23, 23])
        );
        let (input, [a, b], constant, output) = graph.destroy()?;
        drop((a, b, constant, output));

        // Graphs that are dropped while they run, and beside a wait for the whole device.
        let mut graph = stream.capture(input, |recording, mut input| {
            let fresh = recording.malloc::<i32>(4)?;
            drop(recording.memcpy_async(fresh, &input)?);
            recording.each_run_on(&mut input, |input| input.fill(0))
        })?;
        graph.launch(&mut stream)?;
        drop(graph);
        current.synchronize_device()?;
        event.destroy()?;
        other.destroy()?;
        stream.destroy()
    })
}
