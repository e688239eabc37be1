//! Random numbers without an operator.

use ascendcl::error::Usage;
use ascendcl::queue::RandomNum;
use ascendcl::{HostBuf, Npu, sys};

use crate::common::{assert_clean, assert_refused, bound, isolated, usage};

type D = Npu<0>;

isolated! {
    on emulator fn one_seed_and_one_counter_give_one_sequence() {
        bound!(acl, side, device: D, current, stream);
        let uniform = RandomNum::Uniform { min: -1.0, max: 1.0 };
        // All numbers in one call, and in two.
        let mut counter = stream.memset_async(stream.malloc::<u64>(2).unwrap(), 0).unwrap();
        let whole = stream.random_num_async(stream.malloc(64).unwrap(), &mut counter, uniform, 7).unwrap();
        stream.memset_async(&mut counter, 0).unwrap();
        let mut parts = stream.memset_async(stream.malloc::<f32>(64).unwrap(), 0).unwrap();
        stream.random_num_async(parts.slice_mut(0..32).unwrap(), &mut counter, uniform, 7).unwrap();
        stream.random_num_async(parts.slice_mut(32..32).unwrap(), &mut counter, uniform, 7).unwrap();
        stream.random_num_async(parts.slice_mut(32..64).unwrap(), &mut counter, uniform, 7).unwrap();
        let one = stream.memcpy_async(stream.malloc_host(side, 64).unwrap(), &whole).unwrap();
        let two = stream.memcpy_async(stream.malloc_host(side, 64).unwrap(), &parts).unwrap();
        let other = stream.random_num_async(whole.forget_contents(), &mut counter, uniform, 8).unwrap();
        let other = stream.memcpy_async(stream.malloc_host(side, 64).unwrap(), &other).unwrap();
        let idle = stream.synchronize().unwrap();
        let [one, two, other] = [one, two, other].map(|numbers| idle.take(numbers));
        assert_eq!(one[..], two[..]);
        assert_ne!(one[..], other[..]);
        assert!(one.iter().all(|number| (-1.0..=1.0).contains(number)), "{one:?}");
        drop(stream);
        assert_clean(&acl);
        let _ = device;
    }

    on emulator fn each_distribution_has_its_mean() {
        bound!(acl, side, device: D, current, stream);
        let mut counter = stream.memset_async(stream.malloc_as::<[u64; 2]>().unwrap(), 0).unwrap();
        for (numbers, least, most) in [
            (RandomNum::Uniform { min: 4.0, max: 6.0 }, 4.0, 6.0),
            (RandomNum::Normal { mean: 5.0, stddev: 0.5 }, 0.0, 10.0),
            (RandomNum::TruncatedNormal { mean: 5.0, stddev: 0.5 }, 3.9, 6.1),
        ] {
            let filled = stream.random_num_async(stream.malloc(4096).unwrap(), &mut counter, numbers, 1).unwrap();
            let back = stream.memcpy_async(stream.malloc_host(side, 4096).unwrap(), &filled).unwrap();
            let seen: HostBuf<'_, [f32]> = stream.synchronize().unwrap().take(back);
            assert!(seen.iter().all(|number| (least..=most).contains(number)), "{numbers:?}");
            let mean = seen.iter().sum::<f32>() / 4096.0;
            assert!((mean - 5.0).abs() < 0.1, "{numbers:?}: {mean}");
        }
        stream.synchronize().unwrap();
        let backwards = RandomNum::Uniform { min: 1.0, max: 0.0 };
        let refused = stream.random_num_async(stream.malloc(4).unwrap(), &mut counter, backwards, 1);
        assert_refused(refused, sys::ACL_ERROR_RT_PARAM_INVALID);
        assert_eq!(ascendcl::parked_bytes(), 16, "the fresh memory");
        stream.synchronize().unwrap();
        drop((counter, stream));
        assert_clean(&acl);
        let _ = device;
    }

    /// The number of its elements is compared when it is not a part of the type.
    on emulator fn a_counter_has_two_elements() {
        bound!(acl, device: D, current, stream);
        let uniform = RandomNum::Uniform { min: 0.0, max: 1.0 };
        for len in [1, 3] {
            let mut counter = stream.memset_async(stream.malloc::<u64>(len).unwrap(), 0).unwrap();
            let refused = stream.random_num_async(stream.malloc(4).unwrap(), &mut counter, uniform, 1);
            assert_eq!(usage(refused.map(drop)), Usage::RandomCounter { elements: len });
        }
        drop(stream);
        assert_clean(&acl);
        let _ = device;
    }

    ["ASCENDCL_EMULATOR_SOC" = "Ascend950PR_9599"]
    on emulator fn a_product_without_the_engine_says_so() {
        bound!(acl, device: D, current, stream);
        let mut counter = stream.memset_async(stream.malloc_as::<[u64; 2]>().unwrap(), 0).unwrap();
        let uniform = RandomNum::Uniform { min: 0.0, max: 1.0 };
        let refused = stream.random_num_async(stream.malloc(4).unwrap(), &mut counter, uniform, 1);
        assert_refused(refused, sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
        drop((counter, stream));
        assert_clean(&acl);
        let _ = device;
    }
}
