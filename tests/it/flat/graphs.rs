//! Loops beside graphs that other code captures: the typed API has none.

use ascendcl::event::Progress;
use ascendcl::stream::Main;
use ascendcl::sys;

use crate::flat::{Given, drop_queued, loops, rounds};
use crate::interop::c;

loops! {
    // Nothing that is dropped meanwhile waits for ever.
    fn streams_beside_a_capture(Given { current, .. }) {
        let mut captured = current.create_parked_stream().unwrap();
        let raw = captured.with(current, |stream| stream.as_raw());
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            c!(aclmdlRICaptureBegin(raw, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
            drop_queued(&mut stream).unwrap();
            assert!(current.synchronize_device().is_err());
            let fill = stream.memset_async(stream.malloc::<u8>(64).unwrap(), 1).unwrap();
            drop(stream.synchronize().unwrap().take(fill));
            let mut graph = std::ptr::null_mut();
            c!(aclmdlRICaptureEnd(raw, &raw mut graph));
            c!(aclmdlRIExecuteAsync(graph, stream.as_raw()));
            drop_queued(&mut stream).unwrap();
            stream.synchronize().unwrap();
            c!(aclmdlRIDestroy(graph));
        });
    }

    // A capture refuses the wait for the device, and a fence frees all the same.
    fn fences_beside_a_capture(Given { current, .. }) {
        let mut captured = current.create_parked_stream().unwrap();
        let raw = captured.with(current, |stream| stream.as_raw());
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut event = current.create_event::<Progress>().unwrap();
        c!(aclmdlRICaptureBegin(raw, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
        rounds(current, || {
            drop_queued(&mut stream).unwrap();
            stream.record(&mut event).unwrap().synchronize().unwrap();
        });
        let mut graph = std::ptr::null_mut();
        c!(aclmdlRICaptureEnd(raw, &raw mut graph));
        c!(aclmdlRIDestroy(graph));
    }
}
