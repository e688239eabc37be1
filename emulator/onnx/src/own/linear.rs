//! Products of matrices, and what is made of them.

use super::call::{Call, One, common, spread, strides, walk};
use super::math::combine;
use super::quantize::{per_axis, quantized};
use crate::dtype::DType;
use crate::tensor::{Data, Tensor, bounded, count};

/// Multiplies matrices. Leading dimensions are repeated.
pub(crate) fn product(a: &Tensor, b: &Tensor) -> One {
    let (mut left, mut right) = (a.shape.clone(), b.shape.clone());
    let (is_row, is_column) = (left.len() == 1, right.len() == 1);
    if is_row {
        left.insert(0, 1);
    }
    if is_column {
        right.push(1);
    }
    let ([.., m, k], [.., k2, n]) = (&left[..], &right[..]) else {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            a.shape, b.shape
        ));
    };
    if k != k2 {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            a.shape, b.shape
        ));
    }
    let (m, k, n) = (*m, *k, *n);
    let (outer_a, outer_b) = (&left[..left.len() - 2], &right[..right.len() - 2]);
    let outer = common(&[outer_a, outer_b])?;
    count(&[&outer[..], &[m, n]].concat())?;
    let pairs: Vec<_> = spread(outer_a, &outer)
        .into_iter()
        .zip(spread(outer_b, &outer))
        .collect();
    fn all<T: Copy + Default>(
        (a, b): (&[T], &[T]),
        pairs: &[(usize, usize)],
        (m, k, n): (usize, usize, usize),
        add: impl Fn(T, T, T) -> T,
    ) -> Vec<T> {
        let mut data = vec![T::default(); pairs.len() * m * n];
        for (part, (at_a, at_b)) in pairs.iter().enumerate() {
            for row in 0..m {
                let to = &mut data[(part * m + row) * n..(part * m + row + 1) * n];
                for inner in 0..k {
                    let factor = a[(at_a * m + row) * k + inner];
                    let from = &b[(at_b * k + inner) * n..(at_b * k + inner + 1) * n];
                    for (one, other) in to.iter_mut().zip(from) {
                        *one = add(*one, factor, *other);
                    }
                }
            }
        }
        data
    }
    let mut shape = outer;
    shape.extend((!is_row).then_some(m));
    shape.extend((!is_column).then_some(n));
    let sizes = (m, k, n);
    Ok(match (&a.data, &b.data) {
        (Data::Whole(a_data), Data::Whole(b_data)) => {
            let data = all((a_data, b_data), &pairs, sizes, |sum, a, b| sum + a * b);
            Tensor::whole(a.kind, &shape, data)
        }
        _ => {
            let data = all((&a.floats(), &b.floats()), &pairs, sizes, |sum, a, b| {
                sum + a * b
            });
            Tensor::number(a.kind, &shape, data)
        }
    })
}

pub(crate) fn matmul(call: &Call<'_>) -> One {
    product(call.tensor(0)?, call.tensor(1)?)
}

fn turned(x: &Tensor) -> Tensor {
    super::layout::permute(x, &[1, 0])
}

pub(crate) fn gemm(call: &Call<'_>) -> One {
    let (mut a, mut b) = (call.tensor(0)?.clone(), call.tensor(1)?.clone());
    if a.shape.len() != 2 || b.shape.len() != 2 {
        return Err(format!(
            "its operands have the shapes {:?} and {:?}",
            a.shape, b.shape
        ));
    }
    if call.int("transA", 0) != 0 {
        a = turned(&a);
    }
    if call.int("transB", 0) != 0 {
        b = turned(&b);
    }
    let (alpha, beta) = (call.float("alpha", 1.0), call.float("beta", 1.0));
    // Rounded once, at the end.
    let kind = a.kind;
    let wide = |mut x: Tensor| {
        if kind.is_float() {
            x.kind = DType::F64;
        }
        x
    };
    let mut result = product(&wide(a), &wide(b))?;
    if alpha != 1.0 {
        let data = result.floats().into_iter().map(|one| one * alpha).collect();
        result = Tensor::number(result.kind, &result.shape, data);
    }
    if let Some(c) = call.maybe(2) {
        let c = wide(c.clone());
        result = combine(
            &result,
            &c,
            |a, b| a + beta * b,
            |a, b| a + (beta * b as f64) as i128,
        )?;
    }
    Ok(if kind.is_float() {
        Tensor::number(kind, &result.shape.clone(), result.floats())
    } else {
        result
    })
}

/// Returns whole numbers less their zero point.
fn centred(x: &Tensor, zero: Option<&Tensor>, axis: usize) -> One {
    let zeros = zero.map(Tensor::wholes);
    let of = per_axis(&x.shape, zero.map(|zero| &zero.shape[..]), axis)?;
    let data = x
        .wholes()
        .into_iter()
        .enumerate()
        .map(|(at, one)| match &zeros {
            Some(zeros) => one - zeros[of(at)],
            None => one,
        });
    Ok(Tensor::whole(DType::I64, &x.shape, data.collect()))
}

pub(crate) fn matmul_integer(call: &Call<'_>) -> One {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let a_axis = a.shape.len().saturating_sub(2);
    let left = centred(a, call.maybe(2), a_axis)?;
    let right = centred(b, call.maybe(3), b.shape.len().saturating_sub(1))?;
    let sums = product(&left, &right)?;
    Ok(Tensor::whole(DType::I32, &sums.shape, sums.wholes()))
}

pub(crate) fn quantized_matmul(call: &Call<'_>) -> One {
    let (a, b) = (call.tensor(0)?, call.tensor(3)?);
    let left = centred(a, call.maybe(2), a.shape.len().saturating_sub(2))?;
    let right = centred(b, call.maybe(5), b.shape.len().saturating_sub(1))?;
    let (Some(by_a), Some(by_b), Some(by_y)) = (call.scalar(1), call.scalar(4), call.scalar(6))
    else {
        return Err("a scale has no number".to_owned());
    };
    for index in [1, 4, 6] {
        if call.tensor(index)?.len() != 1 {
            return call.refuse("scale", "a list of scales, one for each row");
        }
    }
    let sums = product(&left, &right)?;
    let zero = call.tensor(7)?;
    let scaled = sums
        .floats()
        .into_iter()
        .map(|one| one * by_a * by_b / by_y);
    quantized(&sums.shape, scaled, zero)
}

/// Sums of products over named dimensions.
pub(crate) fn einsum(call: &Call<'_>) -> One {
    let all = call.tensors()?;
    let equation: String = call.text("equation", "").split_whitespace().collect();
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left.to_owned(), Some(right.to_owned())),
        None => (equation.clone(), None),
    };
    // The dimensions of an ellipsis have names that no equation can have.
    let mut names = Vec::new();
    let most = all.iter().zip(left.split(','));
    let hidden = most
        .map(|(one, term)| (one.shape.len() + 3).saturating_sub(term.len()))
        .max()
        .unwrap_or(0);
    let ellipsis = |len: usize| -> String {
        (hidden.saturating_sub(len)..hidden)
            .filter_map(|at| char::from_u32(0x100 + at as u32))
            .collect()
    };
    for (one, term) in all.iter().zip(left.split(',')) {
        let len = (one.shape.len() + 3).saturating_sub(term.len());
        let term: Vec<char> = term.replace("...", &ellipsis(len)).chars().collect();
        if term.len() != one.shape.len() {
            return Err(format!(
                "its equation `{equation}` does not fit the shape {:?}",
                one.shape
            ));
        }
        names.push(term);
    }
    let has_dots = left.contains("...");
    let output: Vec<char> = match right {
        Some(right) => right.replace("...", &ellipsis(hidden)).chars().collect(),
        None => {
            let flat: Vec<char> = names.iter().flatten().copied().collect();
            let mut once: Vec<char> = flat
                .iter()
                .copied()
                .filter(|one| {
                    *one < '\u{100}' && flat.iter().filter(|other| *other == one).count() == 1
                })
                .collect();
            once.sort_unstable();
            let dots = if has_dots {
                ellipsis(hidden)
            } else {
                String::new()
            };
            dots.chars().chain(once).collect()
        }
    };
    let mut letters = output.clone();
    for one in names.iter().flatten() {
        if !letters.contains(one) {
            letters.push(*one);
        }
    }
    let mut sizes = vec![1; letters.len()];
    for (one, term) in all.iter().zip(&names) {
        for (dim, name) in one.shape.iter().zip(term) {
            let at = letters
                .iter()
                .position(|letter| letter == name)
                .unwrap_or(0);
            if sizes[at] == 1 {
                sizes[at] = *dim;
            } else if *dim != 1 && *dim != sizes[at] {
                return Err(format!(
                    "`{name}` of its equation `{equation}` has two sizes"
                ));
            }
        }
    }
    let steps: Vec<Vec<usize>> = all
        .iter()
        .zip(&names)
        .map(|(one, term)| {
            let own = strides(&one.shape);
            letters
                .iter()
                .map(|letter| {
                    let places = term.iter().zip(&one.shape).zip(&own);
                    let same = places.filter(|((name, dim), _)| *name == letter && **dim != 1);
                    same.map(|(_, by)| by).sum()
                })
                .collect()
        })
        .collect();
    let (outer, inner) = sizes.split_at(output.len());
    count(outer)?;
    bounded(&sizes)?;
    let data: Vec<Vec<f64>> = all.iter().map(|one| one.floats()).collect();
    let mut result = Vec::new();
    walk(outer, |at| {
        let mut sum = 0.0;
        walk(inner, |behind| {
            let index = || at.iter().chain(behind);
            let factors = data.iter().zip(&steps).map(|(one, steps)| {
                one[index()
                    .zip(steps)
                    .map(|(place, by)| place * by)
                    .sum::<usize>()]
            });
            sum += factors.product::<f64>();
        });
        result.push(sum);
    });
    let kind = all.first().map_or(DType::F32, |one| one.kind);
    Ok(Tensor::number(kind, outer, result))
}

/// The determinants of matrices.
pub(crate) fn determinant(call: &Call<'_>) -> One {
    let x = call.tensor(0)?;
    let [outer @ .., n, m] = &x.shape[..] else {
        return Err("its operand is no matrix".to_owned());
    };
    if n != m {
        return Err(format!("its operand has the shape {:?}", x.shape));
    }
    let n = *n;
    let data = x.floats();
    let of = |matrix: &[f64]| {
        let mut rows: Vec<Vec<f64>> = matrix.chunks(n).map(<[f64]>::to_vec).collect();
        let mut result = 1.0;
        for at in 0..n {
            let best = (at..n).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs()));
            let best = best.unwrap_or(at);
            if best != at {
                rows.swap(best, at);
                result = -result;
            }
            let pivot = rows[at][at];
            result *= pivot;
            if pivot == 0.0 {
                return 0.0;
            }
            for below in at + 1..n {
                let by = rows[below][at] / pivot;
                let (above, rest) = rows.split_at_mut(below);
                for (one, other) in rest[0].iter_mut().zip(&above[at]).skip(at) {
                    *one -= by * other;
                }
            }
        }
        result
    };
    let all = data.chunks((n * n).max(1)).map(of).collect();
    Ok(Tensor::number(x.kind, outer, all))
}
