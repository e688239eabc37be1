//! Windows that slide over images: the sizes of results, for convolutions and pooling.

use crate::error::{Result, Usage};
use crate::op::shape::Dims;

/// A window along one dimension.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) kernel: i64,
    pub(super) stride: i64,
    /// The elements of padding in front and behind.
    pub(super) padding: [i64; 2],
    pub(super) dilation: i64,
}

impl Window {
    /// The elements from the first one of the window to its last one.
    fn span(&self) -> i64 {
        let steps = self.kernel.saturating_sub(1);
        self.dilation.saturating_mul(steps).saturating_add(1)
    }

    fn padded(&self, size: i64) -> i64 {
        size.saturating_add(self.padding[0])
            .saturating_add(self.padding[1])
    }

    /// The number of places of the window: `(size + padding - dilation * (kernel - 1) - 1) / stride + 1`, rounded down, or
    /// up if `ceil` and if the last window begins inside. `None` if the window does not fit.
    pub(super) fn places(&self, size: i64, ceil: bool) -> Option<i64> {
        let rest = self.padded(size).checked_sub(self.span())?;
        if rest < 0 || self.stride < 1 || self.kernel < 1 {
            return None;
        }
        let places = rest / self.stride + 1;
        let begins_inside =
            places.saturating_mul(self.stride) < size.saturating_add(self.padding[0]);
        let is_one_more = ceil && rest % self.stride != 0 && begins_inside;
        Some(places + i64::from(is_one_more))
    }

    /// The size of an image over which the window has `places` places, with `more` elements at its end:
    /// `(places - 1) * stride - padding + dilation * (kernel - 1) + 1 + more`. `None` if nothing is left.
    pub(super) fn grown(&self, places: i64, more: i64) -> Option<i64> {
        let first = places.checked_sub(1)?.checked_mul(self.stride)?;
        let size = first.checked_add(self.span())?.checked_add(more)?;
        let size = size
            .checked_sub(self.padding[0])?
            .checked_sub(self.padding[1])?;
        (size > 0).then_some(size)
    }
}

impl Dims {
    /// The sizes of the last dimensions, as many as there are windows.
    pub(super) fn last(&self, count: usize) -> &[i64] {
        let start = self.rank.saturating_sub(count);
        self.sizes().get(start..).unwrap_or_default()
    }

    /// The sizes of the results of windows that slide along the last dimensions.
    pub(super) fn slid(
        &self,
        operator: &'static str,
        windows: &[Window],
        ceil: bool,
    ) -> Result<Vec<i64>> {
        let sizes = self.last(windows.len()).iter().zip(windows);
        let places: Option<Vec<i64>> = sizes
            .map(|(size, window)| window.places(*size, ceil))
            .collect();
        places.ok_or_else(|| {
            let spans: Vec<i64> = windows.iter().map(Window::span).collect();
            self.numbers(
                operator,
                &spans,
                "a window of dilation * (kernel - 1) + 1 elements has to fit into the padded dimension",
            )
        })
    }

    /// This shape with other sizes of the last dimensions.
    pub(super) fn with_last(&self, last: &[i64]) -> Vec<i64> {
        let kept = self.rank.saturating_sub(last.len());
        let kept = self.sizes().get(..kept).unwrap_or_default();
        kept.iter().chain(last).copied().collect()
    }

    /// Checks that the tensor is an image, or a batch of images.
    pub(super) fn check_image(&self, operator: &'static str) -> Result<()> {
        match self.rank {
            3 | 4 => Ok(()),
            _ => self.check_rank(operator, 4),
        }
    }

    /// A shape of the host, for a question before there is a tensor.
    pub(super) fn asked(shape: &[usize]) -> Result<Dims> {
        let elements = shape.iter().copied().reduce(usize::saturating_mul);
        Dims::of_part(shape, elements.unwrap_or(1))
    }

    /// Checks numbers of an attribute.
    pub(super) fn check_numbers(
        &self,
        operator: &'static str,
        numbers: &[i64],
        fits: impl Fn(i64) -> bool,
        rule: &'static str,
    ) -> Result<()> {
        if numbers.iter().all(|number| fits(*number)) {
            return Ok(());
        }
        Err(self.numbers(operator, numbers, rule))
    }
}

/// Numbers of an attribute, `count` of them: those that are given, or `default` for each.
pub(super) fn given<'a>(
    operator: &'static str,
    operand: &Dims,
    numbers: &'a [i64],
    count: usize,
    default: &'a [i64],
) -> Result<&'a [i64]> {
    if numbers.is_empty() {
        return Ok(default.get(..count).unwrap_or_default());
    }
    if numbers.len() == count {
        return Ok(numbers);
    }
    let wrong = Usage::Numbers {
        operator,
        numbers: numbers.to_vec(),
        shape: operand.to_vec(),
        rule: "one for each dimension behind the channels",
    };
    Err(wrong.into())
}

#[cfg(test)]
mod tests {
    use super::Window;

    const fn window(kernel: i64, stride: i64, padding: i64, dilation: i64) -> Window {
        Window {
            kernel,
            stride,
            padding: [padding; 2],
            dilation,
        }
    }

    #[test]
    fn places_are_those_of_the_formula() {
        for (size, of, ceil, places) in [
            (5, window(3, 1, 0, 1), false, Some(3)),
            (5, window(3, 2, 1, 1), false, Some(3)),
            (6, window(3, 2, 0, 1), false, Some(2)),
            (6, window(3, 2, 0, 1), true, Some(3)),
            // The last window would begin in the padding.
            (3, window(2, 2, 1, 1), false, Some(2)),
            (4, window(2, 3, 1, 1), true, Some(2)),
            (7, window(3, 1, 0, 3), false, Some(1)),
            (6, window(3, 1, 0, 3), false, None),
            (0, window(1, 1, 0, 1), false, None),
            (i64::MAX, window(i64::MAX, 1, 1, i64::MAX), false, Some(1)),
            (5, window(3, 0, 0, 1), false, None),
        ] {
            assert_eq!(of.places(size, ceil), places, "{size} {of:?} {ceil}");
        }
    }

    #[test]
    fn a_grown_image_has_that_many_places() {
        for (size, of) in [
            (3, window(3, 2, 1, 1)),
            (4, window(2, 2, 0, 2)),
            (1, window(1, 5, 0, 1)),
        ] {
            let grown = of.grown(size, 0).unwrap_or_default();
            assert_eq!(of.places(grown, false), Some(size), "{of:?}");
        }
        assert_eq!(window(1, 1, 1, 1).grown(2, 0), None);
        assert_eq!(window(3, i64::MAX, 0, 1).grown(3, 0), None);
    }
}
