//! Attention.
//!
//! Quantized and paged keys and values are refused, and so is the layout `TND`.

mod scores;

use scores::Row;

use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count};
use crate::op::shape::Dims;
use crate::op::tensor::Tensor;

definitions! {
    aclnnFlashAttentionScore = |call: &Call| train(call, true);
    aclnnPromptFlashAttentionV3 = prompt;
    aclnnIncreFlashAttentionV4 = increment;
    aclnnFusedInferAttentionScoreV2 = fused;
    aclnnFusedInferAttentionScoreV3 = fused;
}

/// The order of the dimensions: batch, heads, positions and elements.
#[derive(Debug, Clone, Copy)]
enum Layout {
    BatchHeads,
    BatchPositions,
    PositionsBatch,
}

/// Queries, keys, values or results.
#[derive(Debug, Clone, Copy)]
struct Heads {
    layout: Layout,
    batches: usize,
    heads: usize,
    positions: usize,
    width: usize,
}

impl Heads {
    /// Reads the sizes from a shape; `heads` is needed where the heads are part of the last dimension.
    fn new(name: &str, shape: &[usize], layout: &str, heads: usize) -> Result<Self, Refusal> {
        let refused = || {
            Refusal::invalid(format_args!(
                "{name} {shape:?} has not {heads} heads in the layout {layout:?}"
            ))
        };
        let (order, [batches, found, positions, width]) = match (layout, shape) {
            ("BNSD", [b, n, s, d]) => (Layout::BatchHeads, [*b, *n, *s, *d]),
            ("BSND", [b, s, n, d]) => (Layout::BatchPositions, [*b, *n, *s, *d]),
            ("BSH", [b, s, h]) if heads > 0 && h % heads == 0 => {
                (Layout::BatchPositions, [*b, heads, *s, h / heads])
            }
            ("SBH", [s, b, h]) if heads > 0 && h % heads == 0 => {
                (Layout::PositionsBatch, [*b, heads, *s, h / heads])
            }
            _ => return Err(refused()),
        };
        if found != heads {
            return Err(refused());
        }
        Ok(Self {
            layout: order,
            batches,
            heads,
            positions,
            width,
        })
    }

    /// Returns the distances of batches, heads, positions and elements of a tensor with this layout.
    fn steps(&self, tensor: &Tensor) -> [usize; 4] {
        let steps = tensor.strides.as_slice();
        let (zeroth, first, second) = (at(steps, 0), at(steps, 1), at(steps, 2));
        // In three dimensions the heads are parts of the last one.
        let (third, element) = match steps.len() {
            3 => (self.width * second, second),
            _ => (second, at(steps, 3)),
        };
        match self.layout {
            Layout::BatchHeads => [zeroth, first, third, element],
            Layout::BatchPositions => [zeroth, third, first, element],
            Layout::PositionsBatch => [first, third, zeroth, element],
        }
    }
}

/// The scores that do not count.
#[derive(Debug, Clone, Copy)]
enum Band {
    None,
    /// Keys behind the query, counted from the first ones.
    FromStart,
    /// Keys behind the query, counted from the last ones, with room before and behind it.
    FromEnd(i64, i64),
}

/// A checked attention.
struct Attention {
    query: (Input, Heads),
    key: (Input, Heads),
    value: (Input, Heads),
    shift: Option<Input>,
    /// By how much the shift is multiplied.
    shift_scale: f64,
    mask: Option<Input>,
    band: Band,
    scale: f64,
    /// The numbers of queries and keys in each batch; empty if all count.
    lengths: [Vec<i64>; 2],
}

impl Attention {
    fn new(
        call: &Call,
        tensors: [Input; 3],
        layout: &str,
        [heads, of_keys]: [usize; 2],
    ) -> Result<Self, Refusal> {
        let [query, key, value] = tensors;
        let sizes = |input: &Input, heads| Heads::new(input.name, input.shape(), layout, heads);
        let (of_query, of_key, of_value) = (
            sizes(&query, heads)?,
            sizes(&key, of_keys)?,
            sizes(&value, of_keys)?,
        );
        let fits = of_query.batches == of_key.batches
            && of_key.batches == of_value.batches
            && of_key.positions == of_value.positions
            && of_query.width == of_key.width
            && of_keys > 0
            && heads.is_multiple_of(of_keys);
        if !fits {
            return Err(Refusal::invalid(format_args!(
                "query {:?}, key {:?} and value {:?} do not go together",
                query.shape(),
                key.shape(),
                value.shape()
            )));
        }
        Ok(Self {
            query: (query, of_query),
            key: (key, of_key),
            value: (value, of_value),
            shift: None,
            shift_scale: 1.0,
            mask: None,
            band: Band::None,
            scale: call.floating("scaleValue")?,
            lengths: [Vec::new(), Vec::new()],
        })
    }

    /// Adds the mask. Some modes describe it by the positions alone.
    fn masked(mut self, call: &Call, mask: Option<Input>) -> Result<Self, Refusal> {
        let room = |name| call.whole(name);
        let mode = match call.has("sparseMode") {
            true => call.whole("sparseMode")?,
            false => 0,
        };
        self.band = match mode {
            0 | 1 => Band::None,
            2 => Band::FromStart,
            3 => Band::FromEnd(i64::MAX / 2, 0),
            4 => Band::FromEnd(room("preTokens")?, room("nextTokens")?),
            _ => {
                return Err(Refusal::invalid(format_args!(
                    "sparseMode {mode} is not modelled; 0 to 4 are"
                )));
            }
        };
        if mode <= 1 {
            self.mask = mask.map(|mask| mask.of(types!(s8 u8 bool))).transpose()?;
        }
        self.check("the mask", &self.mask)?;
        Ok(self)
    }

    /// Adds numbers to the scores.
    fn shifted(mut self, shift: Option<Input>) -> Result<Self, Refusal> {
        self.shift = shift.map(|shift| shift.of(SINGLE)).transpose()?;
        self.check("the shift", &self.shift)?;
        Ok(self)
    }

    /// Checks that a tensor has a number for each score. Its first dimensions may be missing or have size 1.
    fn check(&self, what: &str, input: &Option<Input>) -> Result<(), Refusal> {
        let Some(input) = input else {
            return Ok(());
        };
        let (query, key) = (&self.query.1, &self.key.1);
        let whole = [query.batches, query.heads, query.positions, key.positions];
        let missing = 4usize.checked_sub(input.shape().len());
        let fits = missing.is_some_and(|missing| {
            let mut sizes = input.shape().iter().zip(whole.iter().skip(missing));
            sizes.all(|(size, whole)| *size == 1 || size == whole)
        });
        if fits {
            return Ok(());
        }
        Err(Refusal::invalid(format_args!(
            "{what} {:?} does not go with scores {whole:?}",
            input.shape()
        )))
    }

    /// Adds the numbers of positions that count in each batch.
    fn limited(mut self, queries: &[i64], keys: &[i64]) -> Result<Self, Refusal> {
        for lengths in [queries, keys] {
            if !lengths.is_empty() && lengths.len() != self.query.1.batches && lengths.len() != 1 {
                return Err(Refusal::invalid(format_args!(
                    "lengths {lengths:?} are not one for each batch"
                )));
            }
        }
        self.lengths = [queries.to_vec(), keys.to_vec()];
        Ok(self)
    }

    /// Returns the description of results with the widths of the values.
    fn results(&self, out: &Output, layout: &str) -> Result<Heads, Refusal> {
        let heads = Heads::new(out.name, out.shape(), layout, self.query.1.heads)?;
        let expected = (
            self.query.1.batches,
            self.query.1.positions,
            self.value.1.width,
        );
        if (heads.batches, heads.positions, heads.width) != expected {
            return Err(Refusal::invalid(format_args!(
                "{} {:?} does not go with query {:?}",
                out.name,
                out.shape(),
                self.query.0.shape()
            )));
        }
        Ok(heads)
    }
}

/// Returns the layout parameter.
pub(super) fn layout(call: &Call) -> Result<&str, Refusal> {
    call.text("inputLayout")?
        .ok_or_else(|| Refusal::null("inputLayout"))
}

/// Refuses parameters that the emulator does not model.
pub(super) fn lacking(call: &Call, names: &[&str]) -> Result<(), Refusal> {
    for name in names {
        // An older form of the operator has fewer parameters.
        let is_given = |input: Input| input.elements() > 0;
        if call.has(name) && call.optional_input(name)?.is_some_and(is_given) {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, which the emulator does not model"
            )));
        }
    }
    Ok(())
}

/// `aclnnFlashAttentionScore`: `softmaxMaxOut` and `softmaxSumOut` have each number eight times. The scale multiplies the shift too,
/// unless a newer form of the operator says otherwise.
pub(super) fn train(call: &Call, scales_shift: bool) -> Result<Plan, Refusal> {
    let tensor = |name| call.input(name).of(SINGLE);
    let (query, key, value) = (tensor("query")?, tensor("key")?, tensor("value")?);
    lacking(call, &["dropMaskOptional", "paddingMaskOptional"])?;
    let out = call.output("attentionOutOut").like(&query)?;
    let most = call.output("softmaxMaxOut").of(types!(f32));
    let sum = call.output("softmaxSumOut").of(types!(f32));
    let (layout, heads) = (layout(call)?, count("headNum", call.whole("headNum")?)?);
    let width = query.shape().last().copied().unwrap_or(0);
    // Keys may have fewer heads, whose number follows from their width.
    let of_keys = match (layout, key.shape()) {
        ("BNSD", [_, heads, _, _]) | ("BSND", [_, _, heads, _]) => *heads,
        (_, [.., last]) if heads > 0 && width >= heads => last / (width / heads).max(1),
        _ => heads,
    };
    let mut attention = Attention::new(call, [query, key, value], layout, [heads, of_keys])?
        .shifted(call.optional_input("realShiftOptional")?)?
        .masked(call, call.optional_input("attenMaskOptional")?)?;
    if scales_shift {
        attention.shift_scale = attention.scale;
    }
    let results = attention.results(&out, layout)?;
    let shape = [results.batches, results.heads, results.positions, 8];
    let (most, sum) = (most?.shaped(&shape)?, sum?.shaped(&shape)?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let rows = attention.run(views, &out, results);
        let eight = |of: fn(&Row) -> f64| {
            let mut all = Vec::with_capacity(8 * rows.len());
            for row in &rows {
                all.extend_from_slice(&[of(row); 8]);
            }
            all
        };
        views.output(&most).put_all(&eight(|row| row.most));
        views.output(&sum).put_all(&eight(|row| row.sum));
    })
}

/// Checks the parameters that the operators for inference have in common.
fn inference(
    call: &Call,
    [key, value]: [Input; 2],
    lengths: [&str; 2],
) -> Result<(Attention, Output, Heads), Refusal> {
    let types = types!(bf16 f16);
    let query = call.input("query").of(types)?;
    let (key, value) = (key.like(&query)?, value.like(&query)?);
    let out = call.output("attentionOut").like(&query)?;
    let layout = layout(call)?;
    let heads = count("numHeads", call.whole("numHeads")?)?;
    let of_keys = count("numKeyValueHeads", call.whole("numKeyValueHeads")?)?;
    let of_keys = if of_keys == 0 { heads } else { of_keys };
    let ints = |name: &str| match call.has(name) {
        true => call.ints(name),
        false => Ok(&[][..]),
    };
    let [queries, keys] = lengths;
    let (queries, keys) = (ints(queries), ints(keys));
    let attention = Attention::new(call, [query, key, value], layout, [heads, of_keys])?
        .limited(queries?, keys?)?;
    let results = attention.results(&out, layout)?;
    Ok((attention, out, results))
}

fn planned(
    call: &Call,
    attention: Attention,
    out: Output,
    results: Heads,
) -> Result<Plan, Refusal> {
    let out = out.shaped(out.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        attention.run(views, &out, results);
    })
}

/// `aclnnPromptFlashAttentionV3`, and its older forms
pub(super) fn prompt(call: &Call) -> Result<Plan, Refusal> {
    lacking(
        call,
        &[
            "deqScale1",
            "quantScale1",
            "deqScale2",
            "quantScale2",
            "quantOffset2",
        ],
    )?;
    let tensors = [call.input("key")?, call.input("value")?];
    let (attention, out, results) =
        inference(call, tensors, ["actualSeqLengths", "actualSeqLengthsKv"])?;
    let attention = attention.shifted(call.optional_input("pseShift")?)?;
    let attention = attention.masked(call, call.optional_input("attenMask")?)?;
    planned(call, attention, out, results)
}

/// Returns the only tensor of a list.
fn only(call: &Call, name: &str) -> Result<Input, Refusal> {
    match call.inputs(name)?.as_slice() {
        [one] => Ok(*one),
        list => Err(Refusal::invalid(format_args!(
            "{name} has {} tensors; the emulator models lists of one",
            list.len()
        ))),
    }
}

/// `aclnnIncreFlashAttentionV4`, and its older forms: there is one query.
pub(super) fn increment(call: &Call) -> Result<Plan, Refusal> {
    lacking(
        call,
        &[
            "dequantScale1",
            "quantScale1",
            "dequantScale2",
            "quantScale2",
            "quantOffset2",
            "antiquantScale",
            "antiquantOffset",
            "blocktable",
            "kvPaddingSize",
        ],
    )?;
    let tensors = [only(call, "key")?, only(call, "value")?];
    let (mut attention, out, results) = inference(call, tensors, ["", "actualSeqLengths"])?;
    if attention.query.1.positions != 1 {
        return Err(Refusal::invalid(format_args!(
            "query {:?} has more than one position",
            attention.query.0.shape()
        )));
    }
    attention = attention.shifted(call.optional_input("pseShift")?)?;
    if let Some(mut mask) = call.optional_input("attenMask")? {
        // The mask has a row for each batch, without heads and positions.
        if let [batches, keys] | [batches, 1, keys] | [batches, 1, 1, keys] = *mask.shape() {
            let strides = mask.tensor.strides.as_slice();
            let of_batch = at(strides, 0);
            let of_key = strides.last().copied().unwrap_or(0);
            mask.tensor.shape = Dims::new([batches, 1, 1, keys]).unwrap_or_default();
            mask.tensor.strides = Dims::new([of_batch, 0, 0, of_key]).unwrap_or_default();
        }
        attention.mask = Some(mask.of(types!(s8 u8 bool))?);
        attention.check("the mask", &attention.mask)?;
    }
    planned(call, attention, out, results)
}

/// `aclnnFusedInferAttentionScoreV2`, `aclnnFusedInferAttentionScoreV3`, and their older form
pub(super) fn fused(call: &Call) -> Result<Plan, Refusal> {
    lacking(
        call,
        &[
            "deqScale1Optional",
            "quantScale1Optional",
            "deqScale2Optional",
            "quantScale2Optional",
            "quantOffset2Optional",
            "antiquantScaleOptional",
            "antiquantOffsetOptional",
            "blockTableOptional",
            "queryPaddingSizeOptional",
            "kvPaddingSizeOptional",
            "keyAntiquantScaleOptional",
            "keyAntiquantOffsetOptional",
            "valueAntiquantScaleOptional",
            "valueAntiquantOffsetOptional",
            "keySharedPrefixOptional",
            "valueSharedPrefixOptional",
            "queryRopeOptional",
            "keyRopeOptional",
            "keyRopeAntiquantScaleOptional",
        ],
    )?;
    let tensors = [only(call, "key")?, only(call, "value")?];
    let lengths = ["actualSeqLengthsOptional", "actualSeqLengthsKvOptional"];
    let (attention, out, results) = inference(call, tensors, lengths)?;
    let attention = attention.shifted(call.optional_input("pseShiftOptional")?)?;
    let attention = attention.masked(call, call.optional_input("attenMaskOptional")?)?;
    let logarithm = if call.flag("softmaxLseFlag")? {
        let logarithm = call.output("softmaxLse").of(types!(f32))?;
        Some(logarithm.shaped(&[results.batches, results.heads, results.positions, 1])?)
    } else {
        None
    };
    let out = out.shaped(out.shape())?;
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let rows = attention.run(views, &out, results);
        if let Some(logarithm) = &logarithm {
            let sums: Vec<_> = rows.iter().map(|row| row.most + row.sum.ln()).collect();
            views.output(logarithm).put_all(&sums);
        }
    })
}
