//! Lent memory: two streams in a scope, one of which is parked in it, and an error on the way out.

use std::mem;

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, StreamName, op};

enum Second {}
impl StreamName for Second {}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    acl.host()?;
    let numbers = [1_u32; 16];
    let mut copies = [0_u32; 16];
    acl.on::<Npu<0>, _>(0, |current| {
        let mut first = current.create_stream::<Main>()?;
        let second = current.create_stream::<Second>()?;
        let parked = current.scope(|scope| -> Result<_> {
            let mut second = second;
            let from = first.adopt(scope.lend(&numbers[..]));
            let mut to = second.adopt(scope.lend(&mut copies[..]));
            let on_first = first.memcpy_async(first.malloc(16)?, &from)?;
            let on_second = second.memset_async(second.malloc(16)?, 3)?;
            second.memcpy_async(&mut to, &on_second)?;
            mem::forget(to);
            drop(first.synchronize()?.take(on_first));
            Ok(current.park(second))
        })??;
        drop(parked);
        let x = current.memset(current.malloc::<u32>(16)?, 1)?;
        current.scope(|scope| -> Result<()> {
            let x = first.adopt(scope.lend(&x));
            let out = first.malloc::<i32>(16)?;
            drop((x, out));
            Ok(())
        })??;
        let x = current.memset(current.malloc::<i32>(16)?, 1)?;
        let out = current.malloc::<i32>(16)?.into_tensor(&[16])?;
        let x = x.tensor(&[16])?;
        drop(op::add(current, &x, &x, 1, out)?.run(&mut first)?);
        Ok(())
    })
}
