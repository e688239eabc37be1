//! The same work on each of a number of streams. Each stream has a name and so a type of its own.

use ascendcl::{Acl, Current, HostSide, Npu, Result, StreamName, Thread, op};

type D = Npu<0>;

/// A name.
enum Name<const N: usize> {}
impl<const N: usize> StreamName for Name<N> {}

/// Upload, compute, download.
fn work<const N: usize>(current: Current<'_, '_, D>, side: HostSide<'_>) -> Result<()> {
    let mut stream = current.create_stream::<Name<N>>()?;
    let host = stream.adopt(current.malloc_host::<f32>(side, 16)?);
    let input = stream.adopt(current.malloc::<f32>(16)?);
    let input = stream.memcpy_async(input, &host)?;
    let output = stream.adopt(current.malloc::<f32>(16)?);
    let operand = input.tensor(&[16])?;
    let plan = op::mul(current, &operand, &operand, output.into_tensor(&[16])?)?;
    let output = plan.launch(&mut stream)?.into_output();
    let mut host = host;
    stream.memcpy_async(&mut host, &output)?;
    let idle = stream.synchronize()?;
    println!("{:?}", idle.take(host).first());
    Ok(())
}

macro_rules! names {
    ($current:ident $side:ident $($n:literal)*) => { $( work::<$n>($current, $side)?; )* };
}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let Some(side) = acl.run_mode()?.host() else {
        return Ok(());
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<D>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    names!(current side 0);
    #[cfg(feature = "names-8")]
    names!(current side 1 2 3 4 5 6 7);
    #[cfg(feature = "names-64")]
    names!(current side
        8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37
        38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    );
    Ok(())
}
