//! Similarity of texts by an embedding model, if configured: requested once before the proposals are
//! compared. If the request fails, words are compared, and the check names that measure.

use super::Debate;
use crate::core::data::Data;
use crate::procedures::canonical::canonical_json;
use crate::procedures::debate::arena::source_question;
use crate::procedures::debate::asks;
use crate::reading::{How, Reading, Reason};
use serde_json::{Value, json};

/// Name of the embedding model's seat.
pub(in crate::procedures::debate) const SEAT: &str = "source:embeddings";

/// Pairwise similarities of some texts, 0 to 1.
pub(super) struct Likeness {
    texts: Vec<String>,
    /// First with second, first with third, …, second with third, …
    values: Vec<f64>,
}

impl Likeness {
    /// Returns the similarity of two of the texts; 0 for other texts.
    pub(super) fn of(&self, a: &str, b: &str) -> f64 {
        let place = |text: &str| self.texts.iter().position(|known| known == text);
        match (place(a), place(b)) {
            (Some(a), Some(b)) if a == b => 1.0,
            (Some(a), Some(b)) => self
                .values
                .get(pair_index(a.min(b), a.max(b), self.texts.len()))
                .copied()
                .unwrap_or(0.0),
            _ => 0.0,
        }
    }
}

/// Returns the index of a pair in the list of all pairs.
fn pair_index(first: usize, second: usize, texts: usize) -> usize {
    first * (2 * texts - first - 1) / 2 + second - first - 1
}

impl Debate {
    /// Requests the similarities of all current and earlier texts. Returns `None` without a model or a usable
    /// answer.
    pub(super) async fn likeness(
        &self,
        round: u32,
        current: &[(String, String)],
        before: &[(String, String)],
    ) -> Option<Likeness> {
        let model = self.arena.settings.embeddings.as_ref()?;
        let mut texts: Vec<String> = Vec::new();
        for (_, text) in current.iter().chain(before).chain(self.history.iter().flatten()) {
            if !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        let content = json!({ "source": { "kind": "embeddings" }, "texts": texts });
        let content = canonical_json(&content);
        let mut question =
            source_question(&self.arena, SEAT, asks::SIMILARITY, round, content, model.timeout);
        question.request.model = Some(model.model.clone());
        question.request.base_url = Some(model.base_url.clone());
        let asking = self.arena.table.ask(question);
        let id = asking.id().to_owned();
        let answer = asking.await.ok()?;
        let reading = read(&answer.text, texts.len());
        self.arena.table.read(&id, Data::of(&reading));
        match reading {
            Reading::Read { value, .. } => Some(Likeness { texts, values: value }),
            Reading::Unread { .. } => None,
        }
    }
}

/// Reads `{"likeness":[…]}`, with one number from 0 to 1 per pair of texts.
fn read(text: &str, texts: usize) -> Reading<Vec<f64>> {
    let values = || -> Option<Vec<f64>> {
        let value: Value = serde_json::from_str(text.trim()).ok()?;
        let values = value.get("likeness")?.as_array()?.iter();
        let values: Vec<f64> = values.map(Value::as_f64).collect::<Option<_>>()?;
        let is_whole = values.len() == texts * texts.saturating_sub(1) / 2;
        (is_whole && values.iter().all(|value| (0.0..=1.0).contains(value))).then_some(values)
    };
    match values() {
        Some(values) => Reading::read(values, How::Json),
        None => Reading::unread(Reason::NoItemsFound),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_a_value() {
        let texts: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let likeness = Likeness {
            texts,
            values: vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        };
        assert_eq!(likeness.of("a", "b"), 0.1);
        assert_eq!(likeness.of("d", "a"), 0.3);
        assert_eq!(likeness.of("b", "c"), 0.4);
        assert_eq!(likeness.of("d", "c"), 0.6);
        assert_eq!(likeness.of("c", "c"), 1.0);
        assert_eq!(likeness.of("c", "x"), 0.0);
    }

    #[test]
    fn incomplete_tables_are_rejected() {
        let read = |text: &str| match read(text, 3) {
            Reading::Read { value, .. } => Some(value),
            Reading::Unread { .. } => None,
        };
        assert_eq!(read(r#"{"likeness":[0,0.5,1]}"#), Some(vec![0.0, 0.5, 1.0]));
        for wrong in [
            "",
            "{}",
            r#"{"likeness":[0,1]}"#,
            r#"{"likeness":[0,1,1.1]}"#,
            r#"{"likeness":[0,1,"1"]}"#,
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
