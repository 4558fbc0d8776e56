//! Decoder of server-sent events from bytes in chunks of any size.

use std::mem;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The `event:` field.
    pub name: Option<String>,
    /// The `data:` lines, joined by line feeds.
    pub data: String,
    /// The blank line that ends an event was received; without it the connection may have been cut.
    pub complete: bool,
}

/// Incremental decoder of `text/event-stream` (WHATWG HTML §9.2.6). Bytes that are not UTF-8 become
/// U+FFFD. `id` and `retry` are skipped: a chat answer is never resumed by the transport.
#[derive(Debug, Default)]
pub struct SseDecoder {
    /// The line so far, without its end.
    line: Vec<u8>,
    /// The last byte was a carriage return; a line feed after it belongs to the same line end.
    after_cr: bool,
    /// The first line was read; a byte order mark is only possible before it.
    has_begun: bool,
    name: Option<String>,
    data: Option<String>,
}

impl SseDecoder {
    /// Decodes the next bytes and returns the events that they complete.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.line.extend_from_slice(line);
            events.extend(self.end_line());
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
        }
        self.line.extend_from_slice(bytes);
        events
    }

    /// Ends the stream and returns the open event, marked as incomplete.
    pub fn finish(&mut self) -> Option<Event> {
        if !self.line.is_empty() {
            // Only an empty line completes an event.
            let _ = self.end_line();
        }
        self.take_event(false)
    }

    fn end_line(&mut self) -> Option<Event> {
        let bytes = mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let mut line = &*text;
        if !mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            return self.take_event(true);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.name = Some(value.to_owned()),
            _ => {}
        }
        None
    }

    fn take_event(&mut self, complete: bool) -> Option<Event> {
        let name = self.name.take();
        self.data.take().map(|data| Event { name, data, complete })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(pieces: &[&[u8]]) -> Vec<(Option<String>, String, bool)> {
        let mut decoder = SseDecoder::default();
        let mut events: Vec<Event> = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
        events.extend(decoder.finish());
        events
            .into_iter()
            .map(|event| (event.name, event.data, event.complete))
            .collect()
    }

    fn check(text: &str, expected: &[(&str, bool)]) {
        let bytes = text.as_bytes();
        let expected: Vec<_> = expected
            .iter()
            .map(|(data, complete)| (None, (*data).to_owned(), *complete))
            .collect();
        for at in 0..=bytes.len() {
            let (head, tail) = bytes.split_at(at);
            assert_eq!(decode(&[head, tail]), expected, "split at {at}");
        }
        let singles: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&singles), expected, "byte by byte");
    }

    #[test]
    fn line_ends_of_all_kinds() {
        check("data: a\n\ndata: b\n\n", &[("a", true), ("b", true)]);
        check("data: a\r\n\r\ndata: b\r\n\r\n", &[("a", true), ("b", true)]);
        check("data: a\r\rdata: b\r\r", &[("a", true), ("b", true)]);
        check("data: a\r\n\ndata: b\n\r\n", &[("a", true), ("b", true)]);
        check("data: a\n\r\ndata: b\r\r\n", &[("a", true), ("b", true)]);
    }

    #[test]
    fn fields_and_comments() {
        check("\u{feff}data:é选\u{1f600}\n\n", &[("é选\u{1f600}", true)]);
        check(": keep-alive\n\n: x\ndata: a\n\n", &[("a", true)]);
        check("data: a\ndata:\ndata:  c\n\n", &[("a\n\n c", true)]);
        check("data\n\n", &[("", true)]);
        check("id: 7\nretry: 10\nnonsense\n\ndata: a\nid\n\n", &[("a", true)]);
        check("\n\n\n", &[]);
        check("data: \u{feff}\n\n", &[("\u{feff}", true)]);
    }

    #[test]
    fn an_end_without_blank_line_is_incomplete() {
        check("data: a\n\ndata: b", &[("a", true), ("b", false)]);
        check("data: a\n\ndata: b\r\n", &[("a", true), ("b", false)]);
        check("data: a\n\n: b", &[("a", true)]);
    }

    #[test]
    fn names_apply_to_one_event() {
        let events = decode(&[b"event: error\ndata: a\n\nevent: lost\n\ndata: b\n\n"]);
        assert_eq!(
            events,
            [(Some("error".into()), "a".into(), true), (None, "b".into(), true)]
        );
    }

    #[test]
    fn invalid_utf8_is_replaced() {
        assert_eq!(
            decode(&[b"data: a\xff\xfeb\n\n"]),
            [(None, "a\u{fffd}\u{fffd}b".into(), true)]
        );
        assert_eq!(
            decode(&[b"data: \xe9\x80", b"\n\n"]),
            [(None, "\u{fffd}".into(), true)]
        );
    }

    #[test]
    fn a_line_of_a_megabyte() {
        let long = "x".repeat(1 << 20);
        let text = format!("data: {long}\n\n");
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(1 << 10).collect();
        assert_eq!(decode(&pieces), [(None, long, true)]);
    }

    proptest! {
        #[test]
        fn chunk_sizes_do_not_matter(bytes in proptest::collection::vec(prop_oneof![
            Just(b'\n'), Just(b'\r'), Just(b':'), Just(b'd'), any::<u8>()], 0..200), size in 1_usize..9) {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            prop_assert_eq!(decode(&pieces), decode(&[&bytes]));
        }
    }
}
