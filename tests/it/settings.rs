//! Settings of devices and streams, and what AscendCL tells about them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use ascendcl::callback::DeviceState;
use ascendcl::error::Usage;
use ascendcl::settings::{
    CoreKind, DeviceInfo, DeviceLimit, FloatOverflowMode, LogLevel, PhyDevId,
};
use ascendcl::stream::Main;
use ascendcl::{Acl, Device, Npu, StreamName, Thread, release_failures, sys};

use crate::common::{acl, assert_says, isolated, usage};

enum Second {}
impl StreamName for Second {}

fn device<'acl>(acl: &'acl Acl, thread: &mut Thread) -> Device<'acl, Npu<0>> {
    acl.set_device(thread, 0).unwrap()
}

isolated! {
    fn limits_of_devices_are_checked_before_the_call() {
        let mut acl = acl();
        acl.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10).unwrap();
        assert_eq!(acl.device_limit(DeviceLimit::SimdStackSize).unwrap(), 64 << 10);
        for (limit, bytes, says) in [
            (DeviceLimit::SimdStackSize, 40_000, "SimdStackSize cannot be 40000 bytes: pass a multiple of 16384 from 32768 on"),
            (DeviceLimit::SimdStackSize, 16 << 10, "from 32768 on"),
            (DeviceLimit::SimdPrintfFifoSizePerCore, 8, "pass a multiple of 8 from 1024 to 67108864"),
            (DeviceLimit::SimdPrintfFifoSizePerCore, 128 << 20, "from 1024 to 67108864"),
            (DeviceLimit::SimtStackSize, 100, "SimtStackSize cannot be 100 bytes: pass a multiple of 128"),
            (DeviceLimit::SimtPrintfFifoSize, 1, "pass a multiple of 8"),
        ] {
            assert_says(acl.set_device_limit(limit, bytes), &[says]);
        }
        // A limit that these products do not have.
        assert_says(acl.set_device_limit(DeviceLimit::SimtDvgWarpStackSize, 128), &["207000"]);
        assert_says(acl.device_limit(DeviceLimit::SimtStackSize), &["207000"]);
        assert_eq!(acl.device_limit(DeviceLimit::SimdStackSize).unwrap(), 64 << 10);
    }

    ["ASCEND_RT_VISIBLE_DEVICES" = "1, 2"]
    fn limits_need_device_0() {
        let mut acl = acl();
        let mistake = usage(acl.set_device_limit(DeviceLimit::SimdStackSize, 64 << 10));
        assert_eq!(mistake, Usage::HiddenDevice { visible: "1, 2".to_owned() });
        assert_says(Err::<(), _>(ascendcl::Error::from(mistake)), &["\"1, 2\"", "add device 0"]);
    }

    fn a_device_has_at_most_its_cores() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let mut device = device(&acl, &mut thread);
        let all = device.res_limit(CoreKind::Cube).unwrap();
        assert_eq!(i64::from(all), acl.device_info(0, DeviceInfo::CubeCoreNum).unwrap());
        assert_says(device.set_res_limit(CoreKind::Cube, all + 1), &["aclrtSetDeviceResLimit", "107000"]);
        let none = usage(device.set_res_limit(CoreKind::Cube, 0));
        assert_eq!(none, Usage::NoCores { kind: "Cube".to_owned() });
        assert_says(Err::<(), _>(ascendcl::Error::from(none)), &["0 cores of the kind Cube", "pass 1 to", "leave the kind out"]);
        device.set_res_limit(CoreKind::Cube, 3).unwrap();
        assert_eq!(thread.set_current(&device).unwrap().res_limit(CoreKind::Cube).unwrap(), 3);
        device.reset_res_limit().unwrap();
        assert_eq!(device.res_limit(CoreKind::Cube).unwrap(), all);
        device.reset().unwrap();
    }

    fn limits_of_streams_end_with_their_closure() {
        let acl = acl();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let mut second = current.create_stream::<Second>()?;
            let in_use = || current.res_limit(CoreKind::Cube).unwrap();
            let uses = |cores| {
                assert_eq!(in_use(), cores);
                Ok(())
            };
            let all = in_use();
            stream.with_res_limit(&[(CoreKind::Cube, 5), (CoreKind::Vector, 7)], |stream| {
                assert_eq!((in_use(), current.res_limit(CoreKind::Vector)?), (5, 7));
                // On the same stream, on another one, and with an error on the way.
                stream.with_res_limit(&[(CoreKind::Cube, 2)], |_| uses(2))?;
                assert_eq!(in_use(), 5);
                second.with_res_limit(&[(CoreKind::Cube, 3)], |_| uses(3))?;
                assert_eq!(in_use(), 5);
                let refused = second.with_res_limit(&[(CoreKind::Vector, 1), (CoreKind::Cube, 9999)], |_| Ok(()));
                assert_says(refused, &["aclrtSetStreamResLimit", "107000"]);
                assert_eq!((in_use(), second.res_limit(CoreKind::Vector)? > 1), (5, true));
                let none = second.with_res_limit(&[(CoreKind::Vector, 1), (CoreKind::Cube, 0)], |_| Ok(()));
                assert_eq!(usage(none), Usage::NoCores { kind: "Cube".to_owned() });
                assert_eq!((in_use(), second.res_limit(CoreKind::Vector)? > 1), (5, true));
                Ok(())
            })?;
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                stream.with_res_limit::<()>(&[(CoreKind::Cube, 4)], |_| panic!("its own mistake"))
            }));
            assert!(panicked.is_err());
            assert_eq!((in_use(), stream.res_limit(CoreKind::Cube)?), (all, all));
            Ok(())
        })
        .unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn the_mode_of_overflow_holds_for_later_streams() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        let mut device = device(&acl, &mut thread);
        for mode in [FloatOverflowMode::Saturation, FloatOverflowMode::InfNan] {
            device.set_sat_mode(&mut thread, mode).unwrap();
            assert_eq!(thread.set_current(&device).unwrap().sat_mode().unwrap(), mode);
        }
        device.reset().unwrap();
    }

    fn the_overflow_status_is_64_bytes_of_queued_memory() {
        let acl = acl();
        let host = acl.host().unwrap();
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            assert!(!stream.overflow_switch()?);
            stream.set_overflow_switch(true)?;
            assert!(stream.overflow_switch()?);
            stream.reset_overflow_status()?;
            let status = stream.memset_async(stream.malloc_as::<[u8; 64]>()?, 7)?;
            let mut status = status;
            stream.overflow_status(&mut status)?;
            let fresh = stream.malloc_as::<[u8; 64]>()?;
            let fresh = stream.overflow_status(fresh)?;
            for status in [status, fresh] {
                let back = stream.memcpy_async(stream.malloc_host_as::<[u8; 64]>(host)?, &status)?;
                assert_eq!(stream.synchronize()?.take(back)[..], [0; 64]);
            }
            Ok(())
        })
        .unwrap();
    }

    fn a_device_has_three_numbers() {
        let acl = acl();
        for id in 0..acl.device_count().unwrap() {
            assert_eq!(acl.logic_dev_id(id).unwrap().user_id(&acl).unwrap(), id);
            let physical = acl.phy_dev_id(id).unwrap();
            assert_eq!(PhyDevId::new(physical.get()), physical);
            assert_eq!(physical.user_id(&acl).unwrap(), id);
        }
        assert_ne!(acl.device_uuid(0).unwrap(), acl.device_uuid(1).unwrap());
        assert_says(acl.phy_dev_id(9), &["aclrtGetPhyDevIdByLogicDevId", "107001"]);
        assert_eq!(usage(acl.logic_dev_id(u32::MAX)), Usage::DeviceId { id: u32::MAX });
        assert!(acl.bare_tgid().unwrap() > 0);
    }

    on emulator fn emulated_devices_are_on_no_bus() {
        let acl = acl();
        assert_says(acl.pci_bus_id(0), &["207000"]);
        assert_says(acl.device_by_pci_bus_id(c"0000:c1:00.0"), &["207000"]);
        assert_says(acl.version_num(c"no such package"), &["aclsysGetVersionNum"]);
    }

    fn a_device_answers_questions() {
        let acl = acl();
        let ask = |info| acl.device_info(1, info);
        for info in [
            DeviceInfo::AiCoreNum,
            DeviceInfo::VectorCoreNum,
            DeviceInfo::L2Size,
            DeviceInfo::AicpuCoreNum,
            DeviceInfo::CubeCoreNum,
            DeviceInfo::TotalGlobalMemSize,
        ] {
            assert!(ask(info).unwrap() > 0, "{info:?}");
        }
        for info in [DeviceInfo::IsVirtual, DeviceInfo::TaskUpdate, DeviceInfo::MemqEventCrossDev] {
            assert!((0..=1).contains(&ask(info).unwrap()), "{info:?}");
        }
        for info in [DeviceInfo::CubeUtilization, DeviceInfo::VectorUtilization, DeviceInfo::AicpuUtilization] {
            assert!((-1..=100).contains(&ask(info).unwrap()), "{info:?}");
        }
        assert_says(acl.device_info(9, DeviceInfo::AiCoreNum), &["aclGetDeviceCapability", "107001"]);
    }

    fn work_has_numbers_and_marks() {
        let acl = acl();
        let mut thread = Thread::claim().unwrap();
        assert_eq!(thread.device_id(&acl).unwrap(), None);
        let device = acl.set_device::<Npu<0>>(&mut thread, 1).unwrap();
        assert_eq!(thread.device_id(&acl).unwrap(), Some(1));
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let second = current.create_stream::<Second>().unwrap();
        assert_ne!(stream.id().unwrap(), second.id().unwrap());
        stream.prof_trace([b'x'; 18]).unwrap();
        let first = current.last_task_id().unwrap();
        stream.prof_trace([0; 18]).unwrap();
        assert_ne!(current.last_task_id().unwrap(), first);
        stream.synchronize().unwrap();
        assert!(!current.default_stream_raw().unwrap().is_null());
    }

    fn a_line_of_the_log_is_no_format_and_no_error() {
        let acl = acl();
        for level in [LogLevel::Debug, LogLevel::Info, LogLevel::Warning, LogLevel::Error] {
            acl.app_log(level, "100 %s %n of the work\0 are done");
        }
        assert_eq!(sys::absent::peek(), None);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn the_last_error_of_the_thread_is_forgotten() {
        let acl = acl();
        acl.on::<Npu<0>, _>(0, |current| {
            // SAFETY: the function checks the handle.
            let code = unsafe { sys::aclrtSynchronizeStream(core::ptr::without_provenance_mut(8)) };
            assert_says(current.last_error(), &["aclrtGetLastError", &code.to_string()]);
            current.last_error()
        })
        .unwrap();
    }

    fn the_hook_learns_of_each_state() {
        static TOLD: Mutex<Vec<(u32, DeviceState, Usage)>> = Mutex::new(Vec::new());
        let mut acl = acl();
        let collect = |id, state| {
            TOLD.lock().unwrap().push((id, state, usage(Thread::claim())));
            panic!("its own mistake");
        };
        acl.set_device_state_callback(Some(|_, _| unreachable!())).unwrap();
        acl.set_device_state_callback(Some(collect)).unwrap();
        acl.on::<Npu<0>, _>(1, |_| Ok(())).unwrap();
        let states = [DeviceState::SetPre, DeviceState::SetPost, DeviceState::ResetPre, DeviceState::ResetPost];
        assert_eq!(TOLD.lock().unwrap()[..], states.map(|state| (1, state, Usage::InHostFunc)));
        acl.set_device_state_callback(None).unwrap();
        acl.set_device_state_callback(None).unwrap();
        acl.on::<Npu<0>, _>(1, |_| Ok(())).unwrap();
        assert_eq!(TOLD.lock().unwrap().len(), 4);
        acl.set_device_state_callback(Some(collect)).unwrap();
        acl.on::<Npu<0>, _>(0, |_| Ok(())).unwrap();
        assert_eq!(TOLD.lock().unwrap().len(), 8);
    }
}
