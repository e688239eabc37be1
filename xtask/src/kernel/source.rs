//! Kernels and functions of the host in a source behind the preprocessor.

use std::ops::Range;

use crate::files::words;

/// What is left of a source for the vector cores.
#[derive(Debug, Default)]
pub(super) struct Device {
    /// The source without functions of the host, and with an export for each kernel.
    pub(super) text: String,
    pub(super) kernels: Vec<String>,
    /// Kernels that are templates.
    pub(super) templates: Vec<String>,
}

/// The words that mark functions; the preprocessor has kept them.
const MARKS: [&str; 2] = ["__global__", "__aicore__"];

impl Device {
    pub(super) fn read(text: &str) -> Self {
        let plain = plain(text);
        // Such a source is for host and cores at once. What is not marked is for the host.
        let is_mixed = plain.contains("<<<") || words(&plain).any(|word| word.starts_with("acl"));
        let mut device = Self {
            text: text.into(),
            ..Self::default()
        };
        let mut scopes: Vec<&str> = Vec::new();
        let (mut start, mut next) = (0, 0);
        for (at, mark) in plain.match_indices(['(', '{', '}', ';']) {
            if at < next {
                continue;
            }
            let head = plain.get(start..at).unwrap_or_default().trim();
            next = at + 1;
            match mark {
                "(" => next = behind(&plain, at),
                "{" if head.ends_with("extern") || words(head).any(|word| word == "namespace") => {
                    scopes.push(words(head).last().unwrap_or_default());
                    start = next;
                }
                "{" => {
                    next = behind(&plain, at);
                    let Some(name) = function(head) else { continue };
                    let is_marked =
                        words(head).any(|word| MARKS.contains(&word) || word == "constexpr");
                    if words(head).any(|word| word == "__global__") {
                        let named = scopes.iter();
                        let named = named.filter(|scope| !["namespace", "extern"].contains(scope));
                        let path: Vec<&str> = named.copied().chain([name]).collect();
                        match head.starts_with("template") {
                            true => device.templates.push(path.join("::")),
                            false => device.kernels.push(path.join("::")),
                        }
                    } else if name == "main" || (is_mixed && !is_marked) {
                        device.leave_out(start..next);
                    }
                    start = next;
                }
                _ => {
                    if mark == "}" {
                        scopes.pop();
                    }
                    start = next;
                }
            }
        }
        for (at, mark) in MARKS.iter().flat_map(|mark| plain.match_indices(mark)) {
            device.leave_out(at..at + mark.len());
        }
        for kernel in &device.kernels {
            let name = kernel.rsplit("::").next().unwrap_or(kernel);
            if !words(&plain).any(|word| word.strip_suffix("__ascendcl") == Some(name)) {
                device.text += &format!(
                    "\n# 1 \"the export of {name}\"\nextern \"C\" __attribute__((visibility(\"default\"))) const \
                     ascendcl_kernel {name}__ascendcl = ascendcl::Export<&{kernel}>::kernel;\n"
                );
            }
        }
        device
    }

    /// Blanks a part. Lines stay where they are, and so do those of the preprocessor.
    fn leave_out(&mut self, part: Range<usize>) {
        let of_line = |line: &str| match line.starts_with('#') {
            true => line.into(),
            false => blank(line),
        };
        let left = self.text.get(part.clone()).unwrap_or_default();
        let blanked: String = left.split_inclusive('\n').map(of_line).collect();
        self.text.replace_range(part, &blanked);
    }
}

/// The name of the function whose body follows. Types and values have bodies too.
fn function(head: &str) -> Option<&str> {
    let ends = [")", "}", "const", "noexcept", "override"];
    if !ends.iter().any(|end| head.ends_with(end)) && !head.contains("->") {
        return None;
    }
    let mut next = 0;
    for (at, _) in head.match_indices('(') {
        let name = words(head.get(..at)?).last()?;
        if at >= next && !["__attribute__", "alignas", "decltype"].contains(&name) {
            return Some(name);
        }
        next = next.max(behind(head, at));
    }
    None
}

/// The place behind the bracket that closes the one at a place.
fn behind(plain: &str, at: usize) -> usize {
    let mut open = 0;
    let closes = |&(_, byte): &(usize, u8)| {
        open += match byte {
            b'(' | b'[' | b'{' => 1,
            b')' | b']' | b'}' => -1,
            _ => 0,
        };
        open == 0
    };
    let end = plain.bytes().enumerate().skip(at).find(closes);
    end.map_or(plain.len(), |(end, _)| end + 1)
}

fn blank(text: &str) -> String {
    let of_byte = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
    text.bytes().map(of_byte).collect()
}

/// The text with blanks for headers of the system, lines of the preprocessor, texts and characters.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_of_system = false;
    // The end of the text or character that has begun.
    let mut end: Option<String> = None;
    for line in text.split_inclusive('\n') {
        let place = line
            .strip_prefix("# ")
            .and_then(|place| place.rsplit_once('"'));
        if let (Some((_, flags)), None) = (place, &end) {
            is_of_system = flags.contains('3');
        }
        let mut rest = line;
        if end.is_none() && (is_of_system || line.starts_with('#')) {
            plain += &blank(line);
            rest = "";
        }
        while !rest.is_empty() {
            let (size, is_code) = match &end {
                Some(mark) => {
                    let is_escaped =
                        |at: usize| mark.len() == 1 && escapes(rest.get(..at).unwrap_or_default());
                    let mut found = rest.match_indices(mark.as_str());
                    let found = found.find(|(at, _)| !is_escaped(*at));
                    let size = found.map_or(rest.len(), |(at, mark)| at + mark.len());
                    end = end.filter(|_| found.is_none());
                    (size, false)
                }
                None => {
                    let at = rest.find(['"', '\'']).unwrap_or(rest.len());
                    let (before, from) = rest.split_at(at);
                    let raw = from.strip_prefix('"').filter(|_| before.ends_with('R'));
                    let raw = raw.and_then(|raw| raw.split_once('('));
                    // In a number, such a mark separates digits.
                    let is_digit = from.starts_with('\'')
                        && before.ends_with(|last: char| last.is_ascii_hexdigit());
                    end = match raw {
                        Some((mark, _)) => Some(format!("){mark}\"")),
                        None => from.get(..1).filter(|_| !is_digit).map(String::from),
                    };
                    ((at + 1).min(rest.len()), true)
                }
            };
            let (part, left) = rest.split_at(size);
            let marks = if is_code {
                usize::from(end.is_some())
            } else {
                size
            };
            let (code, mark) = part.split_at(size - marks);
            plain += code;
            plain += &blank(mark);
            rest = left;
        }
    }
    plain
}

/// Whether the letter behind a text is escaped.
fn escapes(text: &str) -> bool {
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::Device;

    fn read(text: &str) -> Device {
        Device::read(&format!("# 1 \"a.cpp\"\n{text}"))
    }

    #[test]
    fn kernels_are_found_by_the_word() {
        let device = read(
            "struct alignas(32) A { A() : x{1} {} int x; };\ntemplate <class T, int N = 1> class B { T x[N] = {}; };\n\
             const char *s = \"__global__ void no() {\"; char c = '{', d = '\\''; int n = 1'000; auto r = R\"x(})x\";\n\
             extern \"C\" __global__ __aicore__ void declared(int x);\nauto f = [](int x) { return x; };\n\
             extern \"C\" __global__ __aicore__\nvoid __attribute__((aiv)) one(uint8_t *x) { if (x) { } }\n\
             namespace n { extern \"C\" { __global__ void two() {} } }\ntemplate <typename T> __global__ void three(T x) {}\n\
             namespace { __global__ void four() {} }\nbool operator==(A, A) { return true; }\n\
             __global__ void five() {}\nvoid five__ascendcl();",
        );
        assert_eq!(device.kernels, ["one", "n::two", "four", "five"]);
        assert_eq!(device.templates, ["three"]);
        let has = |text: &str| device.text.contains(text);
        assert!(has("two__ascendcl = ascendcl::Export<&n::two>::kernel;"));
        assert!(!has("five__ascendcl ="), "it has an export");
        assert!(!has("__global__ __aicore__"));
    }

    #[test]
    fn functions_of_the_host_are_left_out() {
        let host = "void launch(void *s) {\n    add<<<1, nullptr, s>>>(s);\n}\n";
        let device = read(&format!(
            "int main() {{ return 0; }}\n__aicore__ inline int f() {{ return 1; }}\nconstexpr int g() {{ return 2; }}\n\
             {host}int h() {{ return 3; }}\n# 9 \"b.h\" 1 3\nint of_system() {{ return 4; }}\n"
        ));
        for name in ["f()", "g()", "of_system"] {
            assert!(device.text.contains(name), "{name}");
        }
        for name in ["main", "launch", "h()"] {
            assert!(!device.text.contains(name), "{name}");
        }
        let place = device.text.lines().position(|line| line.starts_with("# 9"));
        assert_eq!(place, Some(8), "lines stay where they are");
        let of_device = read("int h() { return 3; }");
        assert!(of_device.text.contains("h()"), "nothing is the host's");
    }
}
