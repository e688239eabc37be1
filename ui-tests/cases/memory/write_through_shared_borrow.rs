//! Writes host memory that is only borrowed for reading.

use ascendcl::HostBuf;

fn wrong(
    on_host: &HostBuf<'_, [f32]>, //~ mistake
    //~ instead: on_host: &mut HostBuf<'_, [f32]>,
) {
    on_host[0] = 1.0; //~ mistake
    //~ instead: on_host[0] = 1.0;
}
