//! Cuts a text into clauses and drops what is not the speaker's own present answer: votes of
//! others, earlier rounds, reasons, questions, what is negated. What remains is for the readers.

use super::lexer::{Kind, Lexed};

/// How firmly a clause names the speaker's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// It stands there.
    Plain,
    /// After a verb of liking, or a label whose owner is open.
    Labelled,
    /// After "my vote", "I choose".
    Own,
}

/// A mark that counts, with where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    /// Its place among the marks.
    pub(super) mark: usize,
    pub(super) kind: Kind,
    pub(super) strength: Strength,
    /// The label that it follows; marks after one label share a group.
    pub(super) group: usize,
    /// After a colon, or said to be the last word ("final answer", "actually").
    pub(super) last_word: bool,
    /// The sentence that it stands in.
    pub(super) sentence: usize,
}

/// The marks that count: digits, ordinals, number words and the words of the principles, and the
/// `Or` and `Joiner` marks between them.
pub(super) fn own_marks(lexed: &Lexed) -> Vec<Kept> {
    let sentences = sentences(lexed);
    let answered = sentences
        .iter()
        .any(|sentence| !sentence.question && sentence.content);
    let mut walk = Walk::new(lexed);
    for (number, sentence) in sentences.iter().enumerate() {
        if sentence.question && (answered || asks(lexed, sentence)) {
            walk.close_label();
            continue;
        }
        walk.sentence(number, sentence);
    }
    walk.kept
}

/// Whether a clause ends there.
fn is_boundary(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Comma | Kind::Stop | Kind::Question | Kind::Open | Kind::Close | Kind::Line | Kind::Dash
    )
}

struct Sentence {
    from: usize,
    to: usize,
    question: bool,
    content: bool,
}

fn is_content(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Digit(_)
            | Kind::Ordinal(_)
            | Kind::Cardinal(_)
            | Kind::Floor
            | Kind::Average
            | Kind::Range
            | Kind::Constraint
    )
}

fn sentences(lexed: &Lexed) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut from = 0;
    for (i, mark) in lexed.marks.iter().enumerate() {
        if matches!(mark.kind, Kind::Stop | Kind::Question | Kind::Line) {
            found.push(sentence(lexed, from, i + 1, mark.kind == Kind::Question));
            from = i + 1;
        }
    }
    found.push(sentence(lexed, from, lexed.marks.len(), false));
    found
}

fn sentence(lexed: &Lexed, from: usize, to: usize, question: bool) -> Sentence {
    let content = lexed
        .marks
        .get(from..to)
        .unwrap_or_default()
        .iter()
        .any(|mark| is_content(mark.kind));
    Sentence {
        from,
        to,
        question,
        content,
    }
}

/// Whether a question is more than a thing named with a question mark ("3?", "Principle 3?").
fn asks(lexed: &Lexed, sentence: &Sentence) -> bool {
    let start = sentence
        .from
        .checked_sub(1)
        .and_then(|i| lexed.marks.get(i))
        .map_or(0, |mark| mark.end);
    let end = lexed
        .marks
        .get(sentence.to.saturating_sub(1))
        .map_or(start, |mark| mark.start);
    let text = lexed.text.get(start..end).unwrap_or_default().trim();
    text.split_whitespace().count() > 2 || text.chars().count() > 16
}

/// Words between a digit and "not" that make the digit the thing negated.
const COPULAS: [&str; 18] = [
    "", "is", "are", "was", "does", "do", "did", "can", "could", "will", "would", "should", "has", "es",
    "esta", "me", "se", "也",
];

/// Words that may stand between a speaker and an own verb in the past ("I voted", "I have chosen").
const AUXILIARIES: [&str; 8] = ["", "have", "already", "just", "also", "finally", "ya", "now"];

/// Characters that may stand before a Chinese verb without being somebody's name: "最终还是选".
const NO_SUBJECT: &str = "就还是那最终后决定依然仍旧会将要想愿意应该可以必须只能也都所以因此而于是好这次本轮的在第回合中个原则里项方案\
     四三二一请让便先再又认为觉得综上述考虑到现目前私密秘正式投票选择答案你您之外下一其实总结言定给了如果改为成";

/// A clause is from one comma, bracket or "but" to the next.
struct Clause {
    from: usize,
    to: usize,
}

struct Walk<'a> {
    lexed: &'a Lexed,
    kept: Vec<Kept>,
    strength: Strength,
    last_word: bool,
    group: usize,
    after_colon: bool,
    /// The sentence takes something back, so its labels are last words.
    corrected: bool,
    /// The open label is no more than "actually", "now".
    only_corrected: bool,
    earlier: bool,
}

impl<'a> Walk<'a> {
    fn new(lexed: &'a Lexed) -> Self {
        Self {
            lexed,
            kept: Vec::new(),
            strength: Strength::Plain,
            last_word: false,
            group: 0,
            after_colon: false,
            corrected: false,
            only_corrected: false,
            earlier: false,
        }
    }

    fn close_label(&mut self) {
        self.strength = Strength::Plain;
        self.last_word = false;
        self.after_colon = false;
    }

    fn open_label(&mut self, strength: Strength, last_word: bool) {
        self.group += 1;
        self.strength = strength;
        self.last_word = last_word || self.corrected;
        self.only_corrected = false;
        self.after_colon = false;
    }

    fn sentence(&mut self, number: usize, sentence: &Sentence) {
        let blank = (sentence.from..sentence.to)
            .all(|i| matches!(self.lexed.kind(i), Some(Kind::Line | Kind::Close | Kind::Dash)));
        let line_only = blank && self.text_of(sentence.from, sentence.to).trim().is_empty();
        if line_only {
            return;
        }
        if !self.after_colon {
            self.close_label();
        }
        self.corrected = false;
        let clauses = self.clauses(sentence);
        let mut because = false;
        let mut leading = false;
        for (index, clause) in clauses.iter().enumerate() {
            let starts = self.first(clause);
            match starts {
                Some(Kind::Because) => {
                    because = true;
                    leading = index == 0;
                }
                Some(Kind::Reason) if self.lexed.kind(clause.from + 1) == Some(Kind::Colon) => {
                    because = true;
                    leading = false;
                }
                Some(Kind::So) => {
                    because = false;
                    self.corrected = true;
                }
                Some(Kind::Correction) => because = false,
                _ if because && leading => because = false,
                _ => {}
            }
            let is_because = because;
            if starts != Some(Kind::Because) && leading && !because {
                leading = false;
            }
            self.one(clause, number, is_because);
            if clause.to < sentence.to && matches!(self.lexed.kind(clause.to), Some(Kind::Comma)) {
                let goes_on = matches!(self.lexed.kind(clause.to + 1), Some(Kind::Or));
                let unfinished = clause.to > clause.from
                    && self
                        .lexed
                        .kind(clause.to - 1)
                        .is_some_and(|kind| matches!(kind, Kind::Amount | Kind::Correction));
                if !(goes_on || unfinished) {
                    self.close_label();
                }
            }
        }
    }

    fn text_of(&self, from: usize, to: usize) -> &str {
        let marks = &self.lexed.marks;
        let start = from
            .checked_sub(1)
            .and_then(|i| marks.get(i))
            .map_or(0, |mark| mark.end);
        let end = to
            .checked_sub(1)
            .and_then(|i| marks.get(i))
            .map_or(start, |mark| mark.start);
        self.lexed.text.get(start..end.max(start)).unwrap_or_default()
    }

    fn first(&self, clause: &Clause) -> Option<Kind> {
        (clause.from < clause.to)
            .then(|| self.lexed.kind(clause.from))
            .flatten()
    }

    fn clauses(&self, sentence: &Sentence) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut from = sentence.from;
        let mut told = false;
        for i in sentence.from..sentence.to {
            let Some(kind) = self.lexed.kind(i) else {
                break;
            };
            let after_and = i > sentence.from && self.lexed.kind(i - 1) == Some(Kind::And);
            let starts_with = matches!(kind, Kind::But | Kind::So | Kind::Because | Kind::Correction)
                || (matches!(kind, Kind::I | Kind::My | Kind::ChooseMine) && after_and)
                || (matches!(kind, Kind::I | Kind::ChooseMine) && told);
            if starts_with && i > from {
                clauses.push(Clause { from, to: i });
                from = i;
                told = false;
            } else if is_boundary(kind) {
                clauses.push(Clause { from, to: i });
                from = i + 1;
                told = false;
            }
            told |= matches!(kind, Kind::OtherVerb | Kind::Digit(_) | Kind::Other);
        }
        clauses.push(Clause {
            from,
            to: sentence.to,
        });
        clauses
    }

    /// Walks one clause; `because` drops what it holds.
    fn one(&mut self, clause: &Clause, sentence: usize, because: bool) {
        let lexed = self.lexed;
        let earlier = std::mem::take(&mut self.earlier);
        let only_earlier = clause.to == clause.from + 1
            && self.first(clause) == Some(Kind::Earlier)
            && self.text_around(clause).trim().is_empty();
        self.earlier = only_earlier;
        let is_earlier = earlier
            || (clause.from..clause.to).any(|i| matches!(lexed.kind(i), Some(Kind::Earlier | Kind::If)));
        let mut dropped = because || is_earlier;
        let before = self.kept.len();
        let mut subject: Option<Kind> = None;
        let mut not = false;
        let mut label_here = false;
        let mut ranked_label = false;
        for i in clause.from..clause.to {
            let Some(kind) = lexed.kind(i) else { break };
            match kind {
                Kind::I | Kind::My | Kind::Other => subject = Some(kind),
                Kind::OtherVerb => {
                    let own = i > clause.from
                        && matches!(lexed.kind(i - 1), Some(Kind::I))
                        && AUXILIARIES.contains(&lexed.gap(i - 1));
                    let of_thing = i > clause.from
                        && lexed.gap(i - 1).is_empty()
                        && matches!(
                            lexed.kind(i - 1),
                            Some(
                                Kind::Digit(_)
                                    | Kind::Noun
                                    | Kind::Floor
                                    | Kind::Average
                                    | Kind::Range
                                    | Kind::Constraint
                            )
                        );
                    if own {
                        self.open_label(Strength::Labelled, false);
                        label_here = true;
                    } else if !of_thing {
                        dropped = true;
                        self.kept.truncate(before);
                    }
                }
                Kind::Label | Kind::Choose | Kind::ChooseMine | Kind::Prefer => {
                    let theirs = subject == Some(Kind::Other)
                        || subject.is_none() && self.has_other_subject(clause, i);
                    if theirs && kind != Kind::ChooseMine {
                        dropped = true;
                        self.kept.truncate(before);
                        continue;
                    }
                    let ranked = i > clause.from
                        && matches!(lexed.kind(i - 1), Some(Kind::Ordinal(2..=4)))
                        && lexed.gap(i - 1).is_empty()
                        && kind == Kind::Label;
                    ranked_label |= ranked;
                    let lead = self.lead(clause, i);
                    let own = kind == Kind::ChooseMine || subject.is_some() || lead;
                    let strength = match (own, kind) {
                        (_, Kind::Prefer) | (false, _) => Strength::Labelled,
                        (true, _) => Strength::Own,
                    };
                    if !label_here || self.only_corrected || strength > self.strength {
                        self.open_label(
                            strength,
                            matches!(kind, Kind::ChooseMine) && lexed.text_at(i).contains("final"),
                        );
                    }
                    label_here = true;
                    self.promote(clause, before, i);
                }
                Kind::Colon => {
                    not = false;
                    let me = i > clause.from
                        && matches!(lexed.kind(i - 1), Some(Kind::I | Kind::My))
                        && lexed.gap(i - 1).is_empty();
                    if me {
                        self.open_label(Strength::Own, false);
                    }
                    if self.strength > Strength::Plain {
                        self.after_colon = true;
                        self.last_word = true;
                    }
                    continue;
                }
                Kind::Correction => {
                    self.corrected = true;
                    self.open_label(Strength::Own, true);
                    self.only_corrected = true;
                }
                Kind::Not => {
                    let back = i > clause.from && self.negates_back(clause, i);
                    if back {
                        self.kept.truncate(before);
                    } else {
                        not = true;
                    }
                }
                Kind::Versus => not = true,
                Kind::Or | Kind::Joiner if !not && !dropped => self.keep(i, kind, sentence),
                _ if is_content(kind) => {
                    if !(not || dropped || ranked_label && matches!(kind, Kind::Digit(_))) {
                        self.keep(i, kind, sentence);
                    }
                    // "without a constraint average" ends here; "without a constraint on the floor" goes on.
                    if not && kind == Kind::Constraint {
                        let gap = lexed.gap(i);
                        let goes_on = ["de", "del", "of", "on", "en", "sobre", "para", "al", "a la"]
                            .iter()
                            .any(|of| gap.split(' ').next() == Some(of));
                        not = goes_on;
                    }
                }
                _ => {}
            }
            if !matches!(kind, Kind::Colon | Kind::Noun | Kind::Line) {
                self.after_colon &= !is_content(kind);
            }
        }
    }

    fn keep(&mut self, mark: usize, kind: Kind, sentence: usize) {
        // "actually 3" corrects; "actually 3 is worse" does not.
        let plain = self.only_corrected && !self.ends_clause(mark) || self.strength == Strength::Plain;
        self.kept.push(Kept {
            mark,
            kind,
            strength: if plain { Strength::Plain } else { self.strength },
            group: if plain { 0 } else { self.group },
            last_word: self.last_word && !plain,
            sentence,
        });
    }

    fn ends_clause(&self, mark: usize) -> bool {
        let Some(at) = self.lexed.marks.get(mark) else {
            return false;
        };
        let end = self
            .lexed
            .marks
            .get(mark + 1)
            .map_or(self.lexed.text.len(), |next| next.start);
        let tail = self.lexed.text.get(at.end..end).unwrap_or_default();
        let bounded = !matches!(self.lexed.kind(mark + 1), Some(kind) if !is_boundary(kind));
        bounded && tail.chars().all(|c| !c.is_alphanumeric())
    }

    /// "3 is my choice": the digit before a label in the same clause is what the label names.
    fn promote(&mut self, clause: &Clause, before: usize, label: usize) {
        let digit_follows = (label + 1..clause.to)
            .any(|i| matches!(self.lexed.kind(i), Some(Kind::Digit(_) | Kind::Ordinal(_))));
        let (strength, group) = (self.strength, self.group);
        let digits = self
            .kept
            .iter()
            .skip(before)
            .filter(|kept| matches!(kept.kind, Kind::Digit(_)))
            .count();
        if digit_follows || digits != 1 || strength != Strength::Own {
            return;
        }
        for kept in self.kept.iter_mut().skip(before) {
            if matches!(kept.kind, Kind::Digit(_)) {
                kept.strength = strength;
                kept.group = group;
            }
        }
    }

    /// Whether a label opens its clause: nothing before it, or only an article or "your", "final".
    fn lead(&self, clause: &Clause, label: usize) -> bool {
        if label != clause.from {
            return false;
        }
        let start = clause
            .from
            .checked_sub(1)
            .and_then(|i| self.lexed.marks.get(i))
            .map_or(0, |mark| mark.end);
        let end = self.lexed.marks.get(label).map_or(start, |mark| mark.start);
        let lead = self
            .lexed
            .text
            .get(start..end)
            .unwrap_or_default()
            .trim_matches([' ', '"', '\'', '\\', '>']);
        lead.split(' ').all(|word| {
            matches!(
                word,
                "" | "your" | "tu" | "su" | "final" | "private" | "secret" | "the final" | "你的"
            )
        })
    }

    /// Whether a verb or label without "I" has a subject that the lexicon does not know: "小明投",
    /// "小明的选择", "Alice and Bob vote".
    fn has_other_subject(&self, clause: &Clause, verb: usize) -> bool {
        let start = clause
            .from
            .checked_sub(1)
            .and_then(|i| self.lexed.marks.get(i))
            .map_or(0, |mark| mark.end);
        let end = self.lexed.marks.get(verb).map_or(start, |mark| mark.start);
        let lead = self.lexed.text.get(start..end).unwrap_or_default();
        let paired = (clause.from + 1..verb).any(|i| self.lexed.kind(i) == Some(Kind::And));
        let han = |c: char| matches!(c, '\u{4e00}'..='\u{9fff}');
        let chinese = self.lexed.text_at(verb).starts_with(han);
        paired
            || chinese
                && lead
                    .chars()
                    .any(|c| (han(c) || c.is_ascii_alphabetic()) && !NO_SUBJECT.contains(c))
    }

    /// "2 is not …", "2 no", "2不…": the negation means what stands before it.
    fn negates_back(&self, clause: &Clause, not: usize) -> bool {
        let digit_before = matches!(self.lexed.kind(not - 1), Some(Kind::Digit(_) | Kind::Ordinal(_)));
        let content_after = (not + 1..clause.to).any(|i| self.lexed.kind(i).is_some_and(is_content));
        digit_before && !content_after && COPULAS.contains(&self.lexed.gap(not - 1))
    }

    fn text_around(&self, clause: &Clause) -> String {
        let marks = &self.lexed.marks;
        let start = clause
            .from
            .checked_sub(1)
            .and_then(|i| marks.get(i))
            .map_or(0, |mark| mark.end);
        let end = marks
            .get(clause.to)
            .map_or(self.lexed.text.len(), |mark| mark.start);
        let mark = marks
            .get(clause.from)
            .map_or((start, start), |mark| (mark.start, mark.end));
        let left = self.lexed.text.get(start..mark.0).unwrap_or_default();
        let right = self.lexed.text.get(mark.1..end).unwrap_or_default();
        format!("{left}{right}")
    }
}
