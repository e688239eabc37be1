//! The bytes of an ONNX file, which is a message of Protocol Buffers: how deep it nests, the names of its nodes, and
//! changes that keep the rest of the file as it is.

use std::ops::Range;

use ascendcl_emulator::model::Unreadable;

/// The most messages that lie in one another. The decoder of the engine calls itself for each; exported models have
/// fewer than twenty.
const DEPTH: usize = 64;

/// The length-delimited kind of a field.
const BYTES: u64 = 2;

/// A message that the decoder of the engine reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Message {
    Model,
    Graph,
    Node,
    Attribute,
    Value,
    Type,
    Sequence,
    Tensor,
    TensorType,
    Shape,
    /// A message without messages in it.
    Plain,
}

impl Message {
    /// Returns the message in a field of this message.
    fn inside(self, field: u64) -> Option<Message> {
        Some(match (self, field) {
            (Message::Model, 7) | (Message::Attribute, 6 | 11) => Message::Graph,
            (Message::Graph, 1) => Message::Node,
            (Message::Graph, 11..=13) => Message::Value,
            (Message::Node, 5) => Message::Attribute,
            (Message::Value, 2) | (Message::Sequence, 1) => Message::Type,
            (Message::Type, 4) => Message::Sequence,
            (Message::Graph, 5) | (Message::Attribute, 5 | 10) => Message::Tensor,
            (Message::Type, 1) => Message::TensorType,
            (Message::TensorType, 2) => Message::Shape,
            (Message::Model, 8 | 14) | (Message::Tensor, 13) | (Message::Shape, 1) => {
                Message::Plain
            }
            _ => return None,
        })
    }

    /// Returns whether a field of bytes is a list of numbers of variable length.
    fn has_numbers(self, field: u64) -> bool {
        matches!(
            (self, field),
            (Message::Tensor, 1 | 5 | 7) | (Message::Attribute, 8)
        )
    }
}

/// A field of a message.
#[derive(Debug, Clone)]
struct Field {
    number: u64,
    kind: u64,
    /// Where the tag of the field begins.
    tag: usize,
    /// The content of a length-delimited field.
    content: Range<usize>,
}

/// A model file.
#[derive(Debug, Clone)]
pub(crate) struct File {
    bytes: Vec<u8>,
    /// The graph: its tag, and its content.
    graph: (usize, Range<usize>),
    /// The tags of the nodes of the graph.
    nodes: Vec<usize>,
    /// The tags and the texts of the names of all nodes.
    names: Vec<(usize, Range<usize>)>,
}

impl File {
    /// Reads a file, and refuses one that is no message or nests too deep.
    pub(crate) fn read(bytes: &[u8]) -> Result<File, Unreadable> {
        let mut file = File {
            bytes: bytes.to_vec(),
            graph: (0, 0..0),
            nodes: Vec::new(),
            names: Vec::new(),
        };
        let mut graphs = 0;
        let mut open = vec![(Message::Model, 0..bytes.len(), 0)];
        while let Some((message, mut range, depth)) = open.pop() {
            if depth > DEPTH {
                let text = format!("it has more than {DEPTH} messages inside of one another");
                return Err(Unreadable::Unsupported(text));
            }
            while !range.is_empty() {
                let field = field(bytes, &mut range).ok_or_else(|| {
                    let text = format!("no field of a message begins at byte {}", range.start);
                    Unreadable::Damaged(text)
                })?;
                if field.kind != BYTES {
                    continue;
                }
                if let (Message::Node, 3) = (message, field.number) {
                    file.names.push((field.tag, field.content.clone()));
                }
                // The decoder of the engine never ends at a number that is too long.
                let mut list = field.content.clone();
                while message.has_numbers(field.number) && !list.is_empty() {
                    let start = list.start;
                    number(bytes, &mut list).ok_or_else(|| {
                        Unreadable::Damaged(format!("no number begins at byte {start}"))
                    })?;
                }
                let Some(inside) = message.inside(field.number) else {
                    continue;
                };
                match (message, inside) {
                    (Message::Model, Message::Graph) => {
                        file.graph = (field.tag, field.content.clone());
                        graphs += 1;
                    }
                    (Message::Graph, Message::Node) if depth == 1 => file.nodes.push(field.tag),
                    _ => {}
                }
                open.push((inside, field.content, depth + 1));
            }
        }
        if graphs > 1 {
            let text = format!("it has {graphs} graphs, and can have one");
            return Err(Unreadable::Damaged(text));
        }
        Ok(file)
    }

    /// Removes the names of nodes for which `is_unwanted` returns true.
    pub(crate) fn clear_names(&mut self, is_unwanted: impl Fn(&[u8]) -> bool) {
        for (tag, text) in &self.names {
            if self.bytes.get(text.clone()).is_some_and(&is_unwanted) {
                // A field that no message of the format has, so each reader skips it.
                hide(&mut self.bytes, *tag);
            }
        }
    }

    /// Removes the node with this number from the graph.
    pub(crate) fn remove_node(&mut self, number: usize) {
        if let Some(tag) = self.nodes.get(number) {
            hide(&mut self.bytes, *tag);
        }
    }

    /// Returns the file with further fields at the end of its graph.
    pub(crate) fn with_fields(self, fields: &[u8]) -> Vec<u8> {
        let (tag, content) = self.graph;
        let parts = (
            self.bytes.get(..tag),
            self.bytes.get(content.clone()),
            self.bytes.get(content.end..),
        );
        let (false, (Some(before), Some(graph), Some(behind))) = (fields.is_empty(), parts) else {
            return self.bytes;
        };
        let mut file = before.to_vec();
        put(&mut file, 7, &[graph, fields].concat());
        file.extend_from_slice(behind);
        file
    }
}

/// Turns the field at a tag of one byte into one that no message of the format has.
fn hide(bytes: &mut [u8], tag: usize) {
    const UNUSED: u8 = 9;
    if let Some(byte) = bytes.get_mut(tag) {
        *byte = UNUSED << 3 | BYTES as u8;
    }
}

/// Takes the next field from the front of a range.
fn field(bytes: &[u8], range: &mut Range<usize>) -> Option<Field> {
    let tag = range.start;
    let key = number(bytes, range)?;
    // A tag of several bytes for a small number is legal, and no writer makes one.
    let is_plain = key >= 128 || range.start == tag + 1;
    let len = match key & 7 {
        0 => {
            number(bytes, range)?;
            0
        }
        1 => 8,
        BYTES => usize::try_from(number(bytes, range)?).ok()?,
        5 => 4,
        _ => return None,
    };
    let end = range.start.checked_add(len)?;
    if end > range.end || !is_plain {
        return None;
    }
    let content = range.start..end;
    range.start = end;
    Some(Field {
        number: key >> 3,
        kind: key & 7,
        tag,
        content,
    })
}

/// Takes a number of variable length from the front of a range.
fn number(bytes: &[u8], range: &mut Range<usize>) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.get(range.next()?)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Appends a number of variable length.
fn put_number(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

/// Appends a field with this content.
pub(crate) fn put(to: &mut Vec<u8>, field: u64, content: &[u8]) {
    put_number(to, field << 3 | BYTES);
    put_number(to, content.len() as u64);
    to.extend_from_slice(content);
}

/// Appends a field with a whole number.
pub(crate) fn put_int(to: &mut Vec<u8>, field: u64, value: i64) {
    put_number(to, field << 3);
    put_number(to, value.cast_unsigned());
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn message(field: u64, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, field, content);
        bytes
    }

    /// A graph that lies in a branch of a node that lies in a graph, and so on.
    fn nested(graphs: usize) -> Vec<u8> {
        let inner = (1..graphs).fold(Vec::new(), |graph, _| {
            message(1, &message(5, &message(6, &graph)))
        });
        message(7, &inner)
    }

    #[test]
    fn nested_messages_have_a_limit() {
        assert!(File::read(&nested(20)).is_ok());
        let text = File::read(&nested(30)).unwrap_err().to_string();
        assert!(text.contains("more than 64 messages"), "{text}");
        // Types of sequences of sequences.
        let types = (0..70).fold(Vec::new(), |inner, _| message(4, &message(1, &inner)));
        let value = message(7, &message(11, &message(2, &types)));
        assert!(File::read(&value).is_err());
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for bytes in [
            &[0xff][..],
            &[0x3a, 0xff],
            &[0x3a, 2, 0x0a],
            &[0x0b],
            &[0xba, 0x00, 0],
            &[0x3a, 0, 0x3a, 0],
        ] {
            assert!(File::read(bytes).is_err(), "{bytes:?}");
        }
        assert!(File::read(&[]).is_ok());
    }

    #[test]
    fn a_change_leaves_the_other_bytes_alone() {
        let node =
            |name: &str| message(1, &[message(2, b"y"), message(3, name.as_bytes())].concat());
        let graph = [node("y"), node("other"), message(2, b"a graph")].concat();
        let model = [
            message(2, b"a program"),
            message(7, &graph),
            message(3, b"1"),
        ]
        .concat();
        let mut file = File::read(&model).unwrap();
        assert_eq!(file.clone().with_fields(&[]), model);
        file.clear_names(|name| name == b"y");
        file.remove_node(1);
        let changed = file.with_fields(&message(5, b"new"));
        let expected = [
            message(1, &[message(2, b"y"), message(9, b"y")].concat()),
            message(9, &[message(2, b"y"), message(3, b"other")].concat()),
            message(2, b"a graph"),
            message(5, b"new"),
        ];
        let expected = [
            message(2, b"a program"),
            message(7, &expected.concat()),
            message(3, b"1"),
        ];
        assert_eq!(changed, expected.concat());
    }
}
