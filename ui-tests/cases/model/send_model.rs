//! Runs a model on another thread than the one that has loaded it.

use ascendcl::model::{Blocking, Model};
use ascendcl::{DeviceBuf, Npu};

fn wrong<'d>(
    model: &mut Model<'_, 'd, Npu<0>, Blocking>,
    image: &DeviceBuf<'d, Npu<0>, [f32]>,
    scores: &mut DeviceBuf<'d, Npu<0>, [f32]>,
) {
    std::thread::scope(|scope| { //~ mistake
        scope.spawn(|| model.execute((image,), (scores,))); //~ mistake
    }); //~ mistake
    //~ instead: let _ = model.execute((image,), (scores,));
}
