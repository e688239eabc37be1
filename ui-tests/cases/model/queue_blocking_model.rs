//! Queues a model that runs by the blocking call.

use ascendcl::model::Blocking; //~ mistake
//~ instead: use ascendcl::model::Queueing;
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let model = current.load_model::<Blocking>("model.onnx")?; //~ mistake
    //~ instead: let model = current.load_model::<Queueing>("model.onnx")?;
    let model = stream.adopt(model);
    drop(model);
    Ok(())
}
