// Multiplies batches by weights; the upload of one batch overlaps the computation of another one.

use ascendcl::pipeline::Pipeline;
use ascendcl::{Acl, Npu, op};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let weights = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0])?;
        let copy = || current.memcpy(current.malloc(4)?, &weights);
        let mut pipeline = Pipeline::with_values(current, host, 2, [4, 4], copy)?;
        pipeline.run(
            0..20,
            |number, input| input.fill(number as f32),
            |batch| {
                let (x, w) = (batch.input.tensor(&[4])?, batch.value.tensor(&[4])?);
                let plan = op::mul(current, &x, &w, batch.output.into_tensor(&[4])?)?;
                Ok(plan.launch(batch.stream)?.into_output())
            },
            |number, products| {
                println!("{number}: {:?}", products?);
                Ok(())
            },
        )
    })
}
