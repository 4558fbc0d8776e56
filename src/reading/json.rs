//! JSON objects in an answer, with the faults that models write: comments, a comma too many, curly or single quotes, bare
//! keys. Not for what the fields mean.

use serde_json::{Map, Value};

/// Objects of an answer at most.
const MOST: usize = 32;
const DEEPEST: usize = 16;

/// The JSON of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    /// The answer has no object.
    None,
    /// The objects, in order, and the text around them.
    Objects(Vec<Map<String, Value>>, String),
    /// An object begins and does not end.
    CutOff,
    /// An object has a fault that is not tolerated.
    Broken,
}

/// Finds the objects of a text. Objects within others are part of these.
pub(super) fn objects(text: &str) -> Json {
    let (mut found, mut around, mut rest) = (Vec::new(), String::new(), text);
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        around.push_str(before);
        let mut parser = Parser { rest: from };
        let is_first = around
            .trim()
            .trim_start_matches("```json")
            .trim_matches('`')
            .is_empty();
        let is_line_start = is_first || around.trim_end_matches([' ', '\t']).ends_with('\n');
        if !parser.begins_object(is_first, is_line_start) {
            around.push('{');
            rest = &from[1..];
            continue;
        }
        match parser.value(0) {
            Ok(Value::Object(object)) => found.push(object),
            Err(Fault::End) => return Json::CutOff,
            _ => return Json::Broken,
        }
        if found.len() > MOST {
            return Json::Broken;
        }
        rest = parser.rest;
    }
    around.push_str(rest);
    match found.is_empty() {
        true => Json::None,
        false => Json::Objects(
            found,
            around.replace("```json", "").replace("```", "").trim().to_owned(),
        ),
    }
}

enum Fault {
    End,
    Sign,
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// Whether a brace begins an object and no other thing, such as `\boxed{2}`. `is_first`: nothing stands before it, so it
    /// may be one that breaks off at once. Comments begin an object only at the start of a line; elsewhere they belong to a quotation.
    fn begins_object(&self, is_first: bool, is_line_start: bool) -> bool {
        let mut ahead = Parser {
            rest: &self.rest[1..],
        };
        ahead.rest = ahead.rest.trim_start();
        if !is_line_start && ahead.rest.starts_with(['/', '#']) {
            return false;
        }
        ahead.skip();
        if ahead.rest.is_empty() || ahead.rest.starts_with('}') {
            return is_first;
        }
        let is_unclosed = ahead.rest.starts_with('"') && !ahead.rest[1..].contains('"');
        let has_key = ahead.key().is_ok();
        ahead.skip();
        has_key && (ahead.rest.starts_with([':', '：']) || is_first && ahead.rest.is_empty())
            || is_first && is_unclosed
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with("//") || self.rest.starts_with("# ") {
                self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
            } else if self.rest.starts_with("/*") {
                self.rest = self.rest.split_once("*/").map_or("", |(_, rest)| rest);
            } else {
                return;
            }
        }
    }

    fn take(&mut self, signs: &[char]) -> bool {
        self.skip();
        match self.rest.strip_prefix(signs) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The fault at this place.
    fn fault<T>(&self) -> Result<T, Fault> {
        Err(if self.rest.trim().trim_matches('`').is_empty() {
            Fault::End
        } else {
            Fault::Sign
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        self.skip();
        match self.rest.chars().next() {
            _ if depth > DEEPEST => Err(Fault::Sign),
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some('"' | '“' | '”' | '\'' | '‘' | '’' | '「') => self.text().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut object = Map::new();
        self.take(&['{']);
        while !self.take(&['}']) {
            let key = self.key()?;
            if !self.take(&[':', '：']) {
                return self.fault();
            }
            let value = self.value(depth + 1)?;
            // One key with two values says neither.
            if object
                .insert(key, value.clone())
                .is_some_and(|before| before != value)
            {
                return Err(Fault::Sign);
            }
            self.skip();
            if !self.take(&[',', '，']) && !self.rest.starts_with('}') {
                return self.fault();
            }
        }
        Ok(Value::Object(object))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Fault> {
        let mut list = Vec::new();
        self.take(&['[']);
        while !self.take(&[']']) {
            list.push(self.value(depth + 1)?);
            self.skip();
            if !self.take(&[',', '，']) && !self.rest.starts_with(']') {
                return self.fault();
            }
        }
        Ok(Value::Array(list))
    }

    fn key(&mut self) -> Result<String, Fault> {
        self.skip();
        if self.rest.starts_with(['"', '“', '”', '\'', '‘', '’', '「']) {
            return self.text();
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        let (key, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if key.is_empty() {
            return self.fault();
        }
        self.rest = rest;
        Ok(key.to_owned())
    }

    /// A text in quotes; the quote that closes it is of the kind that opens it.
    fn text(&mut self) -> Result<String, Fault> {
        let mut signs = self.rest.char_indices();
        let close: &[char] = match signs.next() {
            Some((_, '"')) => &['"'],
            Some((_, '“' | '”')) => &['”', '“', '"'],
            Some((_, '「')) => &['」'],
            Some((_, '\'')) => &['\''],
            _ => &['’', '‘', '\''],
        };
        let mut out = String::new();
        while let Some((at, c)) = signs.next() {
            if close.contains(&c) {
                let rest = &self.rest[at + c.len_utf8()..];
                // An apostrophe within a word closes nothing.
                if c != '"' && rest.starts_with(char::is_alphabetic) {
                    out.push(c);
                    continue;
                }
                self.rest = rest;
                return Ok(out);
            }
            match c {
                '\\' => match signs.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, 't')) => out.push('\t'),
                    Some((_, 'r')) => {}
                    Some((at, 'u')) => {
                        let code = |at: usize| u16::from_str_radix(self.rest.get(at..at + 4)?, 16).ok();
                        let first = code(at + 1);
                        // Two halves of one character.
                        let second = code(at + 7).filter(|_| self.rest[at + 5..].starts_with("\\u"));
                        let halves: Vec<u16> = first.into_iter().chain(second).collect();
                        let length = match char::decode_utf16(halves).next() {
                            Some(Ok(c)) => {
                                out.push(c);
                                if c.len_utf16() == 2 { 10 } else { 4 }
                            }
                            _ => {
                                out.push('\u{fffd}');
                                4
                            }
                        };
                        signs.by_ref().take(length).for_each(|_| {});
                    }
                    Some((_, c)) => out.push(c),
                    None => return Err(Fault::End),
                },
                c => out.push(c),
            }
        }
        Err(Fault::End)
    }

    /// A number, `true`, `false` or `null`.
    fn word(&mut self) -> Result<Value, Fault> {
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-' | '_')));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if rest.is_empty() {
            return Err(Fault::End);
        }
        if word.is_empty() {
            return self.fault();
        }
        self.rest = rest;
        match word {
            "True" => Ok(Value::Bool(true)),
            "False" => Ok(Value::Bool(false)),
            "None" | "undefined" => Ok(Value::Null),
            word => serde_json::from_str(&word.replace('_', "")).map_err(|_| Fault::Sign),
        }
    }
}
