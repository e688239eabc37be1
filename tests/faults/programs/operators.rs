//! Operators: idle and queued, run and launched, on borrowed operands, in place of a dropped plan, and in a scope.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, op};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let numbers = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
        let x = current.memcpy(current.malloc::<f32>(4)?, &numbers)?;
        let mut y = current.memset(current.malloc::<f32>(4)?, 0)?;

        // The operands are borrowed, and so is the output.
        let out = y.tensor_mut(&[4])?;
        op::add(current, &x.tensor(&[4])?, &x.tensor(&[4])?, 1.0, out)?.run(&mut stream)?;
        // A plan that never runs.
        let out = current.malloc::<f32>(4)?.into_tensor(&[4])?;
        drop(op::mul(current, &x.tensor(&[4])?, &y.tensor(&[4])?, out)?);
        // An output whose size the data decide.
        let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
        let found = op::nonzero(current, &x.tensor(&[4])?, out)?.run(&mut stream)?;
        let mut places = current.malloc_host::<i64>(host, 4)?;
        current.memcpy(&mut places, found.front()?)?;
        drop(found);

        // Operands that belong to the stream.
        let (x, y) = (stream.adopt(x), stream.adopt(y));
        let out = stream.malloc::<f32>(4)?.into_tensor(&[4])?;
        let plan = op::sub(current, &y.tensor(&[4])?, &x.tensor(&[4])?, 1.0, out)?;
        let difference = plan.launch(&mut stream)?.into_output();
        let out = stream.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
        let found = op::nonzero(current, &x.tensor(&[4])?, out)?
            .launch(&mut stream)?
            .into_output();
        // One that is dropped while the stream has it.
        let out = stream.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
        drop(op::nonzero(current, &y.tensor(&[4])?, out)?.launch(&mut stream)?);
        let back = stream.malloc_host::<f32>(host, 4)?;
        let back = stream.memcpy_async(back, &difference)?;
        let idle = stream.synchronize()?;
        drop(idle.take(back));
        let found = idle.take(found);
        current.memcpy(&mut places, found.front()?)?;
        found.into_fresh().free()?;
        drop((x, y, difference));
        stream.destroy()
    })
}
