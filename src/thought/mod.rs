//! Takes a model's thoughts and the tokens of its chat template out of a text, as models without a parser of their own write
//! both into the answer: `<think>…</think>` and its relatives, end tags alone, channels, roles, ends of turns. A text that talks
//! about such a tag, in quotation marks, as code or in the middle of a sentence, keeps it.

mod mark;
mod streamed;

use crate::language::pattern::pattern;
use mark::{MARK, MARK_STARTS, Mark, TOKEN, complete, mark_of};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

pub use streamed::{Addition, StreamedAnswer};

/// A text in two parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// What the model says. Equal to the text if there was nothing to take out.
    pub answer: String,
    pub thought: String,
    /// An end tag stood alone: the text began within a thought.
    pub begins_in_thought: bool,
}

/// Splits a whole text.
#[must_use]
pub fn split(text: &str) -> Split {
    if !may_hold_thoughts(text) {
        return Split {
            answer: text.to_owned(),
            ..Split::default()
        };
    }
    let mut split = split_text(text, false);
    // Within JSON a thought stands in a value, where tags look quoted.
    if split.answer.trim_start().starts_with('{')
        && MARK.is_match(&split.answer)
        && let Ok(mut value) = serde_json::from_str::<Value>(&split.answer)
    {
        let before = value.clone();
        split_values(&mut value, &mut split.thought);
        if value != before {
            split.answer = value.to_string();
        }
    }
    split
}

/// Returns whether there is anything to look for. Most answers are short and have nothing of the kind.
fn may_hold_thoughts(text: &str) -> bool {
    const BEGINNINGS: [&str; 9] = [
        "assistant",
        "model",
        "chatbot",
        "bot",
        "ai",
        "analysis",
        "commentary",
        "thinking",
        "here",
    ];
    const TURNS: [&str; 2] = ["assistant\n\n", "user\n\n"];
    let begin = text.trim_start();
    let begins = |word: &&str| {
        begin
            .get(..word.len())
            .is_some_and(|one| one.eq_ignore_ascii_case(word))
    };
    text.contains(MARK_STARTS)
        || BEGINNINGS.iter().any(begins)
        || TURNS.iter().any(|turn| text.contains(turn))
}

fn split_values(value: &mut Value, thought: &mut String) {
    match value {
        Value::String(text) => {
            let inner = split_text(text, false);
            add_line(thought, &inner.thought);
            *text = inner.answer;
        }
        Value::Array(list) => list.iter_mut().for_each(|one| split_values(one, thought)),
        Value::Object(fields) => fields.values_mut().for_each(|one| split_values(one, thought)),
        _ => {}
    }
}

/// Beginnings of answers that no mark announces: tokens of a template whose brackets were removed, and fixed phrases.
static HARMONY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)^\s*(?:assistant\s*)?(?:analysis|commentary)(.*)assistantfinal(.*)$"));
static HARMONY_CUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?s)^\s*(?:assistant\s*)?analysis([A-Z].*)$"));
static FRAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?s)^\s*(?:Thinking\.\.\.\n(.*?)\n\.\.\.done thinking\.?|Here(?:'s| is) my thought process:(.*?)Here(?:'s| is) my response:)(.*)$",
    )
});
static ROLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:(?i:assistant)\s*[:：]?\s*\n\s*|(?:model|chatbot|bot|ai)\s*:?\s*\n\s*|(?i:assistant)[:：]\s*|assistant\s*$|assistantfinal\s*)",
    )
});
/// The role of the next turn behind the end of the answer, where the tokens between were removed.
static NEXT_TURN: LazyLock<Regex> = LazyLock::new(|| pattern(r#"[.!?…。！？"”)\]]\s?(assistant|user)\n\n"#));
static WRAPPER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?is)^\s*<(answer|response|output|final|final_answer)>(.*?)(?:</(answer|response|output|final|final_answer)>\s*)?$",
    )
});

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Answer,
    Thought,
    /// A turn that the model invented for somebody else.
    Other,
}

struct Splitter<'t> {
    text: &'t str,
    /// More text follows.
    is_open: bool,
    split: Split,
    place: Place,
    /// The name of a role (`false`) or channel (`true`) that is being read.
    header: Option<(bool, String)>,
    /// The answer has ended; another turn follows.
    is_over: bool,
    has_found: bool,
}

fn split_text(text: &str, is_open: bool) -> Split {
    let text = if text.contains(MARK_STARTS) {
        complete(text, is_open)
    } else {
        text.to_owned()
    };
    if is_open && may_begin_a_frame(&text) {
        return Split::default();
    }
    if let Some(split) = framed(&text) {
        return split;
    }
    let mut splitter = Splitter {
        text: &text,
        is_open,
        split: Split::default(),
        place: Place::Answer,
        header: None,
        is_over: false,
        has_found: false,
    };
    splitter.read();
    let Splitter {
        mut split, has_found, ..
    } = splitter;
    let mut answer = split.answer.as_str();
    while let Some(role) = ROLE.find(answer).filter(|role| !role.is_empty()) {
        answer = &answer[role.end()..];
    }
    if let Some(next) = NEXT_TURN.captures(answer).and_then(|found| found.get(1)) {
        answer = &answer[..next.start()];
    }
    if has_found && let Some(inner) = WRAPPER.captures(answer).and_then(|found| found.get(2)) {
        answer = inner.as_str();
    }
    let is_changed = has_found || answer.len() < split.answer.len();
    split.answer = if is_changed && is_open {
        answer.trim_start().to_owned()
    } else if is_changed {
        answer.trim().to_owned()
    } else {
        answer.to_owned()
    };
    split.thought = split.thought.trim().to_owned();
    split
}

/// Returns whether a text that goes on may begin with a role or in one of the fixed ways.
fn may_begin_a_frame(text: &str) -> bool {
    const NAMES: [&str; 4] = ["assistant", "model\n", "analysis", "commentary"];
    const FRAMES: [&str; 3] = [
        "Thinking...\n",
        "Here is my thought process:",
        "Here's my thought process:",
    ];
    let begin = text.trim_start();
    let is_stripped = HARMONY_CUT.is_match(text) && !HARMONY.is_match(text);
    let is_framed = FRAMES.iter().any(|one| begin.starts_with(one)) && !FRAMED.is_match(text);
    let is_beginning = |one: &&str| one.starts_with(begin);
    is_stripped || is_framed || !begin.is_empty() && NAMES.iter().chain(&FRAMES).any(is_beginning)
}

fn framed(text: &str) -> Option<Split> {
    let (thought, answer) = if let Some(found) = HARMONY.captures(text) {
        (found.get(1)?.as_str(), found.get(2)?.as_str())
    } else if let Some(found) = HARMONY_CUT.captures(text) {
        (found.get(1)?.as_str(), "")
    } else {
        let found = FRAMED.captures(text)?;
        let thought = found.get(1).or_else(|| found.get(2))?;
        (thought.as_str(), found.get(3)?.as_str())
    };
    Some(Split {
        answer: answer.trim().to_owned(),
        thought: thought.trim().to_owned(),
        begins_in_thought: false,
    })
}

impl<'t> Splitter<'t> {
    fn read(&mut self) {
        let text = self.text;
        // The end of what has been taken, and where to look for the next mark.
        let (mut at, mut from) = (0, 0);
        while let Some(found) = MARK.captures_at(text, from) {
            let Some(whole) = found.get(0) else { break };
            if is_struck_out(text, whole.as_str(), whole.start(), whole.end()) {
                from = whole.end();
                continue;
            }
            let mark = mark_of(&found);
            let mention = self.mention(at, whole.start(), whole.end());
            let mut end = whole.end();
            if let Mark::Open(name) = &mark {
                let close = self.find_close(name, end);
                let inside = &text[end..close.map_or(text.len(), |(start, _)| start)];
                let is_kept = match (mention, close) {
                    // A stage direction.
                    (_, None) if whole.as_str().starts_with('[') && !self.is_open => {
                        whole.as_str().contains(char::is_lowercase)
                    }
                    (Mention::No, _) => false,
                    (Mention::Quoted, _) => true,
                    (Mention::InSentence, Some((start, end))) => {
                        !is_long(inside) || self.is_enclosed(start, end)
                    }
                    (Mention::InSentence, None) => !self.is_open,
                };
                if is_kept {
                    let skipped = close.filter(|_| !is_long(inside));
                    from = skipped.map_or(end, |(_, end)| end);
                    continue;
                }
                self.take(&text[at..whole.start()]);
                self.end_header(false);
                self.has_found = true;
                let (inside, after) = match close {
                    Some((_, after)) => (inside, after),
                    None => self.until_turn_ends(end),
                };
                if self.place != Place::Other {
                    add_line(&mut self.split.thought, inside);
                }
                end = after;
                let is_glued = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
                if is_glued(self.split.answer.chars().next_back()) && is_glued(text[end..].chars().next()) {
                    self.split.answer.push(' ');
                }
                (at, from) = (end, end);
                continue;
            }
            if mention != Mention::No {
                from = end;
                continue;
            }
            self.take(&text[at..whole.start()]);
            self.has_found = true;
            self.follow(&mark, &text[end..]);
            (at, from) = (end, end);
        }
        self.take(&text[at..]);
        self.end_header(false);
    }

    /// Adds a text to where it belongs.
    fn take(&mut self, text: &str) {
        if let Some((_, header)) = &mut self.header {
            let text = if header.is_empty() {
                text.trim_start()
            } else {
                text
            };
            // A line end ends a name too.
            let (name, rest) = match text.find('\n') {
                Some(line) => (&text[..line], Some(&text[line..])),
                None => (text, None),
            };
            header.push_str(name);
            if let Some(rest) = rest {
                self.end_header(false);
                self.take(rest);
            }
            return;
        }
        match self.place {
            Place::Answer if !self.is_over => self.split.answer.push_str(text),
            Place::Thought => self.split.thought.push_str(text),
            _ => {}
        }
    }

    fn follow(&mut self, mark: &Mark, after: &str) {
        let is_said = !self.split.answer.trim().is_empty();
        match mark {
            Mark::Open(_) | Mark::Nothing => {}
            Mark::Content => self.end_header(true),
            Mark::Close(name) => {
                self.end_header(false);
                if self.place == Place::Thought {
                    self.place = Place::Answer;
                } else if name != "channel" && (!after.trim().is_empty() || self.split.thought.is_empty()) {
                    // The template opened the thought, so the text began within it.
                    self.split.begins_in_thought |= self.split.thought.is_empty();
                    self.is_over = false;
                    let thought = std::mem::take(&mut self.split.answer);
                    add_line(&mut self.split.thought, &thought);
                }
            }
            Mark::End => {
                self.end_header(false);
                if self.place == Place::Thought {
                    self.split.thought.push('\n');
                    self.place = Place::Answer;
                } else if self.place == Place::Answer {
                    self.is_over |= !self.split.answer.trim().is_empty();
                }
            }
            Mark::Role => {
                self.end_header(false);
                self.is_over |= is_said;
                self.header = Some((false, String::new()));
            }
            Mark::Own | Mark::Other => {
                self.end_header(false);
                self.is_over |= is_said;
                self.place = if *mark == Mark::Own {
                    Place::Answer
                } else {
                    Place::Other
                };
            }
            Mark::Channel => {
                self.end_header(true);
                if self.split.answer.trim() == "assistant" {
                    self.split.answer.clear();
                }
                self.header = Some((true, String::new()));
            }
        }
    }

    /// Ends the name of a role or channel. Without a mark after it, the rest of the text is content.
    fn end_header(&mut self, has_mark: bool) {
        let Some((is_channel, header)) = self.header.take() else {
            return;
        };
        let name = header.trim_start();
        let end = name.find(char::is_whitespace).unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        self.place = match (is_channel, name.to_lowercase().as_str()) {
            (true, "final" | "response" | "answer") => Place::Answer,
            (true, _) => Place::Thought,
            (false, "user" | "human" | "system" | "tool" | "developer" | "observation" | "ipython") => {
                Place::Other
            }
            (false, _) => Place::Answer,
        };
        if !has_mark {
            self.take(rest);
        }
    }

    /// Finds the end of a thought: start and end of its closing mark.
    fn find_close(&self, name: &str, from: usize) -> Option<(usize, usize)> {
        let fixed = match name {
            "```" => Some("\n```"),
            "details" => Some("</details>"),
            _ => None,
        };
        if let Some(fixed) = fixed {
            let at = self.text[from..].find(fixed)? + from;
            return Some((at, at + fixed.len()));
        }
        let (mut any, mut quoted) = (None, None);
        for found in MARK.captures_iter(&self.text[from..]) {
            let whole = found.get(0)?;
            let range = (from + whole.start(), from + whole.end());
            match mark_of(&found) {
                Mark::Close(_) if self.is_enclosed(range.0, range.1) => quoted = quoted.or(Some(range)),
                Mark::Close(other) if other == name => return Some(range),
                Mark::Close(_) => any = any.or(Some(range)),
                Mark::End | Mark::Role | Mark::Channel if name == TOKEN => return Some((range.0, range.0)),
                _ => {}
            }
        }
        // While more text follows, one that is no quotation may come.
        any.or(quoted.filter(|_| !self.is_open))
    }

    /// Returns the rest of a thought without an end, up to the end of the turn, and where that is.
    fn until_turn_ends(&self, from: usize) -> (&'t str, usize) {
        let ends = MARK
            .captures_iter(&self.text[from..])
            .find(|found| matches!(mark_of(found), Mark::End | Mark::Role | Mark::Channel));
        let end = ends
            .and_then(|found| found.get(0))
            .map_or(self.text.len(), |whole| from + whole.start());
        (&self.text[from..end], end)
    }

    /// Returns whether a text talks about the mark rather than uses it. `at`: the end of the last mark.
    fn mention(&self, at: usize, start: usize, end: usize) -> Mention {
        if self.header.is_some() || self.place == Place::Other {
            return Mention::No;
        }
        if self.is_enclosed(start, end) {
            return Mention::Quoted;
        }
        let before = &self.text[at..start];
        let is_first = self.split.answer.trim().is_empty()
            && before
                .trim_matches(|c: char| c.is_whitespace() || "`\"“«「『".contains(c))
                .is_empty();
        if is_first {
            return Mention::No;
        }
        let is_in_fence = self.text[..start]
            .lines()
            .filter(|line| line.trim_start().starts_with("```"))
            .count()
            % 2
            == 1
            && self.text[end..].contains("\n```");
        let line = &before[before.rfind('\n').map_or(0, |line| line + 1)..];
        let rest = self.text[end..].split('\n').next().unwrap_or_default();
        let is_in = |(open, close): (char, char)| {
            let is_begun = if open == close {
                line.matches(open).count() % 2 == 1
            } else {
                line.rfind(open) > line.rfind(close)
            };
            is_begun && rest.contains(close)
        };
        if is_in_fence || QUOTES.into_iter().any(is_in) {
            return Mention::Quoted;
        }
        let said = line.trim_end();
        let (last, next) = (said.chars().next_back(), rest.chars().next());
        let (Some(last), Some(next)) = (last, next) else {
            return Mention::No;
        };
        let words = ["tag", "token"];
        let next_word = rest.trim_start().to_lowercase();
        let said_word = said.to_lowercase();
        if words
            .iter()
            .any(|word| next_word.starts_with(word) || said_word.ends_with(word))
        {
            return Mention::InSentence;
        }
        let is_apart = said.len() < line.len() && !".!?…。！？:：".contains(last);
        let goes_on = match next {
            ' ' | '\t' => rest
                .trim_start()
                .starts_with(|c: char| c.is_lowercase() || is_ideograph(c)),
            _ => ",.;:!?)，。；：！？、）".contains(next),
        };
        if is_apart && goes_on {
            Mention::InSentence
        } else {
            Mention::No
        }
    }

    /// Returns whether quotation marks or brackets stand directly around.
    fn is_enclosed(&self, start: usize, end: usize) -> bool {
        let before = self.text[..start].chars().next_back();
        let after = self.text[end..].chars().next();
        let around = QUOTES.into_iter().chain([('(', ')'), ('（', '）'), ('\'', '\'')]);
        around
            .into_iter()
            .any(|(open, close)| before == Some(open) && after == Some(close))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mention {
    No,
    /// In quotation marks or as code.
    Quoted,
    /// In the middle of a sentence.
    InSentence,
}

const QUOTES: [(char, char); 7] = [
    ('`', '`'),
    ('"', '"'),
    ('“', '”'),
    ('‘', '’'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
];

/// Returns whether a mark is HTML for crossed out words rather than the beginning or end of a text.
fn is_struck_out(text: &str, mark: &str, start: usize, end: usize) -> bool {
    let after = text[end..].trim_start();
    let is_last = after.is_empty() || after.starts_with(MARK_STARTS);
    match mark {
        "<s>" | "<S>" => !text[..start].trim().is_empty(),
        "</s>" | "</S>" => !is_last,
        _ => false,
    }
}

/// Returns whether a text between two tags is a thought rather than a word or two of a sentence about the tags.
fn is_long(text: &str) -> bool {
    text.trim().contains('\n')
        || text.split_whitespace().count() >= 4
        || text.chars().filter(|c| is_ideograph(*c)).count() >= 8
}

fn is_ideograph(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

fn add_line(text: &mut String, more: &str) {
    let more = more.trim();
    if !text.is_empty() && !more.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(more);
}

#[cfg(test)]
mod tests;
