//! Every kind of parameter that an operator can have reaches C, and outputs of every kind come back.

use ascendcl::emulator::operator::{self as emulated, Call, Input, Plan, Refusal};
use ascendcl::op::{
    Bools, Floats, In, InOut, Ints, List, Operator, Out, OutList, Scalar, Scalars, SparseList, Text,
};
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread, sys};

use crate::common::{acl, host, isolated};
use crate::op_table::{download, upload};

type D = Npu<0>;

/// With as many parameters as the longest operator of CANN has.
enum Every {}
// SAFETY: the parameters of the operator that the test registers; it writes all outputs, which have one element.
unsafe impl Operator for Every {
    ascendcl::operator!(aclnnEvery(
        one: In<f32>,
        maybe: Option<In<f32>>,
        null_tensor: Option<In<f32>>,
        list: List<f32>,
        maybe_list: Option<List<f32>>,
        null_list: Option<List<f32>>,
        sparse: SparseList<f32>,
        scalar: Scalar<f32>,
        maybe_scalar: Option<Scalar<f32>>,
        null_scalar: Option<Scalar<f32>>,
        scalars: Scalars<i64>,
        null_scalars: Option<Scalars<i64>>,
        ints: Ints,
        null_ints: Option<Ints>,
        floats: Floats,
        null_floats: Option<Floats>,
        bools: Bools,
        null_bools: Option<Bools>,
        text: Text,
        maybe_text: Option<Text>,
        null_text: Option<Text>,
        i8: i8,
        i32: i32,
        int: i32,
        i64: i64,
        u64: u64,
        f32: f32,
        f64: f64,
        flag: bool,
        dtype: sys::aclDataType,
        out: Out<f64>,
        const_out: Out<f32>,
        maybe_out: Option<Out<f32>>,
        null_out: Option<Out<f32>>,
        changed: InOut<f32>,
        maybe_changed: Option<InOut<f32>>,
        null_changed: Option<InOut<f32>>,
        outs: OutList<f32>,
        maybe_outs: Option<OutList<i32>>,
        padding: i64,
        padding_too: i64,
        padding_again: i64,
    ));
}

/// Writes the first element of each tensor that it reads, and each number, to `out`, one behind the other. The other
/// outputs get their number.
fn every(call: &Call) -> Result<Plan, Refusal> {
    let mut inputs = vec![call.input("one")?];
    inputs.extend(call.optional_input("maybe")?);
    inputs.extend(call.optional_input("null_tensor")?);
    inputs.extend(call.inputs("list")?);
    inputs.extend(call.inputs("maybe_list")?);
    inputs.extend(call.inputs("null_list")?);
    let sparse = call.sparse_inputs("sparse")?;
    if let [Some(_), None, Some(_)] = sparse[..] {
        inputs.extend(sparse.into_iter().flatten());
    }
    inputs.push(call.input("changed")?);
    inputs.extend(call.optional_input("maybe_changed")?);
    inputs.extend(call.optional_input("null_changed")?);
    let mut numbers = vec![call.scalar("scalar")?.to_f64()];
    for name in ["maybe_scalar", "null_scalar"] {
        numbers.extend(call.optional_scalar(name)?.map(|one| one.to_f64()));
    }
    for name in ["scalars", "null_scalars"] {
        numbers.extend(call.scalars(name)?.iter().map(|one| one.to_f64()));
    }
    for name in ["ints", "null_ints"] {
        numbers.extend(call.ints(name)?.iter().map(|one| *one as f64));
    }
    for name in ["floats", "null_floats"] {
        numbers.extend(call.floats(name)?.iter().map(|one| f64::from(*one)));
    }
    for name in ["bools", "null_bools"] {
        numbers.extend(call.bools(name)?.iter().map(|one| f64::from(*one)));
    }
    for name in ["text", "maybe_text", "null_text"] {
        numbers.extend(call.text(name)?.map(|text| text.len() as f64));
    }
    for name in ["i8", "i32", "int", "i64", "u64"] {
        numbers.push(call.whole(name)? as f64);
    }
    numbers.extend([call.floating("f32")?, call.floating("f64")?]);
    numbers.push(f64::from(call.flag("flag")?));
    numbers.push(f64::from(call.dtype("dtype")?.0));
    let out = call.output("out")?;
    if out.elements() != inputs.len() + numbers.len() {
        return Err(Refusal::invalid(format_args!(
            "out has {} elements, and there are {} tensors and {} numbers",
            out.elements(),
            inputs.len(),
            numbers.len()
        )));
    }
    let mut outputs = vec![call.output("const_out")?];
    outputs.extend(call.optional_output("maybe_out")?);
    outputs.extend(call.optional_output("null_out")?);
    outputs.push(call.output("changed")?);
    outputs.extend(call.optional_output("maybe_changed")?);
    outputs.extend(call.outputs("outs")?);
    outputs.extend(call.outputs("maybe_outs")?);
    call.plan(move |views| {
        let first = |input: &Input| views.input(input).get::<f64>(0);
        let seen = inputs.iter().map(first).chain(numbers.iter().copied());
        let mut to = views.output(&out);
        for (index, number) in seen.enumerate() {
            to.set(index, number);
        }
        for (index, output) in outputs.iter().enumerate() {
            views.output(output).set(0, 100.0 + index as f64);
        }
    })
}

fn register() {
    let every = ascendcl::emulator::operator!(aclnnEvery(
        one: tensor,
        maybe: optional_tensor,
        null_tensor: optional_tensor,
        list: tensor_list,
        maybe_list: optional_tensor_list,
        null_list: optional_tensor_list,
        sparse: sparse_tensor_list,
        scalar: scalar,
        maybe_scalar: optional_scalar,
        null_scalar: optional_scalar,
        scalars: scalar_list,
        null_scalars: optional_scalar_list,
        ints: int_array,
        null_ints: optional_int_array,
        floats: float_array,
        null_floats: optional_float_array,
        bools: bool_array,
        null_bools: optional_bool_array,
        text: text,
        maybe_text: mut_text,
        null_text: text,
        i8: i8,
        i32: i32,
        int: c_int,
        i64: i64,
        u64: u64,
        f32: f32,
        f64: f64,
        flag: bool,
        dtype: aclDataType,
        out: out_tensor,
        const_out: const_out_tensor,
        maybe_out: optional_out_tensor,
        null_out: optional_const_out_tensor,
        changed: inout_tensor,
        maybe_changed: optional_inout_tensor,
        null_changed: optional_inout_tensor,
        outs: out_tensor_list,
        maybe_outs: optional_out_tensor_list,
        padding: i64,
        padding_too: i64,
        padding_again: i64,
    ) = every);
    // SAFETY: `Every` has these parameters, and the definition writes its outputs.
    unsafe { emulated::register(every) };
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn every_kind_of_parameter_reaches_c_and_every_output_comes_back() {
        let acl = acl();
        register();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let inputs = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|value| upload(current, side, &[value]));
        let [a, b, c, d, e, f, g] = inputs.each_ref().map(|buffer| buffer.tensor(&[1]).unwrap());
        let mut changed = upload(current, side, &[8.0f32]);
        let mut maybe_changed = upload(current, side, &[9.0f32]);
        let mut lent = upload(current, side, &[0i32]);
        let fresh = || current.malloc(1).unwrap().into_tensor(&[1]).unwrap();
        let out = current.malloc(28).unwrap().into_tensor(&[28]).unwrap();
        let plan = Every::plan(current, (
            &a, Some(&b), None, &vec![&c, &d], Some(&[&e][..]), None, &[Some(&f), None, Some(&g)],
            10.5, Some(11.5), None, &[12, 13], None,
            &[14], None, &vec![15.5], None, &[true, false], None,
            c"BSND", Some(c"half!"), None,
            -16, -17, -18, -19, 20, 21.5, 22.25, true, sys::ACL_INT8,
            out, fresh(), Some(fresh()), (),
            changed.tensor_mut(&[1]).unwrap(), Some(maybe_changed.tensor_mut(&[1]).unwrap()), (),
            vec![fresh(), fresh()], Some([lent.tensor_mut(&[1]).unwrap()]),
            0, 0, 0,
        )).unwrap();
        let (out, const_out, maybe_out, (), (), Some(()), (), outs, Some([()])) = plan.run(&mut stream).unwrap() else {
            panic!("what was passed comes back");
        };
        let seen = [
            1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.5, 11.5, 12.0, 13.0, 14.0, 15.5, 1.0, 0.0, 4.0, 5.0,
            -16.0, -17.0, -18.0, -19.0, 20.0, 21.5, 22.25, 1.0, 2.0,
        ];
        assert_eq!(download(current, side, &out), seen);
        assert_eq!(download(current, side, &const_out), [100.0]);
        assert_eq!(download(current, side, &maybe_out.unwrap()), [101.0]);
        assert_eq!(download(current, side, &changed), [102.0]);
        assert_eq!(download(current, side, &maybe_changed), [103.0]);
        let outs: Vec<f32> = outs.iter().flat_map(|out| download(current, side, out)).collect();
        assert_eq!(outs, [104.0, 105.0]);
        assert_eq!(download(current, side, &lent), [106]);
    }
}
