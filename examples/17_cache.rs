//! How does a cache grow by a row for each token, without a copy?
//!
//! `aclrtReserveMemAddress`, `aclrtMallocPhysical`, `aclrtMapMem`. The cache has addresses for all tokens that there may be,
//! and memory for those that there are. It grows while the work on its earlier rows is still queued.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::op::{self, CubeMath};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result};

/// The most tokens, and the numbers of one key.
const TOKENS: usize = 100_000;
const WIDTH: usize = 1024;

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let ones = stream.memset_d32_async(stream.malloc::<f32>(WIDTH)?, 1.0)?;
        let mut keys = stream.adopt(current.reserve_mem_address::<f32>(host, TOKENS * WIDTH)?);
        for token in 0..10 {
            // An operator writes the next key where it stays.
            let key = keys.grow(current, WIDTH)?.into_tensor(&[WIDTH])?;
            let ones = ones.tensor(&[WIDTH])?;
            op::add(current, &ones, &ones, token as f32, key)?
                .launch(&mut stream)?
                .into_output();
        }
        // Another one reads all keys as one matrix.
        let tokens = keys.len() / WIDTH;
        let scores = stream.malloc(tokens)?.into_tensor(&[tokens, 1])?;
        let (matrix, query) = (keys.tensor(&[tokens, WIDTH])?, ones.tensor(&[WIDTH, 1])?);
        let scores = op::mm(current, &matrix, &query, scores, CubeMath::Keep)?;
        let scores = scores.launch(&mut stream)?.into_output();
        let scores = stream.memcpy_async(stream.malloc_host(host, tokens)?, &scores)?;
        let scores = stream.synchronize()?.take(scores);
        let (mapped, reserved) = (keys.capacity() * 4, keys.reserved() * 4);
        println!(
            "{tokens} keys in {} of {} MiB",
            mapped.div_ceil(1 << 20),
            reserved.div_ceil(1 << 20)
        );
        println!("the sum of the scores is {}", scores.iter().sum::<f32>());
        Ok(())
    })
}
