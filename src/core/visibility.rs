//! Visibility: filters the entries of a record for a role. Views read entries only through this filter, so
//! secrecy depends on three things: this file, the audiences of events, and what procedures publish of
//! configuration and result.
//!
//! The filter also hides indirect signs. Entries are renumbered for each role. Attempts, failures, tokens
//! and models of a call are visible only to the owner and the seat asked.

use super::ask::{Failure, Reply};
use super::record::{Command, Entry, EntryKind, Halt, Started};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::rc::Rc;

/// A viewer of the record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The person who runs the session. Sees the whole record.
    Owner,
    /// Onlookers, such as a projector.
    Audience,
    /// The named participant.
    Seat(String),
}

impl Role {
    /// Parses `owner`, `audience` or `seat:<name>`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "owner" => Some(Self::Owner),
            "audience" => Some(Self::Audience),
            name => Some(Self::Seat(name.strip_prefix("seat:")?.to_owned())),
        }
    }

    /// Returns the participant's name.
    #[must_use]
    pub fn seat(&self) -> Option<&str> {
        match self {
            Self::Seat(name) => Some(name),
            Self::Owner | Self::Audience => None,
        }
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Owner => serializer.serialize_str("owner"),
            Self::Audience => serializer.serialize_str("audience"),
            Self::Seat(name) => serializer.collect_str(&format_args!("seat:{name}")),
        }
    }
}

/// A procedure's functions that publish its configuration and result. The last argument is the
/// participant's name, or `None` for onlookers.
#[derive(Clone, Copy)]
pub struct Publication {
    /// The public configuration. Participants are listed in `agents`, each with `name` and `kind`.
    pub config: fn(&Value, Option<&str>) -> Value,
    /// The public result under a configuration.
    pub result: fn(&Value, &Value, Option<&str>) -> Value,
}

/// Filters the entries of one record for a role, in order.
pub struct RoleFilter {
    role: Role,
    public: Option<Publication>,
    /// The entry with the configuration.
    head: Option<Rc<Entry>>,
    /// Ids of the asks to the role's own seat.
    own_asks: Vec<String>,
    visible_count: u64,
}

impl RoleFilter {
    #[must_use]
    pub fn new(role: Role) -> Self {
        Self {
            role,
            public: None,
            head: None,
            own_asks: Vec::new(),
            visible_count: 0,
        }
    }

    #[must_use]
    pub fn role(&self) -> &Role {
        &self.role
    }

    /// Returns the entry as the role may see it, or `None` if it is hidden. `public` returns what the
    /// procedure of a head publishes.
    pub fn filter(
        &mut self,
        entry: &Rc<Entry>,
        public: impl Fn(&Started) -> Option<Publication>,
    ) -> Option<Rc<Entry>> {
        if self.role == Role::Owner {
            return Some(Rc::clone(entry));
        }
        if let EntryKind::Started(head) = &entry.what {
            self.public = public(head);
            self.head = Some(Rc::clone(entry));
        }
        let what = self.visible(&entry.what)?;
        let seq = self.visible_count;
        self.visible_count += 1;
        Some(Rc::new(Entry {
            seq,
            at: entry.at,
            what,
        }))
    }

    fn is_own(&self, ask: &String) -> bool {
        self.own_asks.iter().rev().any(|own| own == ask)
    }

    /// Returns what a role other than the owner may see. Fields that are not listed here are hidden.
    fn visible(&mut self, what: &EntryKind) -> Option<EntryKind> {
        let seat = self.role.seat();
        match what {
            EntryKind::Started(head) => Some(EntryKind::Started(Started {
                engine: head.engine.clone(),
                // Ids of a study's runs name the cell.
                session: match head.config["study"].is_object() {
                    true => String::new(),
                    false => head.session.clone(),
                },
                protocol: head.protocol.clone(),
                // The seed would reveal draws. The hash would confirm guesses of the configuration.
                seed: 0,
                config: (self.public?.config)(&head.config, seat),
                config_hash: String::new(),
                forked_from: None,
            })),
            EntryKind::Event { event, to } if to.has(seat) => Some(EntryKind::Event {
                event: event.clone(),
                to: to.clone(),
            }),
            EntryKind::Commanded {
                command: command @ (Command::Pause | Command::Resume | Command::Step | Command::Stop),
            } => Some(EntryKind::Commanded {
                command: command.clone(),
            }),
            EntryKind::Halted { halt } => Some(EntryKind::Halted {
                halt: match halt {
                    Halt::Rests { .. } => halt.clone(),
                    // The reason is visible to the owner only.
                    _ => Halt::Rests {
                        reason: "help".to_owned(),
                    },
                },
            }),
            EntryKind::Ended { result } => {
                let EntryKind::Started(head) = &self.head.as_ref()?.what else {
                    return None;
                };
                Some(EntryKind::Ended {
                    result: (self.public?.result)(result, &head.config, seat),
                })
            }
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } if seat == Some(&ask.seat) => {
                self.own_asks.push(ask.id.clone());
                Some(EntryKind::Asked {
                    ask: Rc::clone(ask),
                    request: Rc::clone(request),
                    time_limits: time_limits.clone(),
                })
            }
            EntryKind::Sent { ask, .. }
            | EntryKind::TimedOut { ask, .. }
            | EntryKind::Retrying { ask, .. }
            | EntryKind::Unanswered { ask }
            | EntryKind::Withdrawn { ask }
            | EntryKind::Read { ask, .. } => self.is_own(ask).then(|| what.clone()),
            EntryKind::Answered { ask, attempt, reply } if self.is_own(ask) => Some(EntryKind::Answered {
                ask: ask.clone(),
                attempt: *attempt,
                reply: Reply {
                    text: reply.text.clone(),
                    reasoning: reply.reasoning.clone(),
                    request_id: reply.request_id.clone(),
                    ..Reply::default()
                },
            }),
            EntryKind::Failed {
                ask,
                attempt,
                failure,
            } if self.is_own(ask) => Some(EntryKind::Failed {
                ask: ask.clone(),
                attempt: *attempt,
                failure: Failure::new(failure.kind, failure.message.clone()),
            }),
            EntryKind::Asked { .. }
            | EntryKind::Answered { .. }
            | EntryKind::Failed { .. }
            | EntryKind::Event { .. }
            | EntryKind::Commanded { .. }
            | EntryKind::Late { .. }
            | EntryKind::FellBack { .. }
            | EntryKind::Drew { .. } => None,
        }
    }
}
