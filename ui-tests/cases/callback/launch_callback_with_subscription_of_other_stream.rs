//! Launches a callback with the subscription of another stream.

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    main: &mut Stream<'_, '_, Npu<0>>,
    up: &mut Stream<'_, '_, Npu<0>, Upload>,
    of_up: &Subscribed<(Npu<0>, Upload)>,
    of_main: &Subscribed<(Npu<0>, Main)>,
) -> Result<()> {
    up.launch_callback(of_up, || println!("the input is there"))?;
    main.launch_callback(of_up, || println!("half of the work is done")) //~ mistake
    //~ instead: main.launch_callback(of_main, || println!("half of the work is done"))
}
