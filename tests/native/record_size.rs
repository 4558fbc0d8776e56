//! How large records are: a run's record grows with what is said in it, not with the square of that.

use crate::support::world;
use quorate::core::codec::{self, Reader};
use serde_json::json;

/// Bytes of the record of a run of so many seats and rounds, all of them used.
fn size(seats: usize, rounds: u32) -> usize {
    let names: Vec<String> = (0..seats).map(|seat| format!("Seat{seat}")).collect();
    let agents: Vec<_> = names
        .iter()
        .map(|name| json!({ "name": name, "personality": "a student", "kind": "custom" }))
        .collect();
    let config = json!({ "language": "English", "agents": agents, "seed": 7, "phase2_rounds": rounds });
    let run = world::run(&config, |call| world::says(world::plain(call)));
    let record = run.session.record();
    let mut reader = Reader::default();
    let mut size = 0;
    for (line, entry) in codec::lines(&record).zip(&record) {
        assert_eq!(reader.entry(&line).unwrap(), **entry);
        size += line.len() + 1;
    }
    size
}

#[test]
fn a_record_grows_with_its_rounds() {
    let sizes = [10, 20, 40, 80].map(|rounds| size(5, rounds));
    assert!(sizes[3] < 2_260_000, "{sizes:?}");
    assert!(sizes[3] < sizes[2] * 22 / 10, "{sizes:?}");
}

#[test]
fn a_record_grows_with_its_seats() {
    let sizes = [5, 10, 20, 50].map(|seats| size(seats, 10));
    assert!(sizes[3] < 4_480_000, "{sizes:?}");
    assert!(sizes[3] < sizes[2] * 36 / 10, "{sizes:?}");
}
