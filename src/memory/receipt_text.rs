//! Renders a receipt as Markdown or as a self-contained HTML page. Only the JSON is proof; the page contains
//! it.

use super::{list, strings, text};
use crate::language::files::Files;
use crate::language::{Language, in_each_language};
use crate::procedures::canonical::canonical_json;
use serde_json::Value;
use std::collections::BTreeMap;

/// A part of a receipt under its heading.
struct Section {
    title: &'static str,
    body: Body,
}

enum Body {
    /// Text written by a participant.
    Quote(String),
    /// Name-value pairs.
    Rows(Vec<(String, String)>),
}

static WORDS: Files<BTreeMap<&'static str, &'static str>> = in_each_language!("words/receipt");

fn word(language: Language, key: &str) -> &'static str {
    WORDS.of(language).get(key).copied().unwrap_or_default()
}

fn percent(value: Option<f64>) -> String {
    let share = value.filter(|share| (0.0..=1.0).contains(share));
    share.map_or_else(String::new, |share| {
        format!("{} %", (share * 100.0).round() as u32)
    })
}

fn sections(receipt: &Value, language: Language) -> Vec<Section> {
    let label = |key: &str| word(language, key);
    let names = |key: &str| strings(list(receipt, key)).join(label("list"));
    let title = |key: &'static str, body: Body| Section {
        title: word(language, key),
        body,
    };
    let named = |key: &str, value: String| (label(key).to_owned(), value);
    // Words unknown to this version are shown unchanged.
    let label_or_key = |key: &str| match label(key) {
        "" => key.to_owned(),
        word => word.to_owned(),
    };
    let is_reached = receipt.get("reached") == Some(&Value::Bool(true));
    // Nobody votes for proposals that converge: the figure is their likeness.
    let is_converged = text(receipt, "method") == "convergence";
    let rows = vec![
        named(
            "verdict",
            label_or_key(if is_converged {
                "converged"
            } else {
                text(receipt, "verdict")
            }),
        ),
        named(
            "reached",
            label(if is_reached { "true" } else { "false" }).to_owned(),
        ),
        named(
            if is_converged { "likeness" } else { "confidence" },
            percent(receipt.get("confidence").and_then(Value::as_f64)),
        ),
        named("method", label_or_key(text(receipt, "method"))),
        named("participants", names("participants")),
        named("supporting", names("supporting")),
    ];
    let mut all = vec![
        title("question", Body::Quote(text(receipt, "question").to_owned())),
        title("answer", Body::Quote(text(receipt, "answer").to_owned())),
        title("decision", Body::Rows(rows)),
    ];
    let views = list(receipt, "dissents").iter();
    let views: Vec<(String, String)> = views
        .map(|view| (text(view, "agent").to_owned(), text(view, "view").to_owned()))
        .collect();
    if !views.is_empty() {
        all.push(title("views", Body::Rows(views)));
    }
    let votes = list(receipt, "ballots").iter();
    let votes: Vec<(String, String)> = votes
        .map(|ballot| {
            let cast = ballot.get("cast").unwrap_or(&Value::Null);
            let choice = cast.get("for").and_then(Value::as_str);
            let choice =
                choice.map_or_else(|| label_or_key(cast.as_str().unwrap_or("failed")), str::to_owned);
            let sure = percent(ballot.get("confidence").and_then(Value::as_f64));
            let cast = if sure.is_empty() {
                choice
            } else {
                format!("{choice} ({sure})")
            };
            (text(ballot, "voter").to_owned(), cast)
        })
        .collect();
    if !votes.is_empty() {
        all.push(title("votes", Body::Rows(votes)));
    }
    let plain = |name: &str| (name.to_owned(), text(receipt, name).to_owned());
    let mut proof = vec![
        named("issued", text(receipt, "issued_at").to_owned()),
        named(
            "messages",
            receipt.get("messages").map_or_else(String::new, Value::to_string),
        ),
    ];
    let hashes = [
        "receipt_id",
        "debate_id",
        "engine",
        "content_hash",
        "prev_hash",
        "messages_root",
        "config_hash",
    ];
    proof.extend(
        hashes
            .map(plain)
            .into_iter()
            .filter(|(_, value)| !value.is_empty()),
    );
    let is_signed = receipt.get("signature").is_some_and(|block| !block.is_null());
    proof.push(named(
        "signed",
        label(if is_signed { "true" } else { "false" }).to_owned(),
    ));
    all.push(title("proof", Body::Rows(proof)));
    all
}

/// Removes bidirectional formatting and control characters except line breaks.
fn strip_controls(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|&c| {
        let is_bidi =
            matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        c == '\n' || !(is_bidi || c.is_control())
    })
}

/// Escapes a line of untrusted text for Markdown.
fn escape_markdown(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in strip_controls(line) {
        match c {
            '\n' => out.push(' '),
            c => {
                if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | ';' | '?' | '%' | '/') {
                    out.push('\\');
                }
                out.push(c);
            }
        }
    }
    // "1." at the start of a line would begin a list.
    let digits = out.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && out[digits..].starts_with('.') {
        out.insert(digits, '\\');
    }
    out
}

/// Renders the receipt as Markdown; text written by participants is not translated.
#[must_use]
pub fn markdown(receipt: &Value, language: Language) -> String {
    let mut out = format!("# {}\n", word(language, "receipt"));
    for section in sections(receipt, language) {
        out.push_str(&format!("\n## {}\n\n", section.title));
        match section.body {
            Body::Quote(text) => {
                for line in text.lines() {
                    out.push_str(&format!("> {}\n", escape_markdown(line.trim())));
                }
            }
            Body::Rows(rows) => {
                for (name, value) in rows {
                    out.push_str(&format!(
                        "- **{}**: {}\n",
                        escape_markdown(&name),
                        escape_markdown(&value)
                    ));
                }
            }
        }
    }
    out
}

/// Escapes untrusted text for HTML.
fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in strip_controls(text) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Renders the receipt as an HTML page with inline styles, without scripts or external resources, with its
/// JSON at the end.
#[must_use]
pub fn html(receipt: &Value, language: Language) -> String {
    let tag = language.code();
    let title = word(language, "receipt");
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{tag}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; connect-src 'none'; img-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>body{{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;\
         color-scheme:light dark}}blockquote{{white-space:pre-wrap;border-left:3px solid;margin:0;padding-left:1rem}}\
         dt{{font-weight:600}}dd{{margin:0 0 .5rem;overflow-wrap:anywhere}}pre{{white-space:pre-wrap;\
         overflow-wrap:anywhere}}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for section in sections(receipt, language) {
        out.push_str(&format!("<h2>{}</h2>\n", section.title));
        match section.body {
            Body::Quote(text) => out.push_str(&format!("<blockquote>{}</blockquote>\n", escape_html(&text))),
            Body::Rows(rows) => {
                out.push_str("<dl>\n");
                for (name, value) in rows {
                    out.push_str(&format!(
                        "<dt>{}</dt><dd>{}</dd>\n",
                        escape_html(&name),
                        escape_html(&value)
                    ));
                }
                out.push_str("</dl>\n");
            }
        }
    }
    out.push_str(&format!(
        "<details>\n<summary>JSON</summary>\n<pre>{}</pre>\n</details>\n</body>\n</html>\n",
        escape_json(&canonical_json(receipt))
    ));
    out
}

/// Escapes JSON for HTML without dropping characters, so that its hash still matches.
fn escape_json(json: &str) -> String {
    json.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn receipt() -> Value {
        json!({
            "schema": "quorate.receipt/1", "question": "Tea *or* <b>coffee</b>?\n# no heading", "answer": "1. Tea",
            "verdict": "approved", "reached": true, "confidence": 0.824, "method": "majority",
            "participants": ["Ann", "<script>"], "supporting": ["Ann"],
            "dissents": [{"agent": "<script>", "view": "alert(1)\u{202e}"}],
            "ballots": [
                {"voter": "Ann", "cast": {"for": "Ann"}, "confidence": 0.8},
                {"voter": "<script>", "cast": "abstained", "confidence": null},
            ],
            "issued_at": "2026-01-02T03:04:05.000Z", "messages": 12, "content_hash": "abc", "prev_hash": null,
        })
    }

    #[test]
    fn markdown_escapes_untrusted_text() {
        let text = markdown(&receipt(), Language::English);
        assert!(text.starts_with(
            "# Debate receipt\n\n## Question\n\n> Tea \\*or\\* \\<b\\>coffee\\</b\\>?\n> \\# no heading\n"
        ));
        assert!(text.contains("> 1\\. Tea\n"));
        assert!(
            text.contains("- **Verdict**: approved\n- **Decision reached**: yes\n- **Confidence**: 82 %\n")
        );
        assert!(text.contains("- **Ann**: Ann \\(80 %\\)\n- **\\<script\\>**: abstained\n"));
        assert!(text.contains("- **content\\_hash**: abc\n- **Signed**: no\n"));
        assert!(!text.contains("prev"));
    }

    #[test]
    fn convergence_is_no_approval_and_its_figure_a_likeness() {
        let mut receipt = receipt();
        receipt["method"] = json!("convergence");
        let text = markdown(&receipt, Language::English);
        assert!(text.contains("- **Verdict**: the proposals became alike, without a vote\n"));
        assert!(text.contains("- **Likeness of the proposals**: 82 %\n") && !text.contains("approved"));
    }

    #[test]
    fn html_is_self_contained() {
        for (language, title) in [
            (Language::English, "Debate receipt"),
            (Language::Spanish, "Recibo de debate"),
            (Language::Mandarin, "辩论凭证"),
        ] {
            let page = html(&receipt(), language);
            assert!(page.contains(&format!("<h1>{title}</h1>")));
            assert!(!page.contains("<script") && !page.contains("src=") && !page.contains("href="));
            let (_, json) = page.split_once("<pre>").unwrap();
            let (json, _) = json.split_once("</pre>").unwrap();
            let json = json
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            assert_eq!(serde_json::from_str::<Value>(&json).unwrap(), receipt());
        }
    }

    #[test]
    fn every_word_is_there_in_every_language() {
        let keys = || WORDS.of(Language::default()).keys();
        for language in Language::ALL {
            assert!(WORDS.of(language).keys().eq(keys()), "{language:?}");
            assert!(keys().all(|key| !word(language, key).is_empty()));
        }
    }

    proptest! {
        #[test]
        fn text_is_escaped(text in "[<>&\"'a-c\\[\\]()!#*`\\n-]{0,30}") {
            let mut receipt = receipt();
            for name in ["question", "answer", "method", "issued_at"] {
                receipt[name] = json!(text);
            }
            let page = html(&receipt, Language::English);
            prop_assert_eq!(page.matches("<blockquote>").count(), 2);
            prop_assert_eq!(page.matches("</dd>").count(), page.matches("<dd>").count());
            let plain = markdown(&receipt, Language::English);
            let heads = plain.lines().filter(|line| line.starts_with('#')).count();
            prop_assert_eq!(heads, 7);
            prop_assert_eq!(html(&json!(text), Language::Spanish).matches("<h2>").count(), 4);
        }
    }
}
