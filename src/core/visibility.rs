//! What a role may know of a record: a projection of entries, and the only place where a view gets them from.
//! What a view makes of what is let through, it could have made without the rest; so secrecy is this file's
//! affair, that of the audiences that entries carry, and of what procedures publish of configuration and result.
//!
//! Besides contents it keeps back what tells of them: entries are numbered anew by what the role has seen, and of
//! calls (tries, failures, tokens, models) nobody but the owner and the asked seat hears anything.

use super::ask::{Failure, Reply};
use super::record::{Command, Entry, EntryKind, Halt, Started};
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::rc::Rc;

/// Who looks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Whoever runs the session: sees the record.
    Owner,
    /// Onlookers: a projector.
    Audience,
    /// The participant of that name.
    Seat(String),
}

impl Role {
    /// `owner`, `audience` or `seat:` with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "owner" => Some(Self::Owner),
            "audience" => Some(Self::Audience),
            name => Some(Self::Seat(name.strip_prefix("seat:")?.to_owned())),
        }
    }

    /// The participant's name, if it is one.
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

/// What a procedure publishes of what it does not note itself; the name is that of the participant who looks.
#[derive(Clone, Copy)]
pub struct Publication {
    /// Of its configuration. Participants stand in `agents`, each with `name` and `kind`.
    pub config: fn(&Value, Option<&str>) -> Value,
    /// Of its result.
    pub result: fn(&Value, Option<&str>) -> Value,
}

/// The eyes of a role, which see entry after entry of one record.
pub struct RoleFilter {
    role: Role,
    public: Option<Publication>,
    /// Ids of the own asks.
    own: Vec<String>,
    seen: u64,
}

impl RoleFilter {
    /// Eyes that have seen nothing yet.
    #[must_use]
    pub fn new(role: Role) -> Self {
        Self {
            role,
            public: None,
            own: Vec::new(),
            seen: 0,
        }
    }

    /// Whose eyes these are.
    #[must_use]
    pub fn role(&self) -> &Role {
        &self.role
    }

    /// The entry as the role may see it; `None`: it hears nothing of it. `public` tells what the procedure of
    /// a head publishes.
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
        }
        let what = self.visible(&entry.what)?;
        let seq = self.seen;
        self.seen += 1;
        Some(Rc::new(Entry {
            seq,
            at: entry.at,
            what,
        }))
    }

    fn is_own(&self, ask: &String) -> bool {
        self.own.iter().rev().any(|own| own == ask)
    }

    /// What somebody may know who does not run the session. Whatever is not named here, nobody does.
    fn visible(&mut self, what: &EntryKind) -> Option<EntryKind> {
        let seat = self.role.seat();
        match what {
            EntryKind::Started(head) => Some(EntryKind::Started(Started {
                engine: head.engine.clone(),
                session: head.session.clone(),
                protocol: head.protocol.clone(),
                // The seed would tell what was drawn, the hash whether a guess of the configuration is right.
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
                    // What for is the owner's affair.
                    _ => Halt::Rests {
                        reason: "help".to_owned(),
                    },
                },
            }),
            EntryKind::Ended { result } => Some(EntryKind::Ended {
                result: (self.public?.result)(result, seat),
            }),
            EntryKind::Asked {
                ask,
                request,
                time_limits,
            } if seat == Some(&ask.seat) => {
                self.own.push(ask.id.clone());
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
