//! Gives two models the same workspace, although both may run at once.

use ascendcl::model::{NoGears, LoadOptions, ModelFile, Queueing};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
    let workspace = current.malloc::<u8>(4096)?;
    let first = LoadOptions::new().workspace(workspace);
    let first = current.load_model_with::<Queueing, NoGears>(file, first)?;
    let second = LoadOptions::new().workspace(workspace); //~ mistake
    //~ instead: let second = LoadOptions::new().workspace(current.malloc::<u8>(4096)?);
    let second = current.load_model_with::<Queueing, NoGears>(file, second)?;
    first.unload()?;
    second.unload()
}
