//! Loads with options: memory of the program, weights that models share, and priorities.

use ascendcl::Npu;
use ascendcl::error::{ErrorKind, ModelMismatch, Usage};
use ascendcl::model::{Blocking, LoadOptions, ModelFile, ModelSize, NoGears, Queueing};
use ascendcl::stream::{Main, Priority};

use crate::common::{assert_clean, assert_says, bound, calls, isolated, usage};
use crate::model::{FAILING, SUM, engine};

type D = Npu<0>;

isolated! {
    // The checker knows that a load fills the memory of the weights.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "leaks"]
    on emulator fn two_models_share_weights_and_have_a_workspace_each() {
        engine();
        bound!(acl with journal, device: D, current);
        let file = ModelFile::new(SUM);
        let size = current.query_model_size(&file).unwrap();
        let ModelSize { workspace, weights, .. } = size;
        assert_eq!((workspace, weights), (512, 512));
        let shared = current.malloc_weights(&file).unwrap();
        let options = || {
            let workspace = current.malloc::<u8>(size.workspace).unwrap();
            LoadOptions::new().weights(&shared).workspace(workspace).priority(Priority::of::<3>())
        };
        let mut stream = current.create_stream::<Main>().unwrap();
        let first = current.load_model_with::<Queueing, NoGears>(&file, options()).unwrap();
        let mut second = current.load_model_with::<Blocking, NoGears>(&file.clone(), options()).unwrap();
        drop(shared);
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (sum,) = second.execute((&left, &right), (current.malloc::<f32>(6).unwrap(),)).unwrap();
        let mut first = stream.adopt(first);
        let (left, right, mut sum) = (stream.adopt(left), stream.adopt(right), stream.adopt(sum));
        let ((),) = stream.execute_async(&mut first, (&left, &right), (&mut sum,)).unwrap();
        drop((left, right, sum));
        let _ = stream.synchronize().unwrap();
        // Each unload frees its workspace, and the last one the weights.
        let freed = calls("aclrtFree");
        second.unload().unwrap();
        assert_eq!(calls("aclrtFree"), freed + 1);
        drop(first);
        assert_eq!(calls("aclmdlUnload"), 1);
        let _ = stream.synchronize().unwrap();
        assert_eq!((calls("aclmdlUnload"), calls("aclrtFree")), (2, freed + 3));
        assert_eq!(calls("aclmdlCreateConfigHandle"), calls("aclmdlDestroyConfigHandle"));
        stream.destroy().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn memory_that_is_too_small_is_refused_with_both_sizes() {
        engine();
        bound!(acl, device: D, current);
        let file = ModelFile::new(SUM);
        let workspace = current.malloc::<u8>(511).unwrap();
        let refused = current.load_model_with::<Blocking, NoGears>(&file, LoadOptions::new().workspace(workspace));
        assert_says(refused.map(drop), &["aclmdlLoadWithConfig", "145000", "workSize is 511", "512 bytes"]);
        // The memory of a refused load is freed.
        assert_eq!(ascendcl::emulator::live().device_blocks, 0);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn weights_of_another_file_are_refused() {
        engine();
        bound!(acl, device: D, current);
        let weights = current.malloc_weights(&ModelFile::new(FAILING)).unwrap();
        // The same bytes, and another file.
        for file in [ModelFile::new(SUM), ModelFile::new(FAILING)] {
            let load = current.load_model_with::<Blocking, NoGears>(&file, LoadOptions::new().weights(&weights));
            let refused = usage(load.map(drop));
            assert_eq!(refused, Usage::Model(ModelMismatch::Weights));
            let text = refused.to_string();
            assert!(text.contains("allocate them by `malloc_weights` for the file of this load"), "{text}");
        }
        drop(weights);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_file_that_is_no_model_has_no_size() {
        engine();
        bound!(acl, device: D, current);
        for (bytes, code) in [(&b""[..], 100000), (b"no model", 145000)] {
            let refused = current.query_model_size(&ModelFile::new(bytes)).unwrap_err();
            assert!(matches!(refused.kind(), ErrorKind::Refused(call) if call.code == code), "{refused}");
            let file = ModelFile::new(bytes);
            let refused = current.load_model_with::<Blocking, NoGears>(&file, LoadOptions::new()).map(drop).unwrap_err();
            let code = if code == 145000 { 145006 } else { code };
            assert!(matches!(refused.kind(), ErrorKind::Refused(call) if call.code == code), "{refused}");
        }
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn memory_of_a_forgotten_model_is_left_to_the_reset() {
        engine();
        bound!(acl, device: D, current);
        let file = ModelFile::new(SUM);
        let weights = current.malloc_weights(&file).unwrap();
        let workspace = current.malloc::<u8>(512).unwrap();
        let options = LoadOptions::new().weights(&weights).workspace(workspace);
        let model = current.load_model_with::<Blocking, NoGears>(&file, options).unwrap();
        std::mem::forget(model);
        // The model may still use them, so neither is freed.
        drop(weights);
        assert_eq!(ascendcl::emulator::live().device_blocks, 2);
        device.reset().unwrap();
        assert_eq!(ascendcl::release_failures(), 0);
        drop(acl);
    }
}
