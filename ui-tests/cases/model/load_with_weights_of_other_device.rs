//! Loads a model with weights that are in the memory of another device.

use ascendcl::model::{Blocking, NoGears, LoadOptions, ModelFile, Weights};
use ascendcl::{Current, Npu, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    file: &ModelFile,
    weights: &Weights<'d, Npu<1>>, //~ mistake
    //~ instead: weights: &Weights<'d, Npu<0>>,
) -> Result<()> {
    let options = LoadOptions::new().weights(weights);
    current.load_model_with::<Blocking, NoGears>(file, options)?.unload()
}
