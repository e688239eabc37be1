//! Gives a host function a counter that only one thread may use.

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let name = std::rc::Rc::new(String::from("layer 1")); //~ mistake
    //~ instead: let name = std::sync::Arc::new(String::from("layer 1"));
    let kept = name.clone();
    stream.launch_host_func(move || println!("{name} is done"))?;
    println!("{kept} is queued");
    Ok(())
}
