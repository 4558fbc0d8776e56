use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn call(session: &str, seat: &str) -> QueuedCall {
    QueuedCall {
        origin: "https://a.example".to_owned(),
        session: session.to_owned(),
        seat: seat.to_owned(),
        at_once: 1,
        per_minute: None,
        not_before: 0,
    }
}

const ORIGIN: &str = "https://a.example";

#[test]
fn seats_take_turns() {
    let mut pace = Pace::default();
    let many: Vec<Ticket> = (0..3).map(|_| pace.join(call("s", "Ana"))).collect();
    let ben = pace.join(call("s", "Ben"));
    let other = pace.join(call("t", "Ana"));
    let mut order: Vec<Ticket> = Vec::new();
    for _ in 0..5 {
        let begun = pace.start(0);
        assert_eq!(begun.len(), 1);
        assert!(pace.start(0).is_empty());
        order.extend(&begun);
        pace.leave(begun[0]);
    }
    assert_eq!(order, [many[0], ben, other, many[1], many[2]]);
    assert!(pace.start(0).is_empty());
}

#[test]
fn the_lowest_limit_in_the_queue_applies() {
    let mut pace = Pace::default();
    let open = QueuedCall {
        at_once: 4,
        ..call("s", "Ana")
    };
    for _ in 0..4 {
        pace.join(open.clone());
    }
    let careful = pace.join(call("t", "Ben"));
    let begun = pace.start(0);
    assert_eq!(begun.len(), 1);
    pace.leave(begun[0]);
    assert_eq!(pace.start(0), [careful]);
    pace.leave(careful);
    assert_eq!(pace.start(0).len(), 3);
}

#[test]
fn calls_per_minute_are_limited() {
    let mut pace = Pace::default();
    let two = QueuedCall {
        at_once: 9,
        per_minute: Some(2),
        ..call("s", "Ana")
    };
    let tickets: Vec<Ticket> = (0..5).map(|_| pace.join(two.clone())).collect();
    assert_eq!(pace.start(1_000), tickets[..2]);
    pace.leave(tickets[0]);
    pace.leave(tickets[1]);
    assert!(pace.start(60_999).is_empty());
    assert_eq!(pace.next(1_000), Some(61_000));
    let waits = |until, ahead| {
        Some(Wait {
            until,
            ahead,
            why: WaitReason::Minute,
        })
    };
    assert_eq!(pace.waits(tickets[3], 2_000), waits(Some(61_000), 1));
    // Its start depends on calls that have not started.
    assert_eq!(pace.waits(tickets[4], 2_000), waits(None, 2));
    assert_eq!(pace.start(61_000), tickets[2..4]);
    // A second request of a call counts like a call.
    pace.asks_again(ORIGIN, 61_500);
    assert_eq!(pace.next(61_500), Some(121_000));
    assert!(pace.start(120_999).is_empty());
    assert_eq!(pace.start(121_000), [tickets[4]]);
}

#[test]
fn back_offs_apply_to_an_origin_and_grow() {
    let mut pace = Pace::default();
    pace.refused(ORIGIN, 0, Some(3_000));
    let first = pace.join(call("s", "Ana"));
    let elsewhere = pace.join(QueuedCall {
        origin: "https://b.example".to_owned(),
        ..call("s", "Ana")
    });
    assert_eq!(pace.start(2_999), [elsewhere]);
    let expected = Wait {
        until: Some(3_000),
        ahead: 0,
        why: WaitReason::Retry,
    };
    assert_eq!(pace.waits(first, 10), Some(expected));
    assert_eq!(pace.start(3_000), [first]);
    pace.leave(first);

    let mut now = 10_000;
    for hold in [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] {
        pace.refused(ORIGIN, now, None);
        pace.refused(ORIGIN, now + 1, None);
        let ticket = pace.join(call("s", "Ana"));
        assert_eq!(pace.next(now), Some(now + hold));
        now += hold;
        assert_eq!(pace.start(now), [ticket]);
        pace.leave(ticket);
    }
    (0..6).for_each(|_| pace.answered(ORIGIN, now, None));
    pace.refused(ORIGIN, now, None);
    pace.join(call("s", "Ana"));
    assert_eq!(pace.next(now), Some(now + 4_000));
    pace.lift(ORIGIN);
    assert_eq!(pace.start(now).len(), 1);
    pace.refused(ORIGIN, now, Some(Millis::MAX));
    pace.join(QueuedCall {
        at_once: 9,
        ..call("s", "Ben")
    });
    assert_eq!(pace.next(now), None, "one call at once is on its way");
    pace.answered(ORIGIN, now, Some(5));
    assert!(pace.start(now + LONGEST_HOLD - 1).is_empty());
}

#[test]
fn a_retry_lets_others_pass() {
    let mut pace = Pace::default();
    let later = pace.join(QueuedCall {
        not_before: 500,
        ..call("s", "Ana")
    });
    let now = pace.join(call("s", "Ben"));
    assert_eq!(pace.start(100), [now]);
    pace.leave(now);
    assert_eq!(pace.next(100), Some(500));
    assert_eq!(pace.start(500), [later]);
}

#[test]
fn parked_calls_keep_their_position() {
    let mut pace = Pace::default();
    let ana = pace.join(call("s", "Ana"));
    let ben = pace.join(call("s", "Ben"));
    let other = pace.join(call("t", "Ana"));
    pace.park("s");
    assert_eq!(pace.waits(ana, 0), None);
    assert_eq!(pace.start(0), [other]);
    pace.leave(other);
    assert_eq!((pace.start(0), pace.next(0)), (Vec::new(), None));
    assert!(pace.unpark_one("s"));
    assert_eq!(pace.start(0), [ana]);
    pace.leave(ana);
    assert!(pace.start(0).is_empty());
    pace.unpark("s");
    assert!(!pace.unpark_one("s"));
    assert_eq!(pace.start(0), [ben]);
}

#[test]
fn refusals_halve_the_calls_at_once_and_answers_raise_them() {
    let mut pace = Pace::default();
    let many = QueuedCall {
        at_once: 8,
        ..call("s", "Ana")
    };
    for _ in 0..100 {
        pace.join(many.clone());
    }
    let mut now = 0;
    let mut running = pace.start(now);
    let mut finish = |pace: &mut Pace, now: Millis| {
        running.drain(..).for_each(|ticket| pace.leave(ticket));
        running = pace.start(now);
        running.len()
    };
    assert_eq!(pace.running_at(ORIGIN), 8);
    // All of them are refused, some with a delay that is over at once: that is one refusal.
    for _ in 0..8 {
        pace.refused(ORIGIN, now, Some(0));
    }
    assert_eq!(finish(&mut pace, now), 4);
    now += 1;
    pace.refused(ORIGIN, now, None);
    now += FIRST_HOLD;
    assert_eq!(finish(&mut pace, now), 2);
    for expected in [3, 4, 5, 6, 7, 8, 8] {
        for _ in 0..pace.running_at(ORIGIN) {
            pace.answered(ORIGIN, now, None);
        }
        assert_eq!(finish(&mut pace, now), expected);
    }
    pace.refused(ORIGIN, now, Some(0));
    assert_eq!(finish(&mut pace, now), 4);
    pace.lift(ORIGIN);
    assert_eq!(finish(&mut pace, now), 8);
}

impl Pace {
    fn running_at(&self, origin: &str) -> usize {
        self.origins[origin].running.len()
    }
}

#[derive(Debug, Clone)]
enum Step {
    Join {
        session: u8,
        seat: u8,
        at_once: u32,
        per_minute: Option<u32>,
        after: Millis,
    },
    /// Cancels or finishes a call.
    Leave(usize),
    Refused(Option<Millis>),
    Answered,
    Park(u8),
    Unpark(u8),
    Wait(Millis),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..3_u8, 0..3_u8, 1..4_u32, prop::option::of(1..6_u32), 0..3_000_u64).prop_map(
            |(session, seat, at_once, per_minute, after)| Step::Join { session, seat, at_once, per_minute, after }
        ),
        4 => any::<usize>().prop_map(Step::Leave),
        1 => prop::option::of(0..9_000_u64).prop_map(Step::Refused),
        1 => Just(Step::Answered),
        1 => (0..3_u8).prop_map(Step::Park),
        1 => (0..3_u8).prop_map(Step::Unpark),
        3 => (0..40_000_u64).prop_map(Step::Wait),
    ]
}

proptest! {
    #[test]
    fn limits_hold_and_every_call_starts_once(steps in prop::collection::vec(step(), 1..120)) {
        let mut pace = Pace::default();
        let mut now = 1_000_000;
        let mut calls: BTreeMap<Ticket, QueuedCall> = BTreeMap::new();
        let mut waiting: Vec<Ticket> = Vec::new();
        let mut running: Vec<Ticket> = Vec::new();
        let mut begun: Vec<Millis> = Vec::new();
        let mut parked = [false; 3];
        let mut held = 0;
        // In the end all sessions are unparked, time passes and calls finish.
        let end = (0..3).map(Step::Unpark).chain((0..900).flat_map(|_| [Step::Wait(60_000), Step::Leave(usize::MAX)]));
        for step in steps.into_iter().chain(end) {
            match step {
                Step::Join { session, seat, at_once, per_minute, after } => {
                    let queued = QueuedCall {
                        at_once,
                        per_minute,
                        not_before: now + after,
                        ..call(&session.to_string(), &seat.to_string())
                    };
                    let ticket = pace.join(queued.clone());
                    // A paused session starts no calls.
                    if parked[usize::from(session)] {
                        pace.park(&session.to_string());
                    }
                    prop_assert!(calls.insert(ticket, queued).is_none());
                    waiting.push(ticket);
                }
                Step::Leave(usize::MAX) => running.drain(..).for_each(|ticket| pace.leave(ticket)),
                Step::Leave(which) => {
                    let all = waiting.len() + running.len();
                    if all > 0 {
                        let which = which % all;
                        let ticket = if which < waiting.len() {
                            waiting.remove(which)
                        } else {
                            running.remove(which - waiting.len())
                        };
                        pace.leave(ticket);
                    }
                }
                Step::Refused(wait) => {
                    pace.refused(ORIGIN, now, wait);
                    held = held.max(now + wait.unwrap_or(0));
                }
                Step::Answered => pace.answered(ORIGIN, now, None),
                Step::Park(session) => {
                    parked[usize::from(session)] = true;
                    pace.park(&session.to_string());
                }
                Step::Unpark(session) => {
                    parked[usize::from(session)] = false;
                    pace.unpark(&session.to_string());
                }
                Step::Wait(wait) => now += wait,
            }
            let is_waiting: Vec<bool> = waiting.iter().map(|ticket| pace.waits(*ticket, now).is_some()).collect();
            let is_parked = |ticket: &Ticket| parked[calls[ticket].session.parse::<usize>().unwrap()];
            let expected: Vec<bool> = waiting.iter().map(|ticket| !is_parked(ticket)).collect();
            prop_assert_eq!(is_waiting, expected);
            for ticket in pace.start(now) {
                // A call starts only once.
                let position = waiting.iter().position(|one| *one == ticket);
                prop_assert!(position.is_some());
                let in_queue = waiting.iter().filter(|ticket| !is_parked(ticket));
                let present: Vec<&QueuedCall> = in_queue.chain(&running).map(|ticket| &calls[ticket]).collect();
                let at_once = present.iter().map(|queued| queued.at_once).min().unwrap();
                let per_minute = present.iter().filter_map(|queued| queued.per_minute).min();
                waiting.remove(position.unwrap());
                prop_assert!(!is_parked(&ticket));
                prop_assert!(calls[&ticket].not_before <= now && held <= now);
                running.push(ticket);
                begun.push(now);
                prop_assert!(running.len() <= at_once as usize);
                let recent = begun.iter().filter(|begun| **begun + 60_000 > now).count();
                prop_assert!(per_minute.is_none_or(|most| recent <= most as usize));
            }
            // Every call that may start has started.
            if let Some(next) = pace.next(now) {
                prop_assert!(next > now);
            }
        }
        prop_assert_eq!(waiting, Vec::<Ticket>::new(), "all had their turn");
    }

    #[test]
    fn every_seat_has_at_most_one_turn_in_between(seats in prop::collection::vec(0..5_u8, 5..60)) {
        let mut pace = Pace::default();
        let mut left: BTreeMap<Ticket, u8> = seats.iter().map(|seat| (pace.join(call("s", &seat.to_string())), *seat)).collect();
        let mut turns: Vec<u8> = Vec::new();
        while let [ticket] = pace.start(0)[..] {
            turns.push(left.remove(&ticket).unwrap());
            pace.leave(ticket);
        }
        prop_assert!(left.is_empty());
        // While a seat has calls left, no other seat has two turns between two of its own.
        for seat in 0..5 {
            let own: Vec<usize> = (0..turns.len()).filter(|place| turns[*place] == seat).collect();
            let mut from = 0;
            for place in own {
                let between = &turns[from..place];
                prop_assert!((0..5_u8).all(|other| between.iter().filter(|one| **one == other).count() <= 1));
                from = place + 1;
            }
        }
    }
}
