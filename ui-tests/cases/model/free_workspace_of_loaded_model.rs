//! Frees the workspace of a model that is loaded.

use ascendcl::model::{Blocking, NoGears, LoadOptions, ModelFile};
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, file: &ModelFile) -> Result<()> {
    let workspace = current.malloc::<u8>(4096)?;
    let options = LoadOptions::new().workspace(workspace);
    let model = current.load_model_with::<Blocking, NoGears>(file, options)?;
    workspace.free()?; //~ mistake
    model.unload()
}
