//! Graphs: what they record, what they own, and when they give it back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::graph::{Graph, NotCaptured};
use ascendcl::stream::Main;
use ascendcl::{
    Current, DeviceBuf, HostBuf, HostSide, Npu, Queued, Result, Stream, StreamName, op,
};

use crate::common::{acl, acl_with_journal, assert_clean, assert_says, calls, isolated};
use crate::parking::{free, on_device, serve};

type D = Npu<0>;
type Bytes<'dev> = DeviceBuf<'dev, D, [u8]>;

/// A limit that nothing exceeds.
const LIMIT: Duration = Duration::from_secs(600);

enum Second {}
impl StreamName for Second {}

/// Device memory that is filled with a byte.
fn filled<'dev>(current: Current<'_, 'dev, D>, len: usize, value: u8) -> Bytes<'dev> {
    let fresh = current.malloc(len).unwrap();
    current.memset(fresh, value).unwrap()
}

/// A graph whose runs fill its memory with a byte.
fn fills<'dev>(
    stream: &mut Stream<'_, 'dev, D, Main>,
    memory: Bytes<'dev>,
    value: u8,
) -> Queued<'dev, (D, Main), Graph<'dev, D, Bytes<'dev>>> {
    stream
        .capture(memory, |recording, memory| {
            recording.memset_async(memory, value)
        })
        .unwrap()
}

/// The bytes of device memory.
fn read(current: Current<'_, '_, D>, host: HostSide<'_>, bytes: &Bytes<'_>) -> Vec<u8> {
    let mut back = current.malloc_host::<u8>(host, bytes.len()).unwrap();
    current.memcpy(&mut back, bytes).unwrap();
    back.to_vec()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_capture_runs_nothing_and_each_run_all_of_it() {
        let acl = acl_with_journal();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let input = current.malloc_host_from(host, &[1.0_f32, 2.0])?;
            let x = current.memset(current.malloc::<f32>(2)?, 0)?;
            let output = current.malloc_host::<f32>(host, 2)?;
            let mut graph = stream.capture((input, x, output), |recording, (input, mut x, mut output)| {
                recording.memcpy_async(&mut x, &input)?;
                let fresh = recording.malloc(2)?.into_tensor(&[2])?;
                let sum = op::add(current, &x.tensor(&[2])?, &x.tensor(&[2])?, 1.0, fresh)?;
                let sum = sum.launch(recording)?.into_output();
                op::mul(current, &sum.tensor(&[2])?, &sum.tensor(&[2])?, x.tensor_mut(&[2])?)?.launch(recording)?.into_output();
                recording.memcpy_async(&mut output, &x)
            })?;
            let mut idle = stream.synchronize()?.take(graph);
            assert_eq!(idle.memory().2[..], [0.0, 0.0]);
            for turn in [1.0_f32, 3.0] {
                idle.memory().0.fill(turn);
                graph = stream.adopt(idle);
                let before = calls("aclmdlRIExecuteAsync");
                graph.launch(&mut stream)?;
                assert_eq!(calls("aclmdlRIExecuteAsync"), before + 1);
                idle = stream.synchronize()?.take(graph);
                assert_eq!(idle.memory().2[..], [4.0 * turn * turn; 2]);
            }
            let (input, x, output) = idle.destroy()?;
            drop((input, x));
            assert_eq!(output[..], [36.0; 2]);
            Ok(())
        })
        .unwrap();
        assert_eq!((calls("aclmdlRICaptureEnd"), calls("aclmdlRIDestroy")), (1, 1));
        assert_clean(&acl);
    }

    fn recordings_over_one_memory_run_in_the_order_of_their_launches() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let numbers = current.malloc_host_from(host, &[1_u32])?;
            let mut graph = stream.capture([numbers], |recording, [mut numbers]| {
                recording.each_run_on(&mut numbers, |numbers| numbers[0] += 1)
            })?;
            for factor in [10, 100] {
                graph = graph.also(&mut stream, |recording, [mut numbers]| {
                    recording.each_run_on(&mut numbers, move |numbers| numbers[0] *= factor)
                })?;
            }

            graph.launch(&mut stream)?;
            graph.launch_nth(2, &mut stream)?;
            graph.launch_nth(0, &mut stream)?;
            graph.launch_nth(1, &mut stream)?;
            let refused = graph.launch_nth(3, &mut stream);
            assert_says(refused, &["recording 3 of a graph that has 3"]);
            let graph = stream.synchronize()?.take(graph);
            assert_eq!(graph.recordings(), 3);
            let [numbers] = graph.destroy()?;
            assert_eq!(numbers[0], 2010);
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn work_between_two_runs_is_in_their_order() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let state = vec![filled(current, 4, 1), filled(current, 4, 2)];
            let mut graph = stream.capture(state, |recording, mut state| {
                let [from, to] = &mut state[..] else { panic!("two buffers") };
                recording.memcpy_async(to, &*from)
            })?;
            let mut seen = Vec::new();
            for turn in 5..8 {
                graph.launch(&mut stream)?;
                let memory = graph.memory();
                seen.push(stream.memcpy_async(stream.malloc_host(host, 4)?, &memory[1])?);
                let [mut from, _] = <[_; 2]>::try_from(memory).unwrap();
                stream.memset_async(&mut from, turn)?;
            }
            let idle = stream.synchronize()?;
            let seen: Vec<u8> = seen.into_iter().map(|back| idle.take(back)[3]).collect();
            assert_eq!(seen, [1, 5, 6]);
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn a_graph_moves_to_another_stream_and_back() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut second = current.create_stream::<Second>()?;
            let mut event = current.create_event::<Order>()?;
            let counted = Arc::new(AtomicU32::new(0));
            let counter = Arc::clone(&counted);
            let mut graph = stream.capture(filled(current, 4, 0), |recording, memory| {
                recording.memset_async(memory, 7)?;
                recording.each_run(move || { counter.fetch_add(1, Ordering::SeqCst); })
            })?;
            graph.launch(&mut stream)?;
            let mut graph = stream.handoff(&mut second, &mut event, graph)?;
            graph.launch(&mut second)?;
            let unverified = second.synchronize()?.take(graph);
            let graph = stream.synchronize()?.verify(unverified);
            assert_eq!(counted.load(Ordering::SeqCst), 2);
            let memory = graph.destroy()?;
            assert_eq!((read(current, host, &memory), Arc::strong_count(&counted)), (vec![7; 4], 1));
            Ok(())
        })
        .unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn forks_run_beside_the_recording_and_come_back() {
        let acl = acl_with_journal();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let memory = [1, 0, 0, 0].map(|value| filled(current, 4, value));
            let mut graph = stream.capture(memory, |recording, [one, mut a, mut b, mut c]| {
                recording.fork((&one, &mut b), |recording, side, (one_there, mut b)| {
                    let copy = side.memcpy_async(side.malloc::<u8>(4)?, &one_there)?;
                    side.memcpy_async(&mut b, &copy)?;
                    recording.memcpy_async(&mut a, &one)
                })?;
                recording.fork((&a, &mut c), |_, side, (a, c)| side.memcpy_async(c, &a))?;
                recording.memset_async(&mut a, 9)
            })?;
            for _ in 0..2 {
                graph.launch(&mut stream)?;
            }
            let memory = stream.synchronize()?.take(graph).destroy()?;
            let bytes = memory.each_ref().map(|memory| read(current, host, memory)[0]);
            assert_eq!(bytes, [1, 9, 1, 1]);
            Ok(())
        })
        .unwrap();
        // One for the program, and one for all forks of the recording.
        assert_eq!((calls("aclrtCreateStream"), calls("aclrtDestroyStream")), (2, 2));
        assert_clean(&acl);
    }

    fn an_update_changes_the_runs_behind_it() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let one = current.memset_d32(current.malloc::<f32>(4)?, 1.0)?;
            let out = current.memset(current.malloc::<f32>(4)?, 0)?;
            let mut graph = stream.capture((one, out), |recording, (one, mut out)| {
                let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
                let ((), group) = recording.updatable(op::add(current, &a, &b, 1.0, out.tensor_mut(&[4])?)?)?;
                Ok(group)
            })?;
            let group = graph.value().clone();
            let mut seen = Vec::new();
            for alpha in [1.0_f32, 2.0, 9.0] {
                graph.update(&mut stream, &group, |update, (one, mut out)| {
                    let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
                    update.launch(op::add(current, &a, &b, alpha, out.tensor_mut(&[4])?)?)
                })?;
                graph.launch(&mut stream)?;
                seen.push(stream.memcpy_async(stream.malloc_host(host, 4)?, &graph.memory().1)?);
            }
            let idle = stream.synchronize()?;
            let seen: Vec<f32> = seen.into_iter().map(|back| idle.take(back)[0]).collect();
            assert_eq!(seen, [2.0, 3.0, 10.0]);

            // The place of an operator belongs to its recording.
            let mut other = stream.capture((), |_, ()| Ok(()))?;
            let refused = other.update(&mut stream, &group, |_, ()| unreachable!());
            assert_says(refused, &["in another graph"]);
            let mut escaped = None;
            let failed = graph.also(&mut stream, |recording, (one, mut out)| {
                let (a, b) = (one.tensor(&[4])?, one.tensor(&[4])?);
                let ((), group) = recording.updatable(op::add(current, &a, &b, 1.0, out.tensor_mut(&[4])?)?)?;
                escaped = Some(group);
                Err(Usage::ThreadClaimed.into())
            });
            let Err(NotCaptured { memory: Some(graph), .. }) = failed else { panic!("a closure that fails") };
            let graph = stream.synchronize()?.verify(graph);
            let mut graph = stream.adopt(graph);
            let refused = graph.update(&mut stream, &escaped.unwrap(), |_, _| unreachable!());
            assert_says(refused, &["in a recording that has failed"]);
            graph.launch(&mut stream)?;
            stream.synchronize().map(drop)
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn a_capture_that_fails_gives_the_memory_back() {
        on_device(|_, current| {
            let before = free(current);
            let mut stream = current.create_stream::<Main>().unwrap();
            let failed = stream.capture((filled(current, 4, 1), filled(current, 8, 2)), |recording, (small, large)| {
                drop(recording.memset_async(recording.malloc::<u8>(1024)?, 0)?);
                recording.memcpy_async(small, &large)
            });
            let failed = failed.map(drop).unwrap_err();
            let cause = std::error::Error::source(&failed).map(ToString::to_string);
            assert_eq!(cause, Some(failed.to_string()));
            let NotCaptured { error, memory: Some(memory) } = failed else { panic!("no memory") };
            assert_says::<()>(Err(error), &["4"]);
            let (small, large) = stream.synchronize().unwrap().verify(memory);
            drop((small, large));
            assert_eq!(free(current), before);

            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let memory = filled(current, 4, 1);
                let _ = stream.capture(memory, |recording, memory| -> Result<()> {
                    recording.memset_async(memory, 0)?;
                    panic!("a defect of the closure")
                });
            }));
            assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "a defect of the closure");
            assert_eq!(free(current), before);
            // The stream records nothing any more.
            let zeros = stream.memset_async(stream.malloc::<u8>(4).unwrap(), 0).unwrap();
            stream.synchronize().unwrap().take(zeros).free().unwrap();
            let graph = fills(&mut stream, filled(current, 4, 0), 1);
            drop(stream.synchronize().unwrap().take(graph));
            assert_eq!(free(current), before);
        });
    }

    fn a_graph_keeps_what_its_recording_drops_until_it_is_destroyed() {
        on_device(|_, current| {
            let before = free(current);
            let mut stream = current.create_stream::<Main>().unwrap();
            let host = filled(current, 4, 0);
            let mut graph = stream
                .capture(host, |recording, mut memory| {
                    let ones = recording.memset_async(recording.malloc::<u8>(4)?, 3)?;
                    recording.memcpy_async(&mut memory, &ones)
                })
                .unwrap();
            let held = free(current);
            assert!(held < before);
            // Neither a wait for the stream nor one for the device frees it.
            stream.synchronize().unwrap();
            current.synchronize_device().unwrap();
            assert_eq!((free(current), ascendcl::parked_bytes()), (held, 0));
            graph.launch(&mut stream).unwrap();
            drop(graph); // parked
            assert_eq!(free(current), held);
            stream.synchronize().unwrap();
            assert_eq!((free(current), ascendcl::parked_bytes()), (before, 0));
        });
    }

    fn captured_graphs_of_a_service_do_not_pile_up() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            serve(current, &mut stream, |stream| {
                let mut graph = fills(stream, filled(current, 64, 0), 1);
                graph.launch(stream)?;
                Err(Usage::ThreadClaimed.into()) // the graph is dropped while its run is queued
            });
        });
    }

    fn captures_that_fail_in_each_turn_keep_no_memory() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let counted = Arc::new(AtomicU32::new(0));
            let mut graph = Some(fills(&mut stream, filled(current, 64, 0), 1));
            serve(current, &mut stream, |stream| {
                let counter = Arc::clone(&counted);
                let failed = graph.take().unwrap().also(stream, |recording, mut memory| {
                    let ones = recording.memset_async(recording.malloc::<u8>(64)?, 3)?;
                    recording.fork((&ones, &mut memory), |_, side, (from, to)| side.memcpy_async(to, &from))?;
                    recording.each_run(move || { counter.fetch_add(1, Ordering::SeqCst); })?;
                    Err(Usage::ThreadClaimed.into())
                });
                let Err(NotCaptured { memory: Some(memory), .. }) = failed else { panic!("a closure that fails") };
                let memory = stream.synchronize()?.verify(memory);
                graph = Some(stream.adopt(memory));
                assert_eq!(Arc::strong_count(&counted), 1);
                graph.as_mut().unwrap().launch(stream)
            });
            drop(graph);
            serve(current, &mut stream, |stream| {
                let failed = stream.capture(filled(current, 64, 0), |recording, memory| {
                    drop(recording.memset_async(recording.malloc::<u8>(64)?, 3)?);
                    recording.memset_async(memory, 1)?;
                    Err::<(), _>(Usage::ThreadClaimed.into())
                });
                assert!(failed.is_err());
                Ok(())
            });
        });
    }

    fn a_function_that_panics_fails_the_run() {
        let acl = acl();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut runs = 0;
            let mut graph = stream.capture((), |recording, ()| {
                recording.each_run(move || {
                    runs += 1;
                    assert_ne!(runs, 2, "a defect of the function");
                })
            })?;
            graph.launch(&mut stream)?;
            stream.synchronize()?;
            graph.launch(&mut stream)?;
            assert_says(stream.synchronize().map(drop), &["has panicked"]);
            let graph = stream.drain()?.take(graph).accept_unverified();
            graph.destroy()?;
            Ok(())
        })
        .unwrap();
    }

    /// Nothing says that the abort of a stream reaches the streams of a graph.
    fn beside_a_graph_nothing_is_aborted() {
        let acl = acl();
        acl.on_within::<D, _>(0, LIMIT, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let second = current.create_stream::<Second>()?;
            let graph = fills(&mut stream, filled(current, 4, 0), 1);
            let Err(refused) = second.abort() else { panic!("a device with a graph") };
            assert_says::<()>(Err(refused.error), &["has had a model, a communicator, a channel or a graph"]);
            drop(graph);
            stream.synchronize().map(drop)
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn weights_are_shared_by_several_graphs() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let weights = stream.adopt(filled(current, 4, 5)).share();
            let weights = stream.synchronize()?.take(weights);
            let mut graphs = Vec::new();
            for _ in 0..2 {
                let memory = (weights.clone(), Some(filled(current, 4, 0)));
                graphs.push(stream.capture(memory, |recording, (weights, output)| {
                    recording.memcpy_async(output.unwrap(), &weights)
                })?);
            }
            for graph in &mut graphs {
                graph.launch(&mut stream)?;
            }
            let idle = stream.synchronize()?;
            for graph in graphs {
                let (_, output) = idle.take(graph).destroy()?;
                assert_eq!(read(current, host, &output.unwrap()), [5; 4]);
            }
            let weights = weights.try_unwrap().map_err(drop).expect("the graphs have given their shares back");
            weights.free()
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn a_forgotten_graph_is_leaked_with_its_memory() {
        let acl = acl();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut graph = fills(&mut stream, filled(current, 4, 0), 1);
            graph.launch(&mut stream)?;
            std::mem::forget(graph);
            stream.synchronize().map(drop)
        })
        .unwrap();
        drop(acl);
    }
}

/// The types of a struct that has a graph.
#[expect(dead_code, reason = "it compiles")]
struct Service<'dev> {
    step: Queued<'dev, (D, Main), Graph<'dev, D, (HostBuf<'dev, [f32]>, Bytes<'dev>)>>,
}
