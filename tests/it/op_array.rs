//! Operators on arrays, whose shapes the compiler compares.

use ascendcl::op::{self, CubeMath, array};
use ascendcl::{Current, DeviceBuf, Npu, Stream, release_failures};

use crate::common::{bound, isolated};
use crate::op_table::download;

type D = Npu<0>;

/// Fills an array with 0, 1, 2 and so on.
fn count<'dev, S: bytemuck::Pod, const N: usize>(
    current: Current<'_, 'dev, D>,
    side: ascendcl::HostSide<'_>,
) -> DeviceBuf<'dev, D, [S; N]> {
    let mut host = current.malloc_host_as::<[S; N]>(side).unwrap();
    for (place, number) in bytemuck::cast_slice_mut::<S, f32>(&mut host)
        .iter_mut()
        .zip(0u8..)
    {
        *place = f32::from(number);
    }
    current
        .memcpy(current.malloc_as::<[S; N]>().unwrap(), &host)
        .unwrap()
}

/// The numbers of an array.
fn numbers<S: bytemuck::Pod, const N: usize>(
    current: Current<'_, '_, D>,
    side: ascendcl::HostSide<'_>,
    buf: &DeviceBuf<'_, D, [S; N]>,
) -> Vec<f32> {
    let mut host = current.malloc_host_as::<[S; N]>(side).unwrap();
    current.memcpy(&mut host, buf).unwrap();
    bytemuck::cast_slice(&host).to_vec()
}

isolated! {
    fn products_of_arrays() {
        bound!(acl, side, device: D, current, stream);
        let a: DeviceBuf<'_, D, [[f32; 3]; 2]> = count(current, side);
        let b: DeviceBuf<'_, D, [[f32; 2]; 3]> = count(current, side);
        let out = current.malloc_as::<[[f32; 2]; 2]>().unwrap().into_array().unwrap();
        let plan = array::matmul(current, &a.array().unwrap(), &b.array().unwrap(), out, CubeMath::Keep).unwrap();
        let mut product: DeviceBuf<'_, D, [[f32; 2]; 2]> = plan.run(&mut stream).unwrap();
        assert_eq!(numbers(current, side, &product), [10.0, 13.0, 28.0, 40.0]);
        // A matrix by itself transposed, into memory that was written.
        let transposed = a.array().unwrap();
        let transposed = transposed.transpose().unwrap();
        let out = product.array_mut().unwrap();
        array::matmul(current, &a.array().unwrap(), &transposed, out, CubeMath::Keep).unwrap().run(&mut stream).unwrap();
        assert_eq!(numbers(current, side, &product), [5.0, 14.0, 14.0, 50.0]);
        let plain = product.array().unwrap();
        let sum = current.malloc::<f32>(1).unwrap().into_tensor(&[]).unwrap();
        let sum = op::reduce_sum(current, plain.as_tensor(), &[], false, sum).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sum), [83.0]);
        assert_eq!(release_failures(), 0);
    }

    fn arrays_of_one_shape_and_of_others() {
        bound!(acl, side, device: D, current, stream);
        let a: DeviceBuf<'_, D, [[f32; 3]; 2]> = count(current, side);
        let b: DeviceBuf<'_, D, [[f32; 2]; 3]> = count(current, side);
        let c: DeviceBuf<'_, D, [[f32; 3]; 1]> = count(current, side);
        let other = b.array().unwrap().reshape::<[[f32; 3]; 2]>().unwrap();
        let out = current.malloc_as::<[[f32; 3]; 2]>().unwrap().into_array().unwrap();
        let sum = array::add(current, &a.array().unwrap(), &other, 10.0, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(numbers(current, side, &sum), [0.0, 11.0, 22.0, 33.0, 44.0, 55.0]);
        let out = current.malloc_as::<[[f32; 3]; 3]>().unwrap().into_array().unwrap();
        let joined = array::cat(current, &sum.array().unwrap(), &c.array().unwrap(), out).unwrap();
        let joined = joined.run(&mut stream).unwrap();
        assert_eq!(numbers(current, side, &joined), [0.0, 11.0, 22.0, 33.0, 44.0, 55.0, 0.0, 1.0, 2.0]);
        launched(&mut stream, current, side, joined);
        assert_eq!(release_failures(), 0);
    }

    fn arrays_of_every_length() {
        bound!(acl, side, device: D, current, stream);
        let x: DeviceBuf<'_, D, [[f32; 100]; 1]> = count(current, side);
        let weights: DeviceBuf<'_, D, [[f32; 2]; 100]> = count(current, side);
        let y = layer(current, &mut stream, &x, &weights);
        // The sums of k * 2k and of k * (2k + 1) for k below 100.
        assert_eq!(numbers(current, side, &y), [656_700.0, 661_650.0]);
        assert_eq!(release_failures(), 0);
    }
}

/// Multiplies a batch by weights of any size, without a bound on the lengths.
fn layer<'dev, const IN: usize, const OUT: usize, const BATCH: usize>(
    current: Current<'_, 'dev, D>,
    stream: &mut Stream<'_, 'dev, D>,
    x: &DeviceBuf<'_, D, [[f32; IN]; BATCH]>,
    weights: &DeviceBuf<'_, D, [[f32; OUT]; IN]>,
) -> DeviceBuf<'dev, D, [[f32; OUT]; BATCH]> {
    let out = current.malloc_as::<[[f32; OUT]; BATCH]>().unwrap();
    let (x, weights) = (x.array().unwrap(), weights.array().unwrap());
    let out = out.into_array().unwrap();
    let plan = array::matmul(current, &x, &weights, out, CubeMath::Keep).unwrap();
    plan.run(stream).unwrap()
}

/// Squares an array on memory of the stream.
fn launched<'dev>(
    stream: &mut Stream<'_, 'dev, D>,
    current: Current<'_, 'dev, D>,
    side: ascendcl::HostSide<'_>,
    joined: DeviceBuf<'dev, D, [[f32; 3]; 3]>,
) {
    let joined = stream.adopt(joined);
    let out = stream
        .adopt(current.malloc_as::<[[f32; 3]; 3]>().unwrap())
        .into_array()
        .unwrap();
    let plan = array::mul(
        current,
        &joined.array().unwrap(),
        &joined.array().unwrap(),
        out,
    )
    .unwrap();
    let squares = plan.launch(stream).unwrap().into_output();
    let mut roots = stream.adopt(
        current
            .memset(current.malloc_as::<[[f32; 3]; 3]>().unwrap(), 0)
            .unwrap(),
    );
    let out = roots.array_mut().unwrap();
    array::div(
        current,
        &squares.array().unwrap(),
        &joined.array().unwrap(),
        out,
    )
    .unwrap()
    .launch(stream)
    .unwrap()
    .into_output();
    let idle = stream.synchronize().unwrap();
    let (squares, roots) = (idle.take(squares), idle.take(roots));
    assert_eq!(
        numbers(current, side, &squares),
        [0.0, 121.0, 484.0, 1089.0, 1936.0, 3025.0, 0.0, 1.0, 4.0]
    );
    assert_eq!(
        numbers(current, side, &roots)[1..6],
        [11.0, 22.0, 33.0, 44.0, 55.0]
    );
}
