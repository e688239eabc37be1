//! Rank tables: the JSON files that name the ranks of a cluster and their devices.

use std::net::IpAddr;
use std::path::Path;

use tinyjson::JsonValue;

use crate::config::json;
use crate::ordered::Ordered;
use crate::results::list_of;
use crate::sorted::{SortedSet, by_number};

/// The longest name of a server.
const LONGEST_NAME: usize = 64;

/// The place of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// The number of the server in the table.
    pub(super) server: u32,
    pub(super) device: u32,
}

/// The ranks of a table, in their order.
pub(super) type Table = Vec<Placed>;

/// Returns the text of the file at a path.
pub(super) fn load(path: &Path) -> Result<String, String> {
    json::load(path)
        .map_err(|error| format!("the rank table {} cannot be read: {error}", path.display()))
}

/// Reads a table. The error names the rank or the server, the field, and the remedy.
pub(super) fn parse(text: &str) -> Result<Table, String> {
    let json = json::parse(text).map_err(|why| format!("the rank table is refused: {why}"))?;
    let root = "the rank table";
    let status = string(&json, root, "status")?;
    if status != "completed" {
        return Err(format!(
            "the status of the rank table is {status:?}; wait until it is \"completed\""
        ));
    }
    let version = string(&json, root, "version")?;
    if !["1.0", "1.2"].contains(&version) {
        return Err(format!(
            "the version of the rank table is {version:?}; write \"1.0\""
        ));
    }
    let servers = list(&json, root, "server_list")?;
    let count: usize = number(&json, root, "server_count")?;
    if count != servers.len() || count == 0 {
        return Err(format!(
            "server_count is {count} and server_list has {} servers; write one number, at least 1",
            servers.len()
        ));
    }
    let mut ranks = Vec::new();
    let mut names = SortedSet::new();
    for (index, server) in (0..).zip(servers) {
        let name = string(server, &format!("server {index}"), "server_id")?;
        if name.is_empty() || name.len() > LONGEST_NAME || !names.add(name) {
            return Err(format!(
                "the server_id of server {index} is {name:?}; give each server a name of its own of at most \
                 {LONGEST_NAME} characters"
            ));
        }
        read_server(server, index, servers.len() > 1, &mut ranks)?;
    }
    dense(&ranks)
}

/// Reads the ranks of a server.
fn read_server(
    server: &JsonValue,
    index: u32,
    needs_address: bool,
    ranks: &mut Vec<(u32, Placed)>,
) -> Result<(), String> {
    // The ranks of the devices.
    let mut taken = Ordered::new();
    for device in list(server, &format!("server {index}"), "device")? {
        let rank: u32 = number(device, &format!("a device of server {index}"), "rank_id")?;
        let name = format!("rank {rank}");
        let placed = Placed {
            server: index,
            device: number(device, &name, "device_id")?,
        };
        match member(device, "device_ip") {
            None if !needs_address => {}
            _ => {
                let address = string(device, &name, "device_ip")?;
                if address.parse::<IpAddr>().is_err() {
                    return Err(format!(
                        "the device_ip of {name} is {address:?}; write an address such as \"192.168.1.8\""
                    ));
                }
            }
        }
        if member(device, "device_port").is_some() {
            let port: u16 = number(device, &name, "device_port")?;
            if port == 0 {
                return Err(format!(
                    "the device_port of {name} is 0; write a number from 1 to 65535"
                ));
            }
        }
        if let Some(other) = taken.insert(placed.device as usize, rank) {
            return Err(format!(
                "the device_id of {name} is {}, and so is that of rank {other} of the same server; give each rank a \
                 device of its own",
                placed.device
            ));
        }
        ranks.push((rank, placed));
    }
    Ok(())
}

/// Checks that the numbers of the ranks are 0, 1 and so on.
fn dense(ranks: &[(u32, Placed)]) -> Result<Table, String> {
    let ranks = by_number(ranks, &|(rank, _)| *rank as usize);
    for (expected, (rank, _)) in (0..).zip(&ranks) {
        if *rank < expected {
            return Err(format!(
                "two devices have the rank_id {rank}; give each rank a number of its own"
            ));
        }
        if *rank > expected {
            return Err(format!(
                "no device has the rank_id {expected}, and one has {rank}; number the ranks from 0 on without gaps"
            ));
        }
    }
    if ranks.is_empty() {
        return Err(String::from(
            "the rank table has no device; write one for each rank",
        ));
    }
    Ok(list_of(ranks.into_iter().map(|(_, placed)| placed)))
}

fn member<'a>(json: &'a JsonValue, field: &str) -> Option<&'a JsonValue> {
    match json {
        JsonValue::Object(members) => members.get(field),
        _ => None,
    }
}

fn required<'a>(json: &'a JsonValue, of: &str, field: &str) -> Result<&'a JsonValue, String> {
    member(json, field).ok_or_else(|| format!("{of} has no {field}; add the field"))
}

fn string<'a>(json: &'a JsonValue, of: &str, field: &str) -> Result<&'a str, String> {
    match required(json, of, field)? {
        JsonValue::String(text) => Ok(text),
        _ => Err(format!(
            "the {field} of {of} is no string; all values of a rank table are strings, also numbers"
        )),
    }
}

fn number<T: std::str::FromStr>(json: &JsonValue, of: &str, field: &str) -> Result<T, String> {
    let text = string(json, of, field)?;
    text.parse().map_err(|_| {
        format!("the {field} of {of} is {text:?}; write a number in a string, such as \"0\"")
    })
}

fn list<'a>(json: &'a JsonValue, of: &str, field: &str) -> Result<&'a [JsonValue], String> {
    match required(json, of, field)? {
        JsonValue::Array(items) => Ok(items),
        _ => Err(format!("the {field} of {of} is no list; write [ and ]")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    const GOOD: &str = r#"{"status": "completed", "version": "1.0", "server_count": "2", "server_list": [
        {"server_id": "a", "device": [{"device_id": "0", "rank_id": "1", "device_ip": "10.0.0.1"}]},
        {"server_id": "b", "device": [{"device_id": "0", "rank_id": "0", "device_ip": "10.0.0.2", "device_port": "8"}]}
    ]}"#;

    #[test]
    fn ranks_are_in_their_order() {
        let place = |server| Placed { server, device: 0 };
        assert_eq!(parse(GOOD), Ok(vec![place(1), place(0)]));
    }

    /// A search through all ranks for each of them would take minutes.
    #[test]
    fn a_table_has_many_ranks() {
        let device = |rank: u32| format!("{{\"device_id\": \"{rank}\", \"rank_id\": \"{rank}\"}}");
        let devices = (0..100_000).map(device).collect::<Vec<_>>().join(",");
        let text = format!(
            "{{\"status\": \"completed\", \"version\": \"1.0\", \"server_count\": \"1\", \"server_list\": \
             [{{\"server_id\": \"a\", \"device\": [{devices}]}}]}}"
        );
        assert_eq!(parse(&text).map(|table| table.len()), Ok(100_000));
    }

    #[test]
    fn each_fault_names_the_rank_and_the_field() {
        let faults = [
            (
                "\"completed\"",
                "\"initializing\"",
                "wait until it is \"completed\"",
            ),
            ("\"1.0\"", "\"9\"", "the version of the rank table is \"9\""),
            (
                "\"version\": \"1.0\",",
                "",
                "the rank table has no version; add the field",
            ),
            ("\"1.0\"", "1", "the version of the rank table is no string"),
            (
                "\"server_count\": \"2\"",
                "\"server_count\": \"3\"",
                "server_count is 3 and server_list has 2",
            ),
            (
                "\"server_count\": \"2\"",
                "\"server_count\": \"two\"",
                "the server_count of the rank table is \"two\"",
            ),
            (
                "\"server_id\": \"b\"",
                "\"server_id\": \"a\"",
                "the server_id of server 1 is \"a\"",
            ),
            ("\"server_id\": \"b\",", "", "server 1 has no server_id"),
            (
                "\"rank_id\": \"0\", ",
                "",
                "a device of server 1 has no rank_id",
            ),
            (
                "\"rank_id\": \"0\"",
                "\"rank_id\": \"1\"",
                "no device has the rank_id 0",
            ),
            (
                "\"rank_id\": \"1\"",
                "\"rank_id\": \"0\"",
                "two devices have the rank_id 0",
            ),
            (
                "\"device_ip\": \"10.0.0.1\"",
                "\"x\": \"\"",
                "rank 1 has no device_ip",
            ),
            (
                "10.0.0.1",
                "10.0.0",
                "the device_ip of rank 1 is \"10.0.0\"",
            ),
            (
                "\"device_port\": \"8\"",
                "\"device_port\": \"0\"",
                "the device_port of rank 0 is 0",
            ),
            (
                "\"device_port\": \"8\"",
                "\"device_port\": \"70000\"",
                "the device_port of rank 0 is \"70000\"",
            ),
            (
                "{\"device_id\": \"0\", \"rank_id\": \"1\"",
                "{\"rank_id\": \"1\"",
                "rank 1 has no device_id",
            ),
            (
                "\"rank_id\": \"1\"",
                "\"rank_id\": \"-1\"",
                "the rank_id of a device of server 0 is \"-1\"",
            ),
            ("]}\n    ]}", "]}\n    ", "it is not JSON"),
        ];
        for (good, bad, expected) in faults {
            let text = GOOD.replacen(good, bad, 1);
            assert_ne!(text, GOOD, "{good}");
            let found = parse(&text).unwrap_err();
            assert!(found.contains(expected), "{found}\nis not\n{expected}");
        }
        let twice = GOOD.replacen(
            "}]},",
            "}, {\"device_id\": \"0\", \"rank_id\": \"2\", \"device_ip\": \"10.0.0.3\"}]},",
            1,
        );
        let found = parse(&twice).unwrap_err();
        assert!(
            found.contains("the device_id of rank 2 is 0, and so is that of rank 1"),
            "{found}"
        );
        assert!(
            parse(&"[".repeat(1 << 20))
                .unwrap_err()
                .contains("nests more than 32 deep")
        );
        assert!(
            parse("7")
                .unwrap_err()
                .contains("the rank table has no status")
        );
    }
}
