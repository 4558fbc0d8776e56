//! How large records are: a run's record grows with what is said in it, not with the square of that.

use crate::support::world;
use quorate::core::codec::{self, Reader};
use serde_json::json;
use std::time::Instant;

/// Bytes of the record of a run of so many seats and rounds, all of them used.
fn size(seats: usize, rounds: u32) -> usize {
    let names: Vec<String> = (0..seats).map(|seat| format!("Seat{seat}")).collect();
    let agents: Vec<_> = names
        .iter()
        .map(|name| json!({ "name": name, "personality": "a student", "kind": "custom" }))
        .collect();
    let config = json!({ "language": "English", "agents": agents, "seed": 7, "phase2_rounds": rounds });
    let begin = Instant::now();
    let run = world::run(&config, |call| world::says(world::plain(call)));
    let record = run.session.record();
    let ran = begin.elapsed();
    let begin = Instant::now();
    let lines: Vec<String> = codec::lines(&record).collect();
    let wrote = begin.elapsed();
    let begin = Instant::now();
    let mut reader = Reader::default();
    for (line, entry) in lines.iter().zip(&record) {
        assert_eq!(reader.entry(line).unwrap(), **entry);
    }
    let read = begin.elapsed();
    let rendered: usize = record
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap().len())
        .sum();
    let size = lines.iter().map(|line| line.len() + 1).sum();
    let entries = lines.len();
    println!(
        "{seats} seats, {rounds} rounds: {entries} entries, {size} bytes, {} for each entry, {rendered} rendered; ran {ran:?}, written {wrote:?}, read {read:?}",
        size / entries
    );
    let mut kinds = std::collections::BTreeMap::new();
    for line in &lines {
        let kind = line
            .split("\"type\":\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .to_owned();
        let (count, bytes) = kinds.entry(kind).or_insert((0, 0));
        *count += 1;
        *bytes += line.len();
    }
    println!("{kinds:?}");
    size
}

#[test]
fn a_record_grows_with_its_rounds() {
    let sizes = [10, 20, 40, 80].map(|rounds| size(5, rounds));
    assert!(sizes[3] < 3_000_000, "{sizes:?}");
    assert!(sizes[3] < sizes[2] * 22 / 10, "{sizes:?}");
}

#[test]
fn a_record_grows_with_its_seats() {
    let sizes = [5, 10, 20, 50].map(|seats| size(seats, 10));
    assert!(sizes[3] < 8_000_000, "{sizes:?}");
    assert!(sizes[3] < sizes[2] * 36 / 10, "{sizes:?}");
}
