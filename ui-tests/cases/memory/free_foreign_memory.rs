//! Frees memory of another library, which will free it again.

use ascendcl::Npu;
use ascendcl::memory::ForeignBuf;

fn wrong(tensor: ForeignBuf<'_, Npu<0>, [f32]>) {
    let _ = tensor.free(); //~ mistake
    //~ instead: drop(tensor);
}
