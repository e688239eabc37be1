//! Attention for training: newer forms of it, in sequences that lie behind each other, and its gradients.

use super::attention::{lacking, layout, train};
use super::definitions;
use crate::op::call::{Call, Input, Output};
use crate::op::dtype::{SINGLE, types};
use crate::op::plan::Plan;
use crate::op::refusal::Refusal;
use crate::op::rule::{Checks as _, at, count, put};
use crate::op::sums::joined_product;
use crate::op::view::Views;

definitions! {
    aclnnFlashAttentionScoreV2, aclnnFlashAttentionScoreV3, aclnnFlashAttentionScoreV4 = newer;
    aclnnFlashAttentionVarLenScore, aclnnFlashAttentionVarLenScoreV2, aclnnFlashAttentionVarLenScoreV3,
        aclnnFlashAttentionVarLenScoreV4, aclnnFlashAttentionVarLenScoreV5 = packed;
    aclnnFlashAttentionScoreGrad, aclnnFlashAttentionScoreGradV2, aclnnFlashAttentionScoreGradV3 = slopes;
    aclnnFlashAttentionUnpaddingScoreGrad, aclnnFlashAttentionUnpaddingScoreGradV2, aclnnFlashAttentionUnpaddingScoreGradV3,
        aclnnFlashAttentionUnpaddingScoreGradV4, aclnnFlashAttentionUnpaddingScoreGradV5 = slopes;
}

/// What the emulator does not model. Each form of the operators has some of these parameters.
const LACKING: &[&str] = &[
    "dropMaskOptional",
    "paddingMaskOptional",
    "sinkOptional",
    "sinkInOptional",
    "queryRopeOptional",
    "keyRopeOptional",
    "dScaleQOptional",
    "dScaleKOptional",
    "dScaleVOptional",
];

/// Returns whether the scale multiplies the shift too. Refuses what the emulator does not model.
fn scales_shift(call: &Call) -> Result<bool, Refusal> {
    lacking(call, LACKING)?;
    if call.floating("keepProb")? < 1.0 {
        return Err(Refusal::invalid(
            "keepProb is below 1, which the emulator does not model",
        ));
    }
    for name in ["softmaxOutLayout", "softmaxInLayout"] {
        if call.has(name) && call.text(name)?.is_some_and(|text| !text.is_empty()) {
            return Err(Refusal::invalid(format_args!(
                "{name} is given, which the emulator does not model"
            )));
        }
    }
    match if call.has("pseType") {
        call.whole("pseType")?
    } else {
        1
    } {
        0 => Ok(false),
        1 => Ok(true),
        kind => Err(Refusal::invalid(format_args!(
            "pseType is {kind}; the emulator models 0 and 1"
        ))),
    }
}

/// `aclnnFlashAttentionScoreV2`, and its newer forms
fn newer(call: &Call) -> Result<Plan, Refusal> {
    let scales = scales_shift(call)?;
    train(call, scales)
}

/// Where the rows of a tensor are among its elements.
struct Rows {
    /// The distances of positions and of heads.
    steps: [usize; 2],
    heads: usize,
    width: usize,
    /// The first element and the number of positions of each sequence.
    sequences: Vec<[usize; 2]>,
}

impl Rows {
    fn new(input: &Input, layout: &str, heads: usize, ends: &[i64]) -> Result<Self, Refusal> {
        let refused = || {
            Refusal::invalid(format_args!(
                "{} {:?} has not {heads} heads in the layout {layout:?}, or its sequences end at {ends:?}",
                input.name,
                input.shape()
            ))
        };
        let alike = |batches: usize, step: usize, positions: usize| {
            Vec::from_iter((0..batches).map(|batch| [batch * step, positions]))
        };
        let (steps, found, width, sequences) = match (layout, input.shape()) {
            ("BNSD", [b, n, s, d]) => ([*d, s * d], *n, *d, alike(*b, n * s * d, *s)),
            ("BSND", [b, s, n, d]) => ([n * d, *d], *n, *d, alike(*b, s * n * d, *s)),
            ("BSH", [b, s, h]) if heads > 0 && h % heads == 0 => {
                ([*h, h / heads], heads, h / heads, alike(*b, s * h, *s))
            }
            ("SBH", [s, b, h]) if heads > 0 && h % heads == 0 => {
                ([b * h, h / heads], heads, h / heads, alike(*b, *h, *s))
            }
            ("TND", [t, n, d]) => {
                let (mut first, mut sequences) = (0, Vec::with_capacity(ends.len()));
                for end in ends {
                    let end = usize::try_from(*end).ok();
                    let end = end.filter(|end| (first..=*t).contains(end));
                    let end = end.ok_or_else(refused)?;
                    sequences.push([first * n * d, end - first]);
                    first = end;
                }
                ([n * d, *d], *n, *d, sequences)
            }
            _ => return Err(refused()),
        };
        if found != heads || heads == 0 {
            return Err(refused());
        }
        Ok(Self {
            steps,
            heads,
            width,
            sequences,
        })
    }

    /// Returns the first element of a row.
    fn first(&self, sequence: usize, head: usize, position: usize) -> usize {
        at(&self.sequences, sequence)[0] + head * self.steps[1] + position * self.steps[0]
    }

    /// Returns a row of the elements.
    fn row<'a>(&self, elements: &'a [f64], [sequence, head, position]: [usize; 3]) -> &'a [f64] {
        let first = self.first(sequence, head, position);
        elements.get(first..first + self.width).unwrap_or_default()
    }

    /// Adds a row, times a factor, to the sums.
    fn add(
        &self,
        sums: &mut [f64],
        [sequence, head, position]: [usize; 3],
        row: &[f64],
        factor: f64,
    ) {
        let first = self.first(sequence, head, position);
        let sums = sums.get_mut(first..first + self.width).unwrap_or_default();
        for (sum, one) in sums.iter_mut().zip(row) {
            *sum += factor * one;
        }
    }
}

/// A checked attention.
struct Attended {
    query: (Input, Rows),
    key: (Input, Rows),
    value: (Input, Rows),
    /// Further elements of queries and keys.
    turned: Option<[(Input, Rows); 2]>,
    shift: Option<Input>,
    mask: Option<Input>,
    mode: i64,
    room: [i64; 2],
    scale: f64,
    scales_shift: bool,
}

/// The elements of the tensors of an attention.
struct Numbers {
    query: Vec<f64>,
    key: Vec<f64>,
    value: Vec<f64>,
    turned: [Vec<f64>; 2],
    shift: Vec<f64>,
    mask: Vec<f64>,
}

/// The softmax of a row of scores: the share of each key, and the figures.
struct Shares {
    shares: Vec<f64>,
    most: f64,
    sum: f64,
}

impl Attended {
    fn new(call: &Call, key: &str, shift: &str, key_rope: &str) -> Result<Self, Refusal> {
        let scales_shift = scales_shift(call)?;
        let layout = layout(call)?;
        let query = call.input("query").of(SINGLE)?;
        let key = call.input(key).like(&query)?;
        let value = call.input("value").like(&query)?;
        let heads = count("headNum", call.whole("headNum")?)?;
        let ends = |name: &str| match call.has(name) {
            true => call.ints(name),
            false => Ok(&[][..]),
        };
        let (of_queries, of_keys) = (
            ends("actualSeqQLenOptional")?,
            ends("actualSeqKvLenOptional")?,
        );
        let queries = Rows::new(&query, layout, heads, of_queries)?;
        let fewer = match (layout, key.shape()) {
            ("BNSD", [_, heads, _, _]) | ("BSND", [_, _, heads, _]) | ("TND", [_, heads, _]) => {
                *heads
            }
            (_, [.., last]) => last / queries.width.max(1),
            _ => 0,
        };
        let keys = Rows::new(&key, layout, fewer, of_keys)?;
        let values = Rows::new(&value, layout, fewer, of_keys)?;
        let fits = queries.sequences.len() == keys.sequences.len()
            && keys.sequences.len() == values.sequences.len()
            && keys
                .sequences
                .iter()
                .zip(&values.sequences)
                .all(|(one, other)| one[1] == other[1])
            && queries.width == keys.width
            && heads.is_multiple_of(fewer);
        if !fits {
            return Err(Refusal::invalid(format_args!(
                "query {:?}, key {:?} and value {:?} do not go together",
                query.shape(),
                key.shape(),
                value.shape()
            )));
        }
        let mode = call.whole("sparseMode")?;
        if !(0..=4).contains(&mode) {
            return Err(Refusal::invalid(format_args!(
                "sparseMode {mode} is not modelled; 0 to 4 are"
            )));
        }
        let rope = |name: &str| match call.has(name) {
            true => call.optional_input(name),
            false => Ok(None),
        };
        let turned = match (rope("queryRope")?, rope(key_rope)?) {
            (Some(one), Some(other)) => {
                let (one, other) = (one.like(&query)?, other.like(&query)?);
                let rows = [
                    Rows::new(&one, layout, heads, of_queries)?,
                    Rows::new(&other, layout, fewer, of_keys)?,
                ];
                if rows[0].width != rows[1].width {
                    return Err(Refusal::invalid(
                        "queryRope and the one of keys have other widths",
                    ));
                }
                let [first, second] = rows;
                Some([(one, first), (other, second)])
            }
            (None, None) => None,
            _ => {
                return Err(Refusal::invalid(
                    "queryRope is given without the one of keys, or the other way round",
                ));
            }
        };
        let mask = call.optional_input("attenMaskOptional")?;
        let attended = Self {
            query: (query, queries),
            key: (key, keys),
            value: (value, values),
            turned,
            shift: call
                .optional_input(shift)?
                .filter(|shift| shift.elements() > 0),
            mask: mask.filter(|_| mode <= 1),
            mode,
            room: [call.whole("preTokens")?, call.whole("nextTokens")?],
            scale: call.floating("scaleValue")?,
            scales_shift,
        };
        for one in [attended.shift, attended.mask].into_iter().flatten() {
            attended.check(&one, layout)?;
        }
        Ok(attended)
    }

    /// Checks that a tensor has a number for each score. Its first dimensions may be missing or have size 1.
    fn check(&self, input: &Input, layout: &str) -> Result<(), Refusal> {
        let types = if input.name == "attenMaskOptional" {
            types!(s8 u8 bool)
        } else {
            SINGLE
        };
        let input = input.of(types)?;
        let sequence = |rows: &Rows| rows.sequences.iter().map(|one| one[1]).max().unwrap_or(0);
        let whole = [
            self.query.1.sequences.len(),
            self.query.1.heads,
            sequence(&self.query.1),
            sequence(&self.key.1),
        ];
        // Sequences of other lengths have no shift, and masks for the longest one.
        let is_packed = layout == "TND";
        let missing = 4usize.checked_sub(input.shape().len());
        let fits = missing.is_some_and(|missing| {
            let mut sizes = input.shape().iter().zip(whole.iter().skip(missing));
            sizes.all(|(size, whole)| *size == 1 || size == whole)
        });
        if fits && !(is_packed && input.name != "attenMaskOptional") {
            return Ok(());
        }
        Err(Refusal::invalid(format_args!(
            "{} {:?} does not go with scores {whole:?} in the layout {layout:?}",
            input.name,
            input.shape()
        )))
    }
    fn read(&self, views: &Views<'_>) -> Numbers {
        let all = |input: &Input| views.input(input).all::<f64>();
        let given = |input: &Option<Input>| input.as_ref().map(all).unwrap_or_default();
        let turned = self.turned.as_ref();
        Numbers {
            query: all(&self.query.0),
            key: all(&self.key.0),
            value: all(&self.value.0),
            turned: turned.map_or([Vec::new(), Vec::new()], |[one, other]| {
                [all(&one.0), all(&other.0)]
            }),
            shift: given(&self.shift),
            mask: given(&self.mask),
        }
    }

    /// Returns the head of keys that a head of queries uses.
    fn group(&self, head: usize) -> usize {
        head / (self.query.1.heads / self.key.1.heads.max(1)).max(1)
    }

    /// Returns the place of the number for a score in a tensor whose first dimensions may be missing or have size 1.
    fn place(input: &Input, [sequence, head, query, key]: [usize; 4]) -> usize {
        let mut place = 0;
        let missing = 4usize.saturating_sub(input.shape().len());
        let indices = [sequence, head, query, key];
        for (size, index) in input.shape().iter().zip(indices.iter().skip(missing)) {
            place = place * size + if *size == 1 { 0 } else { *index };
        }
        place
    }

    /// Returns whether a query may not see a key.
    fn hides(&self, numbers: &Numbers, place: [usize; 4], [queries, keys]: [usize; 2]) -> bool {
        let [_, _, query, key] = place;
        // CAST: positions in a tensor.
        let distance = key as i64 - query as i64;
        let shifted = distance - (keys as i64 - queries as i64);
        match self.mode {
            2 => distance > 0,
            3 => shifted > 0,
            4 => shifted > self.room[1] || shifted < self.room[0].saturating_neg(),
            _ => self
                .mask
                .as_ref()
                .is_some_and(|mask| at(&numbers.mask, Self::place(mask, place)) != 0.0),
        }
    }

    /// Returns the shares of all keys for a query. A query that sees no key has none.
    fn shares(&self, numbers: &Numbers, [sequence, head, query]: [usize; 3]) -> Shares {
        let (queries, keys) = (&self.query.1, &self.key.1);
        let sizes = [queries, keys].map(|rows| at(&rows.sequences, sequence)[1]);
        let own = queries.row(&numbers.query, [sequence, head, query]);
        let group = self.group(head);
        let mut shares = Vec::with_capacity(sizes[1]);
        for key in 0..sizes[1] {
            let place = [sequence, head, query, key];
            if self.hides(numbers, place, sizes) {
                shares.push(f64::NEG_INFINITY);
                continue;
            }
            let mut score = joined_product(own, keys.row(&numbers.key, [sequence, group, key]));
            if let Some([(_, one), (_, other)]) = &self.turned {
                let own = one.row(&numbers.turned[0], [sequence, head, query]);
                score += joined_product(own, other.row(&numbers.turned[1], [sequence, group, key]));
            }
            score *= self.scale;
            if let Some(shift) = &self.shift {
                let shift = at(&numbers.shift, Self::place(shift, place));
                score += shift * if self.scales_shift { self.scale } else { 1.0 };
            }
            shares.push(score);
        }
        let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for one in &mut shares {
            *one = if most == f64::NEG_INFINITY {
                0.0
            } else {
                (*one - most).exp()
            };
            sum += *one;
        }
        if sum > 0.0 {
            shares.iter_mut().for_each(|one| *one /= sum);
        }
        Shares { shares, most, sum }
    }

    /// Calls a function with each query: its sequence, its head and its position.
    fn each_query(&self, each: &mut dyn FnMut([usize; 3])) {
        for (sequence, [_, positions]) in self.query.1.sequences.iter().enumerate() {
            for head in 0..self.query.1.heads {
                (0..*positions).for_each(|query| each([sequence, head, query]));
            }
        }
    }

    /// Returns the description of a tensor with a row of values for each query.
    fn results(&self, shape: &[usize], name: &str) -> Result<Rows, Refusal> {
        let (query, width) = (&self.query, self.value.1.width);
        let mut expected = query.0.shape().to_vec();
        if let Some(last) = expected.last_mut() {
            *last = *last / query.1.width.max(1) * width;
        }
        if shape != expected {
            return Err(Refusal::invalid(format_args!(
                "{name} has the shape {shape:?}; it has to be {expected:?}"
            )));
        }
        let step = |steps: usize| steps / query.1.width.max(1) * width;
        let sequences = query.1.sequences.iter();
        Ok(Rows {
            steps: query.1.steps.map(step),
            heads: query.1.heads,
            width,
            sequences: sequences
                .map(|[first, positions]| [step(*first), *positions])
                .collect(),
        })
    }
}

/// `aclnnFlashAttentionVarLenScore`, and its newer forms: `softmaxMaxOut` and `softmaxSumOut` have each number eight times.
fn packed(call: &Call) -> Result<Plan, Refusal> {
    let attended = Attended::new(call, "key", "realShiftOptional", "keyRope")?;
    let [positions, heads, _] = *attended.query.0.shape() else {
        return Err(Refusal::invalid(format_args!(
            "query {:?} has not three dimensions",
            attended.query.0.shape()
        )));
    };
    let out = call.output("attentionOutOut").like(&attended.query.0)?;
    let rows = attended.results(out.shape(), out.name)?;
    let figure = |name: &str| {
        call.output(name)
            .of(types!(f32))
            .shaped(&[positions, heads, 8])
    };
    let (most, sum) = (figure("softmaxMaxOut")?, figure("softmaxSumOut")?);
    if out.elements() == 0 {
        return Ok(call.nothing());
    }
    call.plan(move |views| {
        let numbers = attended.read(views);
        let mut results = vec![0.0; out.elements()];
        let mut figures = [
            vec![0.0; positions * heads * 8],
            vec![0.0; positions * heads * 8],
        ];
        attended.each_query(&mut |place| {
            let found = attended.shares(&numbers, place);
            let [sequence, head, query] = place;
            for (key, share) in found.shares.iter().enumerate() {
                let value = [sequence, attended.group(head), key];
                let value = attended.value.1.row(&numbers.value, value);
                rows.add(&mut results, place, value, *share);
            }
            let first = rows.first(sequence, head, query) / rows.width.max(1) * 8;
            let [all, sums] = &mut figures;
            for index in first..first + 8 {
                put(all, index, found.most);
                put(sums, index, found.sum);
            }
        });
        views.output(&out).put_all(&results);
        views.output(&most).put_all(&figures[0]);
        views.output(&sum).put_all(&figures[1]);
    })
}

/// An output that is not wanted where it is null or has no elements.
fn wanted(call: &Call, name: &str, input: &Option<Input>) -> Result<Option<Output>, Refusal> {
    let Some(input) = input else {
        return Ok(None);
    };
    if !call.has(name) {
        return Ok(None);
    }
    let out = call.optional_output(name)?.filter(|out| out.elements() > 0);
    out.map(|out| out.like(input)?.shaped(input.shape()))
        .transpose()
}

/// `aclnnFlashAttentionScoreGrad`, `aclnnFlashAttentionUnpaddingScoreGrad`, and their newer forms: the softmax is computed again, so
/// the figures of the attention are not read.
fn slopes(call: &Call) -> Result<Plan, Refusal> {
    let attended = Attended::new(call, "keyIn", "pseShiftOptional", "keyInRope")?;
    let gradient = call.input("dy").like(&attended.query.0)?;
    let rows = attended.results(gradient.shape(), gradient.name)?;
    let like = |name: &str, input: &Input| call.output(name).like(input)?.shaped(input.shape());
    let outs = [
        like("dqOut", &attended.query.0)?,
        like("dkOut", &attended.key.0)?,
        like("dvOut", &attended.value.0)?,
    ];
    let of_shift = wanted(call, "dpseOut", &attended.shift)?;
    let turned = attended
        .turned
        .as_ref()
        .map(|[(one, _), (other, _)]| [*one, *other]);
    let of_turned = [
        wanted(call, "dqRopeOut", &turned.map(|[one, _]| one))?,
        wanted(call, "dkRopeOut", &turned.map(|[_, other]| other))?,
    ];
    call.plan(move |views| {
        let numbers = attended.read(views);
        let gradients = views.input(&gradient).all::<f64>();
        let [mut of_query, mut of_key, mut of_value] =
            outs.each_ref().map(|out| vec![0.0; out.elements()]);
        let mut shifts = vec![0.0; numbers.shift.len()];
        let mut turns = numbers.turned.each_ref().map(|one| vec![0.0; one.len()]);
        attended.each_query(&mut |place| {
            let [sequence, head, query] = place;
            let group = attended.group(head);
            let found = attended.shares(&numbers, place);
            let slope = rows.row(&gradients, place);
            let mut along = Vec::with_capacity(found.shares.len());
            for (key, share) in found.shares.iter().enumerate() {
                let other = [sequence, group, key];
                attended.value.1.add(&mut of_value, other, slope, *share);
                along.push(joined_product(
                    slope,
                    attended.value.1.row(&numbers.value, other),
                ));
            }
            let mean = joined_product(&found.shares, &along);
            for (key, (share, along)) in found.shares.iter().zip(along).enumerate() {
                let of_score = share * (along - mean);
                let other = [sequence, group, key];
                let factor = of_score * attended.scale;
                let (queries, keys) = (&attended.query.1, &attended.key.1);
                queries.add(&mut of_query, place, keys.row(&numbers.key, other), factor);
                keys.add(
                    &mut of_key,
                    other,
                    queries.row(&numbers.query, place),
                    factor,
                );
                if let Some([(_, one), (_, another)]) = &attended.turned {
                    let [ones, others] = &numbers.turned;
                    let [of_ones, of_others] = &mut turns;
                    one.add(of_ones, place, another.row(others, other), factor);
                    another.add(of_others, other, one.row(ones, place), factor);
                }
                if let Some(shift) = &attended.shift {
                    let place = Attended::place(shift, [sequence, head, query, key]);
                    let factor = if attended.scales_shift {
                        attended.scale
                    } else {
                        1.0
                    };
                    let before = at(&shifts, place);
                    put(&mut shifts, place, before + factor * of_score);
                }
            }
        });
        for (out, results) in outs.iter().zip([of_query, of_key, of_value]) {
            views.output(out).put_all(&results);
        }
        let [ones, others] = turns;
        for (out, results) in of_turned
            .iter()
            .zip([ones, others])
            .chain([(&of_shift, shifts)])
        {
            if let Some(out) = out {
                views.output(out).put_all(&results);
            }
        }
    })
}
