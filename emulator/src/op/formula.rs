//! Formulas: the arithmetic of an operator as a text. It becomes a list of steps when the emulator is compiled, so that an
//! operator has data and no code of its own. `steps` runs the list.
//!
//! A formula is an expression of the operands, whose names [`formula!`](super::elementwise::formula) gives. In front of it
//! may be names for parts: `t = tanh(x); grad * (1 - t * t)`. The operators of an expression are those of C: `? :`,
//! comparisons, `+ - * /` and the sign. The functions are those of [`FUNCTIONS`].

use super::operation::Operation::{self, *};
use super::operation::{FUNCTIONS, FUSED};

/// The largest number of steps, of constants, and of names.
const MOST: usize = 48;

/// A step: it computes numbers from those of registers. The operands are the first registers, the constants follow them, and
/// each step has a register of its own behind those.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) operation: Operation,
    pub(super) from: [u8; 4],
}

/// The steps of a formula, and its constants.
#[derive(Debug, Clone, Copy)]
pub struct Formula {
    steps: [Step; MOST],
    count: usize,
    constants: [f64; MOST],
    constant_count: usize,
    operand_count: usize,
}

impl Formula {
    /// Reads a formula of these operands. A text that is no formula does not compile.
    #[must_use]
    pub const fn new(operands: &[&str], text: &str) -> Self {
        let mut reader = Reader {
            text: text.as_bytes(),
            place: 0,
            operands,
            parts: [(0, 0, 0); MOST],
            part_count: 0,
            constants_read: 0,
            formula: Self {
                steps: [Step {
                    operation: Copied,
                    from: [0; 4],
                }; MOST],
                count: 0,
                constants: [0.0; MOST],
                constant_count: 0,
                operand_count: operands.len(),
            },
        };
        // The registers of the steps follow those of the constants, so the constants are counted first.
        reader.count_constants();
        let result = reader.parts_and_result();
        assert!(
            reader.place == reader.text.len(),
            "a formula goes on behind its end"
        );
        let mut formula = reader.formula;
        // The result is in the last register.
        if result + 1 != formula.registers() || formula.count == 0 {
            formula = formula.with(Copied, [result, 0, 0, 0]);
        }
        formula
    }

    /// Whether the result is the only operand.
    pub(super) fn is_copy(&self) -> bool {
        // The first register is the operand; a constant has another one.
        let is_copy = |step: &Step| step.operation == Copied && step.from == [0; 4];
        self.operand_count == 1 && self.steps().iter().all(is_copy)
    }

    /// The steps in their order.
    pub(super) fn steps(&self) -> &[Step] {
        self.steps.get(..self.count).unwrap_or(&[])
    }

    /// The constants, whose registers follow those of the operands.
    pub(super) fn constants(&self) -> &[f64] {
        self.constants.get(..self.constant_count).unwrap_or(&[])
    }

    /// The number of registers; the last one has the result.
    pub(super) const fn registers(&self) -> usize {
        self.operand_count + self.constant_count + self.count
    }

    /// The number of operands.
    pub(super) const fn operands(&self) -> usize {
        self.operand_count
    }

    /// The register of the first step.
    pub(super) const fn first(&self) -> usize {
        self.operand_count + self.constant_count
    }

    /// Whether a step is one of these: from the first to the last.
    const fn has(&self, first: Operation, last: Operation) -> bool {
        let mut index = 0;
        while index < self.count {
            #[allow(clippy::indexing_slicing, reason = "computed by the compiler")]
            let operation = self.steps[index].operation as u8;
            if operation >= first as u8 && operation <= last as u8 {
                return true;
            }
            index += 1;
        }
        false
    }

    /// Whether integers are computed as real numbers.
    pub(super) const fn is_real(&self) -> bool {
        self.has(Operation::FIRST_REAL, Operation::LAST_REAL)
    }

    /// Adds a step.
    #[allow(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "computed by the compiler"
    )]
    const fn with(mut self, operation: Operation, from: [usize; 4]) -> Self {
        // CAST: a formula has at most 255 registers.
        let [a, b, c, d] = from;
        let from = [a as u8, b as u8, c as u8, d as u8];
        self.steps[self.count] = Step { operation, from };
        self.count += 1;
        self
    }
}

/// Reads the text of a formula.
struct Reader<'a> {
    text: &'a [u8],
    place: usize,
    operands: &'a [&'a str],
    /// The first byte, the length and the register of each named part.
    parts: [(usize, usize, usize); MOST],
    part_count: usize,
    constants_read: usize,
    formula: Formula,
}

#[allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "computed by the compiler, which reports a place outside and what is no formula"
)]
impl Reader<'_> {
    /// Goes behind blanks.
    const fn skip(&mut self) {
        while self.place < self.text.len() && self.text[self.place] == b' ' {
            self.place += 1;
        }
    }

    /// Goes behind a mark if it is next.
    const fn accepts(&mut self, mark: &str) -> bool {
        self.skip();
        let mark = mark.as_bytes();
        if !is_at(self.text, self.place, mark) {
            return false;
        }
        self.place += mark.len();
        self.skip();
        true
    }

    const fn expects(&mut self, mark: &str) {
        assert!(self.accepts(mark), "a formula lacks a mark");
    }

    /// Goes behind a name, and returns its place and its length.
    const fn name(&mut self) -> (usize, usize) {
        let first = self.place;
        while self.place < self.text.len() && is_of_name(self.text[self.place]) {
            self.place += 1;
        }
        let len = self.place - first;
        self.skip();
        (first, len)
    }

    /// Counts the constants, without their values: registers of steps lie behind them.
    const fn count_constants(&mut self) {
        while self.place < self.text.len() {
            let byte = self.text[self.place];
            if byte.is_ascii_digit() {
                let _ = self.number();
                self.formula.constant_count += 1;
            } else if is_of_name(byte) {
                let _ = self.name();
            } else {
                self.place += 1;
            }
        }
        self.place = 0;
        self.skip();
    }

    /// Reads the parts with names, and the result behind them.
    const fn parts_and_result(&mut self) -> usize {
        loop {
            let start = self.place;
            let (first, len) = self.name();
            let is_part = len > 0
                && is_at(self.text, self.place, b"=")
                && !is_at(self.text, self.place, b"==");
            if !is_part {
                self.place = start;
                return self.choice();
            }
            self.expects("=");
            let register = self.choice();
            self.expects(";");
            self.parts[self.part_count] = (first, len, register);
            self.part_count += 1;
        }
    }

    /// Reads `condition ? one : other`. A comparison is part of the step that chooses.
    const fn choice(&mut self) -> usize {
        let (comparison, [left, right]) = self.comparison();
        if !self.accepts("?") {
            return match comparison {
                Copied => left,
                _ => self.step(comparison, [left, right, 0, 0]),
            };
        }
        let one = self.choice();
        self.expects(":");
        let other = self.choice();
        match comparison {
            Less => self.step(ChoiceLess, [left, right, one, other]),
            Greater => self.step(ChoiceLess, [right, left, one, other]),
            Equal => self.step(ChoiceEqual, [left, right, one, other]),
            Different => self.step(ChoiceEqual, [left, right, other, one]),
            Copied => self.step(Choice, [left, one, other, 0]),
            _ => {
                let condition = self.step(comparison, [left, right, 0, 0]);
                self.step(Choice, [condition, one, other, 0])
            }
        }
    }

    /// Reads a comparison, or a number alone, which is `Copied`.
    const fn comparison(&mut self) -> (Operation, [usize; 2]) {
        let left = self.sum();
        let operation = if self.accepts("<=") {
            AtMost
        } else if self.accepts(">=") {
            AtLeast
        } else if self.accepts("==") {
            Equal
        } else if self.accepts("!=") {
            Different
        } else if self.accepts("<") {
            Less
        } else if self.accepts(">") {
            Greater
        } else {
            return (Copied, [left; 2]);
        };
        (operation, [left, self.sum()])
    }

    const fn sum(&mut self) -> usize {
        let mut left = self.product();
        loop {
            let operation = if self.accepts("+") {
                Sum
            } else if self.accepts("-") {
                Difference
            } else {
                return left;
            };
            let right = self.product();
            left = self.step(operation, [left, right, 0, 0]);
        }
    }

    const fn product(&mut self) -> usize {
        let mut left = self.signed();
        loop {
            let operation = if self.accepts("*") {
                Product
            } else if self.accepts("/") {
                Division
            } else {
                return left;
            };
            let right = self.signed();
            left = self.step(operation, [left, right, 0, 0]);
        }
    }

    const fn signed(&mut self) -> usize {
        if self.accepts("-") {
            if self.place < self.text.len() && self.text[self.place].is_ascii_digit() {
                let register = self.constant();
                let index = register - self.formula.operand_count;
                self.formula.constants[index] = -self.formula.constants[index];
                return register;
            }
            let one = self.signed();
            return self.step(Negative, [one, 0, 0, 0]);
        }
        if self.accepts("(") {
            let inner = self.choice();
            self.expects(")");
            return inner;
        }
        assert!(self.place < self.text.len(), "a formula ends too early");
        if self.text[self.place].is_ascii_digit() {
            return self.constant();
        }
        let (first, len) = self.name();
        if self.accepts("(") {
            return self.function(first, len);
        }
        self.named(first, len)
    }

    /// Reads a constant into the next register of constants.
    const fn constant(&mut self) -> usize {
        let value = self.number();
        self.skip();
        let index = self.constants_read;
        self.constants_read += 1;
        self.formula.constants[index] = value;
        self.formula.operand_count + index
    }

    /// Reads digits and the point among them.
    #[allow(clippy::cast_precision_loss, reason = "of a constant, to the nearest")]
    const fn number(&mut self) -> f64 {
        let (mut digits, mut behind, mut has_point) = (0u64, 0, false);
        while self.place < self.text.len() {
            match self.text[self.place] {
                byte @ b'0'..=b'9' => {
                    digits = digits * 10 + (byte - b'0') as u64;
                    behind += if has_point { 1 } else { 0 };
                }
                b'.' => has_point = true,
                _ => break,
            }
            self.place += 1;
        }
        // CAST: to the nearest.
        let mut value = digits as f64;
        let mut divisor = 1.0;
        while behind > 0 {
            divisor *= 10.0;
            behind -= 1;
        }
        value /= divisor;
        value
    }

    const fn function(&mut self, first: usize, len: usize) -> usize {
        let mut index = 0;
        while index < FUNCTIONS.len() {
            let (name, operation, arguments) = FUNCTIONS[index];
            if is_called(self.text, (first, len), name) {
                let mut from = [0; 4];
                let mut argument = 0;
                while argument < arguments {
                    if argument > 0 {
                        self.expects(",");
                    }
                    from[argument] = self.choice();
                    argument += 1;
                }
                self.expects(")");
                return self.step(operation, from);
            }
            index += 1;
        }
        panic!("a formula has an unknown function");
    }

    /// Finds the register of an operand or of a part.
    const fn named(&self, first: usize, len: usize) -> usize {
        let mut index = 0;
        while index < self.operands.len() {
            if is_called(self.text, (first, len), self.operands[index]) {
                return index;
            }
            index += 1;
        }
        index = self.part_count;
        while index > 0 {
            index -= 1;
            let (other, other_len, register) = self.parts[index];
            if other_len == len && is_same(self.text, first, other, len) {
                return register;
            }
        }
        panic!("a formula has an unknown name");
    }

    /// Adds a step, and returns its register. A step before it that nothing else reads becomes a part of it.
    const fn step(&mut self, operation: Operation, from: [usize; 4]) -> usize {
        let last = self.formula.registers().saturating_sub(1);
        let mut index = 0;
        while index < FUSED.len() && self.formula.count > 0 && !self.is_part(last) {
            let before = self.formula.steps[self.formula.count - 1];
            let (own, argument, inner, fused) = FUSED[index];
            if own as u8 == operation as u8
                && inner as u8 == before.operation as u8
                && from[argument] == last
            {
                let [a, b, ..] = before.from;
                self.formula.count -= 1;
                let from = [a as usize, b as usize, from[1 - argument], 0];
                self.formula = self.formula.with(fused, from);
                return self.formula.registers() - 1;
            }
            index += 1;
        }
        self.formula = self.formula.with(operation, from);
        self.formula.registers() - 1
    }

    /// Whether a register has a name, so that several steps may read it.
    const fn is_part(&self, register: usize) -> bool {
        let mut index = 0;
        while index < self.part_count {
            if self.parts[index].2 == register {
                return true;
            }
            index += 1;
        }
        false
    }
}

const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether these bytes stand at a place of a text.
#[allow(clippy::indexing_slicing, reason = "the length is compared first")]
const fn is_at(text: &[u8], place: usize, bytes: &[u8]) -> bool {
    if text.len() - place < bytes.len() {
        return false;
    }
    let mut index = 0;
    while index < bytes.len() {
        if text[place + index] != bytes[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Whether a part of a text is this name.
const fn is_called(text: &[u8], (first, len): (usize, usize), name: &str) -> bool {
    len == name.len() && is_at(text, first, name.as_bytes())
}

/// Whether two parts of a text are the same.
#[allow(clippy::indexing_slicing, reason = "both parts are inside of the text")]
const fn is_same(text: &[u8], one: usize, other: usize, len: usize) -> bool {
    let mut index = 0;
    while index < len {
        if text[one + index] != text[other + index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::Formula;
    use crate::op::number::{CHUNK, Whole};
    use crate::op::steps::{Computed, TENSORS, prepare};

    /// Computes a formula of these numbers.
    fn compute<W: Computed>(operands: &[&str], text: &str, numbers: &[W]) -> W {
        let formula = Formula::new(operands, text);
        let mut registers: Vec<_> = numbers.iter().map(|number| [*number; CHUNK]).collect();
        prepare(&formula, &mut registers);
        W::compute(&formula, &[None; TENSORS], &mut registers, None);
        registers.last().map_or(W::ZERO, |result| result[CHUNK - 1])
    }

    #[test]
    fn operators_bind_as_in_c() {
        let [x, y] = [2.0f64, 3.0];
        for (text, result) in [
            ("x", 2.0),
            ("x + y * x", 8.0),
            ("(x + y) * x", 10.0),
            ("x - y - x", -3.0),
            ("x / y / x", 1.0 / 3.0),
            ("-x * y", -6.0),
            ("-4 * x - -1", -7.0),
            ("x < y ? x : y", 2.0),
            ("x > y ? x : x == 2 ? 7 : y", 7.0),
            ("x + 1 <= y", 1.0),
            ("t = x * y; t + t", 12.0),
            ("t = x; t = t + 1; t * t", 9.0),
            ("max(min(x, y), 2.5) + 0.25", 2.75),
        ] {
            let got = compute(&["x", "y"], text, &[x, y]);
            assert!((got - result).abs() < 1e-15, "{text} is {got}");
        }
    }

    #[test]
    fn pairs_of_steps_are_one() {
        for (text, steps, result) in [
            ("x * y + z", 1, 11.0),
            ("z + x * y", 1, 11.0),
            ("z - x * y", 1, -1.0),
            ("(x + y) * z", 1, 25.0),
            ("z * (x + y)", 1, 25.0),
            ("(x - y) * z", 1, -5.0),
            ("z * (x - y)", 1, -5.0),
            ("z * x / y", 1, 10.0 / 3.0),
            ("x / y + z", 2, 2.0 / 3.0 + 5.0),
            ("min(max(x, y), z)", 1, 3.0),
            ("x < y ? z : x", 1, 5.0),
            ("x > y ? z : x", 1, 2.0),
            ("x <= x ? z : x", 2, 5.0),
            ("x >= y ? z : x", 2, 2.0),
            ("x == y ? z : x", 1, 2.0),
            ("x != y ? z : x", 1, 5.0),
            // Other steps read a part with a name, too.
            ("t = x * y; t + z * t", 2, 36.0),
            ("x * y + z * x", 2, 16.0),
        ] {
            let names = ["x", "y", "z"];
            assert_eq!(Formula::new(&names, text).steps().len(), steps, "{text}");
            let got = compute(&names, text, &[2.0f64, 3.0, 5.0]);
            assert!((got - result).abs() < 1e-15, "{text} is {got}");
        }
    }

    #[test]
    fn integers_wrap_and_real_functions_are_not_for_them() {
        let most = Whole(i64::MAX);
        assert_eq!(compute(&["x"], "x + 1", &[most]), Whole(i64::MIN));
        assert_eq!(compute(&["x"], "bits_xor(x, 5)", &[Whole(6)]), Whole(3));
        assert!(Formula::new(&["x"], "exp(x)").is_real());
        assert!(!Formula::new(&["x"], "abs(x) * 2").is_real());
    }

    #[test]
    #[should_panic(expected = "unknown name")]
    fn an_unknown_name_is_no_formula() {
        let _ = Formula::new(&["x"], "x + z");
    }

    #[test]
    #[should_panic(expected = "behind its end")]
    fn a_formula_ends_with_its_result() {
        let _ = Formula::new(&["x"], "x) + 1");
    }

    #[test]
    fn rare_functions_are_near_the_exact_ones() {
        for (text, x, result) in [
            ("erfinv(x)", 0.5, 0.476_936_276_204_469_9),
            ("erfinv(x)", -0.999_999, -3.458_910_737_275_499),
            ("digamma(x)", 0.25, -4.227_453_533_376_265),
            ("digamma(x)", -0.5, 0.036_489_973_978_576_52),
            ("lgamma(x)", 0.25, 1.288_022_524_698_077_4),
        ] {
            let got = compute::<f64>(&["x"], text, &[x]);
            assert!(
                (got - result).abs() < 1e-12 * result.abs().max(1.0),
                "{text} of {x} is {got}"
            );
        }
    }
}
