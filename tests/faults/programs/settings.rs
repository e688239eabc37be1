//! Settings in each of their places, the overflow status, and a limit that ends by an error.

use ascendcl::settings::{CoreKind, DeviceInfo, DeviceLimit, FloatOverflowMode};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, Thread, op};

fn main() -> Result<()> {
    let mut acl = Acl::from_env()?;
    acl.set_device_state_callback(Some(|_, _| {}))?;
    acl.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10)?;
    acl.device_limit(DeviceLimit::SimdStackSize)?;
    let host = acl.host()?;
    let mut thread = Thread::claim()?;
    let mut device = acl.set_device::<Npu<0>>(&mut thread, acl.phy_dev_id(0)?.user_id(&acl)?)?;
    device.set_res_limit(CoreKind::Vector, 16)?;
    device.set_sat_mode(&mut thread, FloatOverflowMode::InfNan)?;
    acl.device_info(0, DeviceInfo::VectorCoreNum)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    stream.set_overflow_switch(true)?;
    stream.reset_overflow_status()?;
    stream.prof_trace([0; 18])?;
    let x = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
    let x = x.tensor(&[4])?;
    let out = stream.malloc(4)?.into_tensor(&[4])?;
    let limits = [(CoreKind::Cube, 4), (CoreKind::Vector, 8)];
    let sum = stream.with_res_limit(&limits, |stream| {
        let plan = op::add(current, &x, &x, 1.0, out)?;
        stream.with_res_limit(&[(CoreKind::Cube, 2)], |stream| {
            Ok(plan.launch(stream)?.into_output())
        })
    })?;
    let status = stream.malloc_as::<[u8; 64]>()?;
    let status = stream.overflow_status(status)?;
    let back = stream.memcpy_async(stream.malloc_host_as::<[u8; 64]>(host)?, &status)?;
    let idle = stream.synchronize()?;
    idle.take(sum);
    idle.take(back);
    Ok(())
}
