//! `.npy` files, as the example `vector_add` reads them.

use crate::npy::{Dtype, Npy};
use crate::{scratch, shape};

pub(crate) fn read(bytes: &[u8]) {
    let (path, _) = scratch::write("a.npy", bytes);
    for wanted in [None, Some(Dtype::Bf16)] {
        let (a, b) = match Npy::open_pair(&path, &path, wanted) {
            Ok(pair) => pair,
            Err(error) => {
                assert!(error.to_string().contains("a.npy"), "{error}");
                continue;
            }
        };
        assert_eq!(shape::of_result(&a, &b).unwrap(), a.shape);
        let elements: usize = a.shape.iter().product();
        let read = match a.dtype {
            Dtype::F16 | Dtype::Bf16 => a.read::<u16>().unwrap().len(),
            Dtype::F32 | Dtype::I32 => a.read::<u32>().unwrap().len(),
            Dtype::I64 => a.read::<u64>().unwrap().len(),
        };
        assert_eq!(read, elements);
        assert!(
            elements <= bytes.len(),
            "{elements} elements from {} bytes",
            bytes.len()
        );
        assert!(
            matches!(&*a.stored(), "<f4" | "<f2" | "<i4" | "<i8" | "<V2" | "<u2"),
            "{}",
            a.stored()
        );
    }
}
