//! A circuit breaker. Times are passed in. It has two uses: in a debate, by rounds, for a seat whose
//! answers are unusable; and for fallbacks, by the record's clock, for a seat's first model whose calls
//! fail.
//!
//! Source: A27 of the debate's design.

use super::ask::Millis;
use serde::{Deserialize, Serialize};

/// State of a breaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Circuit {
    /// The seat is asked.
    Closed,
    /// The seat is not asked.
    Open,
    /// The seat is asked as a trial.
    HalfOpen,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breaker {
    /// Consecutive failures that open it.
    pub threshold: u32,
    /// Duration of the open state.
    pub cooldown: Millis,
    /// Consecutive answers that close it again.
    pub successes_to_close: u32,
    failures: u32,
    successes: u32,
    opened: Option<Millis>,
}

impl Default for Breaker {
    fn default() -> Self {
        Self::new(3, 60_000, 2)
    }
}

impl Breaker {
    #[must_use]
    pub fn new(threshold: u32, cooldown: Millis, successes_to_close: u32) -> Self {
        Self {
            threshold,
            cooldown,
            successes_to_close,
            failures: 0,
            successes: 0,
            opened: None,
        }
    }

    #[must_use]
    pub fn circuit(&self, now: Millis) -> Circuit {
        match self.opened {
            None => Circuit::Closed,
            Some(opened) if now.saturating_sub(opened) < self.cooldown => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }

    #[must_use]
    pub fn is_available(&self, now: Millis) -> bool {
        self.circuit(now) != Circuit::Open
    }

    /// Records a failure. Returns whether it opened the breaker. A failure in the half-open state opens it
    /// again.
    pub fn failed(&mut self, now: Millis) -> bool {
        self.successes = 0;
        match self.circuit(now) {
            Circuit::Closed => {
                self.failures += 1;
                if self.failures < self.threshold {
                    return false;
                }
            }
            Circuit::HalfOpen => {}
            Circuit::Open => return false,
        }
        self.opened = Some(now);
        true
    }

    pub fn succeeded(&mut self, now: Millis) {
        match self.circuit(now) {
            Circuit::Closed => self.failures = 0,
            Circuit::HalfOpen => {
                self.successes += 1;
                if self.successes >= self.successes_to_close {
                    *self = Self::new(self.threshold, self.cooldown, self.successes_to_close);
                }
            }
            Circuit::Open => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_tries_and_closes() {
        let mut breaker = Breaker::new(2, 10, 2);
        assert!(!breaker.failed(0));
        breaker.succeeded(1);
        assert!(!breaker.failed(2));
        assert!(breaker.failed(3));
        assert!(!breaker.is_available(12));
        assert_eq!(breaker.circuit(13), Circuit::HalfOpen);
        assert!(breaker.failed(13));
        assert_eq!(breaker.circuit(22), Circuit::Open);
        breaker.succeeded(23);
        assert_eq!(breaker.circuit(23), Circuit::HalfOpen);
        breaker.succeeded(24);
        assert_eq!(breaker.circuit(24), Circuit::Closed);
        assert!(!breaker.failed(25));
    }
}
