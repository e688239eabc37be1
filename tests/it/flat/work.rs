//! Loops of work on streams: host functions, scopes, operators, models and pipelines.

use std::panic::resume_unwind;
use std::sync::mpsc::channel;
use std::thread;

use ascendcl::callback::Report;
use ascendcl::model::{Blocking, Queueing};
use ascendcl::op::{self, Workspaces};
use ascendcl::pipeline::Pipeline;
use ascendcl::stream::Main;
use ascendcl::{Result, Thread};

use crate::flat::{D, Given, Lines, drop_queued, loops, rounds};
use crate::loops::on_own_stream;
use crate::model::{FAILING, SUM, engine};
use crate::op_table::upload;

loops! {
    fn host_functions(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(3);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let mut host = stream.adopt(current.malloc_host::<u8>(side, 16)?);
                let owned = Box::new([1_u8; 100]);
                stream.launch_host_func_on(&mut host, move |bytes| bytes[0] = owned[0])?;
                lines.end()?;
                let (told, tells) = channel();
                stream.launch_host_func(move || told.send(()).unwrap_or_default())?;
                lines.end()?;
                drop(stream.synchronize()?.take(host));
                tells.recv().unwrap();
                lines.end()
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    fn host_functions_that_panic(Given { current, side, .. }) {
        let mut nth = 0_usize;
        rounds(current, || {
            nth += 1;
            let _ = on_own_stream(current, |stream| {
                let mut host = stream.adopt(current.malloc_host::<u8>(side, 16)?);
                stream.launch_host_func_on(&mut host, |bytes| bytes[0] = 1)?;
                let owned = vec![1_u8; 100];
                let panics = nth.is_multiple_of(3);
                stream.launch_host_func(move || if panics { resume_unwind(Box::new(owned)) })
            });
        });
    }

    fn callbacks_of_a_thread(Given { device, current, .. }) {
        thread::scope(|threads| {
            let ((ready, id), (go, subscribed)) = (channel(), channel());
            threads.spawn(move || {
                let mut thread = Thread::claim().unwrap();
                let mut reports = thread.set_current(device).unwrap().report_thread();
                ready.send(reports.id()).unwrap();
                subscribed.recv().unwrap();
                while reports.process_report(None).unwrap() != Report::NoStream {}
            });
            let id = id.recv().unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let subscribed = stream.subscribe_report(&id).unwrap();
            go.send(()).unwrap();
            rounds(current, || {
                let (told, tells) = channel();
                stream.launch_callback(&subscribed, move || told.send(()).unwrap()).unwrap();
                drop_queued(&mut stream).unwrap();
                stream.synchronize().unwrap();
                tells.recv().unwrap();
            });
            drop(stream);
        });
    }

    fn scopes(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(4);
        let (source, mut target) = ([1_u32; 64], [0_u32; 64]);
        rounds(current, || {
            lines.begin();
            let _ = current.scope(|scope| -> Result<()> {
                let from = stream.adopt(scope.lend(&source[..]));
                lines.end()?;
                let mut to = stream.adopt(scope.lend(&mut target[..]));
                lines.end()?;
                let buf = stream.memcpy_async(stream.malloc(64)?, &from)?;
                lines.end()?;
                stream.memcpy_async(&mut to, &buf)?;
                lines.end()
            }).unwrap();
        });
    }

    ["task:aclrtMemcpyAsync%10=507001,out-of-memory%10"]
    fn scopes_whose_copies_fail(Given { current, .. }) {
        let (source, mut target) = ([1_u32; 64], [0_u32; 64]);
        rounds(current, || {
            let _ = current.scope(|scope| current.with_stream(|mut stream| -> Result<()> {
                let from = stream.adopt(scope.lend(&source[..]));
                let mut to = stream.adopt(scope.lend(&mut target[..]));
                let buf = stream.memcpy_async(stream.malloc(64)?, &from)?;
                stream.memcpy_async(&mut to, &buf)
            }));
        });
    }

    // The second operand broadcasts, so the operator asks for a workspace.
    fn plans_and_workspaces(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let one = stream.adopt(upload(current, side, &[1, 2, 3, 4, 5, 6]));
        let row = stream.adopt(upload(current, side, &[1, 1, 1]));
        let mut workspaces = Workspaces::new();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let (a, b) = (one.tensor(&[2, 3])?, row.tensor(&[3])?);
                let out = stream.malloc(6)?.into_tensor(&[2, 3])?;
                lines.end()?;
                let plan = op::add(current, &a, &b, 1, out)?;
                lines.end()?;
                let sum = plan.launch(&mut stream)?.into_output();
                lines.end()?;
                let out = stream.malloc(6)?.into_tensor(&[2, 3])?;
                let plan = op::add(current, &a, &b, 1, out)?;
                drop(plan.launch_in(&mut stream, &mut workspaces)?);
                lines.end()?;
                drop(stream.synchronize()?.take(sum));
                Ok(())
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    fn plans_that_run_again(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let (one, row) = (upload(current, side, &[1, 2, 3, 4, 5, 6]), upload(current, side, &[1, 1, 1]));
        let mut out = upload(current, side, &[0; 6]);
        let mut plan = || {
            let (a, b) = (one.tensor(&[2, 3]).unwrap(), row.tensor(&[3]).unwrap());
            let plan = op::add(current, &a, &b, 1, out.tensor_mut(&[2, 3]).unwrap()).unwrap();
            plan.repeatable(current).unwrap()
        };
        let mut kept = plan();
        rounds(current, || {
            drop(plan());
            let (a, b) = (one.tensor(&[2, 3]).unwrap(), row.tensor(&[3]).unwrap());
            let fresh = current.malloc(6).unwrap().into_tensor(&[2, 3]).unwrap();
            drop(kept.run(&mut stream, (&a, &b, fresh)).unwrap());
        });
    }

    ["aclnnAdd%10=561000,aclnnAddGetWorkspaceSize%10=561103,task:aclnnAdd%10=507015"]
    fn plans_that_fail(Given { current, side, .. }) {
        let (one, row) = (upload(current, side, &[1, 2, 3, 4, 5, 6]), upload(current, side, &[1, 1, 1]));
        rounds(current, || {
            let _ = on_own_stream(current, |stream| {
                let (a, b) = (one.tensor(&[2, 3])?, row.tensor(&[3])?);
                let out = current.malloc(6)?.into_tensor(&[2, 3])?;
                drop(op::add(current, &a, &b, 1, out)?.run(stream)?);
                let out = current.malloc(6)?.into_tensor(&[2, 3])?;
                let mut again = op::add(current, &a, &b, 1, out)?.repeatable(current)?;
                let out = current.malloc(6)?.into_tensor(&[2, 3])?;
                again.run(stream, (&a, &b, out)).map(drop)
            });
        });
    }

    fn models_that_are_loaded_and_unloaded(Given { current, .. }) {
        engine();
        let mut stream = current.create_stream::<Main>().unwrap();
        let left = stream.adopt(current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap());
        let right = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap());
        let lines = Lines::new(3);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let mut model = stream.adopt(current.load_model_from::<Queueing>(SUM)?);
                lines.end()?;
                let sum = (stream.malloc::<f32>(6)?,);
                let sum = stream.execute_async(&mut model, (&left, &right), sum)?;
                lines.end()?;
                let blocking = current.load_model_from::<Blocking>(SUM)?;
                lines.end()?;
                let idle = stream.synchronize()?;
                drop(idle.take(sum.0));
                blocking.unload()?;
                idle.take(model).unload()
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    ["aclmdlLoadFromMem%10=145006,aclmdlGetDesc%5=500002,aclmdlExecute%10=507018,aclmdlExecuteAsync%10=500002,task:aclmdlExecuteAsync%10=507011,aclmdlAddDatasetBuffer%5=100000,out-of-memory%5"]
    fn models_that_fail(Given { current, .. }) {
        engine();
        let mut nth = 0_usize;
        rounds(current, || {
            nth += 1;
            // The emulator keeps them for a program that asks.
            drop(ascendcl::emulator::take_violations());
            let file = if nth.is_multiple_of(7) { FAILING } else { SUM };
            let _ = on_own_stream(current, |stream| {
                let mut blocking = current.load_model_from::<Blocking>(file)?;
                let left = current.memset(current.malloc::<f32>(6)?, 0)?;
                let right = current.memset(current.malloc::<i32>(6)?, 0)?;
                drop(blocking.execute((&left, &right), (current.malloc::<f32>(6)?,))?);
                let mut model = stream.adopt(current.load_model_from::<Queueing>(file)?);
                let (left, right) = (stream.adopt(left), stream.adopt(right));
                let sum = (stream.malloc::<f32>(6)?,);
                stream.execute_async(&mut model, (&left, &right), sum).map(drop)
            });
        });
    }

    fn pipelines(Given { current, side, .. }) {
        let lines = Lines::new(8);
        let mut kept = Pipeline::new(current, side, 2, [16, 16]).unwrap();
        rounds(current, || {
            lines.begin();
            let _ = turns(&mut kept, &lines);
            let mut fresh = Pipeline::new(current, side, 2, [16, 16]).unwrap();
            let _ = turns(&mut fresh, &lines);
        });
    }

    ["out-of-memory%10,no-stream%9,task:aclrtMemcpyAsync%7=507001,aclrtMemcpyAsync%11=507899,aclrtSynchronizeStream%13=507011"]
    fn pipelines_that_fail(Given { current, side, .. }) {
        let lines = Lines::new(8);
        rounds(current, || {
            lines.begin();
            let _ = Pipeline::new(current, side, 2, [16, 16]).and_then(|mut fresh| turns(&mut fresh, &lines));
        });
    }
}

/// Batches that are left in flight at one of the lines.
fn turns(pipeline: &mut Pipeline<'_, '_, '_, D, u8, u8>, lines: &Lines) -> Result<()> {
    pipeline.run(
        0..6,
        |turn, input| input.fill(turn),
        |batch| {
            lines.end()?;
            drop_queued(batch.stream)?;
            batch.stream.memcpy_async(batch.output, batch.input)
        },
        |_, copy| copy.map(drop),
    )
}
