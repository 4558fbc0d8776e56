//! Speaking orders of discussion rounds, as lists of seat indices in configuration order. The module keeps no
//! state between rounds.
//!
//! Source: "discussion round sequence" of the justice experiment (no seat closes two rounds in a row); the
//! `compat` rules are those of its published program (the seat that closed may not open).

use super::settings::OrderRule;
use crate::core::random::Random;

/// Returns the order of `round` (from 1) among `n` seats, as indices 0..n. `previous` is the order of the
/// previous round. Draws from `random` as the rule requires, always the same number of draws for the same
/// outcome.
#[must_use]
pub fn speaking_order(
    round: u32,
    n: usize,
    rule: &OrderRule,
    previous: Option<&[usize]>,
    random: &mut Random,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    let closer = previous.and_then(|order| order.last()).copied();
    match rule {
        OrderRule::Fixed => {}
        OrderRule::CompatFixed => {
            let turns = round.saturating_sub(1) as usize % n.max(1);
            order.rotate_left(turns);
        }
        OrderRule::Shuffled => random.shuffle(&mut order),
        OrderRule::FinisherNotLast => {
            random.shuffle(&mut order);
            keep_from_closing(&mut order, closer, random);
        }
        OrderRule::FinisherNeither => {
            random.shuffle(&mut order);
            if n < 3 {
                keep_from_closing(&mut order, closer, random);
            } else {
                keep_inside(&mut order, closer, random);
            }
        }
        OrderRule::CompatRandom => {
            random.shuffle(&mut order);
            if let Some(closer) = closer {
                keep_from_opening(&mut order, closer);
            }
        }
        OrderRule::CompatConversational => match closer {
            Some(closer) if round > 1 && n > 2 => {
                let weights: Vec<f64> = order
                    .iter()
                    .map(|&seat| f64::from(u8::from(seat != closer)))
                    .collect();
                let opener = order.remove(random.weighted(&weights));
                random.shuffle(&mut order);
                order.insert(0, opener);
            }
            _ => random.shuffle(&mut order),
        },
    }
    order
}

/// Swaps the last with a random earlier seat if it closed the previous round; one more draw in that case.
fn keep_from_closing(order: &mut [usize], closer: Option<usize>, random: &mut Random) {
    let last = order.len().saturating_sub(1);
    if last > 0 && order.last().copied() == closer {
        order.swap(last, random.choice(last));
    }
}

/// Swaps the first or last with a random seat between them if it closed the previous round; for three or more
/// seats.
fn keep_inside(order: &mut [usize], closer: Option<usize>, random: &mut Random) {
    let last = order.len() - 1;
    let outside = [0, last].into_iter().find(|&place| Some(order[place]) == closer);
    if let Some(place) = outside {
        order.swap(place, 1 + random.choice(last - 1));
    }
}

/// Applies the published program's rule: if the closer of the last round would open, it swaps places with the
/// middle seat (index n/2), or with the other of two. Draws nothing.
pub fn keep_from_opening(order: &mut [usize], closer: usize) {
    if order.len() > 1 && order.first() == Some(&closer) {
        let middle = order.len() / 2;
        order.swap(0, middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [OrderRule; 7] = [
        OrderRule::FinisherNotLast,
        OrderRule::FinisherNeither,
        OrderRule::Shuffled,
        OrderRule::Fixed,
        OrderRule::CompatRandom,
        OrderRule::CompatFixed,
        OrderRule::CompatConversational,
    ];

    /// Returns `rounds` orders, each based on the previous one.
    fn rounds(rule: OrderRule, n: usize, rounds: u32, seed: u32) -> Vec<Vec<usize>> {
        let mut random = Random::new(seed);
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for round in 1..=rounds {
            let order = speaking_order(round, n, &rule, orders.last().map(Vec::as_slice), &mut random);
            orders.push(order);
        }
        orders
    }

    #[test]
    fn every_order_contains_each_seat_once() {
        for rule in ALL {
            for n in 0..=8 {
                for mut order in rounds(rule, n, 50, 1) {
                    order.sort();
                    assert_eq!(order, (0..n).collect::<Vec<_>>(), "{rule:?}");
                }
            }
        }
    }

    #[test]
    fn no_seat_closes_twice_in_a_row() {
        for rule in [OrderRule::FinisherNotLast, OrderRule::FinisherNeither] {
            for n in 2..=8 {
                let orders = rounds(rule, n, 10_000, n as u32);
                assert!(
                    orders.windows(2).all(|pair| pair[0].last() != pair[1].last()),
                    "{rule:?} {n}"
                );
            }
        }
    }

    #[test]
    fn with_both_the_closer_does_not_open_either() {
        for n in 3..=8 {
            let orders = rounds(OrderRule::FinisherNeither, n, 10_000, n as u32);
            assert!(
                orders.windows(2).all(|pair| pair[0].last() != pair[1].first()),
                "{n}"
            );
        }
    }

    #[test]
    fn in_compat_the_closer_never_opens() {
        for n in 2..=8 {
            let orders = rounds(OrderRule::CompatRandom, n, 10_000, n as u32);
            assert!(
                orders.windows(2).all(|pair| pair[0].last() != pair[1].first()),
                "random {n}"
            );
            if n > 2 {
                let orders = rounds(OrderRule::CompatConversational, n, 10_000, n as u32);
                assert!(
                    orders.windows(2).all(|pair| pair[0].last() != pair[1].first()),
                    "conversational {n}"
                );
            }
        }
    }

    #[test]
    fn every_seat_closes_and_opens_in_some_round() {
        for rule in [
            OrderRule::FinisherNotLast,
            OrderRule::FinisherNeither,
            OrderRule::CompatRandom,
        ] {
            for n in 3..=8 {
                let orders = rounds(rule, n, 2_000, 5);
                for seat in 0..n {
                    assert!(
                        orders.iter().any(|order| order.last() == Some(&seat)),
                        "{rule:?} {n} {seat}"
                    );
                    assert!(
                        orders.iter().any(|order| order.first() == Some(&seat)),
                        "{rule:?} {n} {seat}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_finisher_rule_takes_one_more_draw_only_when_it_acts() {
        let mut acted = 0;
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let order = speaking_order(
                2,
                4,
                &OrderRule::FinisherNotLast,
                Some(&[0, 1, 2, 3]),
                &mut random,
            );
            let mut other = Random::new(seed);
            let mut plain = vec![0, 1, 2, 3];
            other.shuffle(&mut plain);
            if plain[3] == 3 {
                acted += 1;
                plain.swap(3, other.below(3) as usize);
            }
            assert_eq!((order, random), (plain, other));
        }
        assert!((20..90).contains(&acted), "{acted}");
    }

    #[test]
    fn fixed_orders_draw_nothing() {
        let mut random = Random::new(3);
        let order =
            |round, rule, random: &mut Random| speaking_order(round, 3, &rule, Some(&[0, 1, 2]), random);
        assert_eq!(order(9, OrderRule::Fixed, &mut random), [0, 1, 2]);
        assert_eq!(order(1, OrderRule::CompatFixed, &mut random), [0, 1, 2]);
        assert_eq!(order(2, OrderRule::CompatFixed, &mut random), [1, 2, 0]);
        assert_eq!(order(u32::MAX, OrderRule::CompatFixed, &mut random), [2, 0, 1]);
        assert_eq!(random, Random::new(3));
    }

    #[test]
    fn one_speaker_may_close_every_round() {
        assert_eq!(rounds(OrderRule::FinisherNotLast, 1, 3, 0), [[0], [0], [0]]);
        assert_eq!(rounds(OrderRule::FinisherNeither, 1, 2, 0), [[0], [0]]);
    }
}
