//! Formal evidence in a text: citations, data, examples, by the patterns of a language. The English patterns are
//! those of the published measure; the others were added. Sources are not verified. Claims are linked with
//! evidence in [`super::evidence`].

use serde::{Deserialize, Serialize};

use super::evidence::words;
use crate::language::Language;

/// Kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerKind {
    /// A source: `[1]`, `(Smith 2023)`, `according to …`, an address.
    Citation,
    /// A figure with its unit, or the size of a change.
    Data,
    /// A case.
    Example,
}

impl MarkerKind {
    /// Returns the confidence that a match is evidence of this kind.
    #[must_use]
    pub fn confidence(self) -> f64 {
        match self {
            Self::Citation => 0.9,
            Self::Data => 0.85,
            Self::Example => 0.8,
        }
    }

    /// Returns the relative support for a claim.
    #[must_use]
    pub fn boost(self) -> f64 {
        match self {
            Self::Citation => 0.3,
            Self::Data => 0.25,
            Self::Example => 0.2,
        }
    }
}

/// Evidence in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    pub kind: MarkerKind,
    /// As in the text.
    pub text: String,
    /// Index of its first character.
    pub position: usize,
}

/// Returns the evidence in a text: citations, then data, then examples, each pattern from front to back.
#[must_use]
pub fn markers(text: &str, language: Language) -> Vec<Marker> {
    let words = words(language);
    let kinds = [
        (MarkerKind::Citation, &words.citation),
        (MarkerKind::Data, &words.data),
        (MarkerKind::Example, &words.example),
    ];
    let mut found = Vec::new();
    for (kind, patterns) in kinds {
        for marker in patterns.iter().flat_map(|pattern| pattern.find_iter(text)) {
            found.push(Marker {
                kind,
                text: marker.as_str().to_owned(),
                position: text[..marker.start()].chars().count(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str, language: Language) -> Vec<String> {
        markers(text, language)
            .into_iter()
            .map(|marker| marker.text)
            .collect()
    }

    #[test]
    fn forms_in_three_languages() {
        let text = "See [1, 2], (Lee, 2020), (12020) and (2020); it cost £3,000.5 and reduced by  7.";
        assert_eq!(
            found(text, Language::English),
            ["[1, 2]", "(Lee, 2020)", "(12020)", "£3,000.5", "reduced by  7"]
        );
        let text =
            "Según el Banco Mundial, por ejemplo, el gasto aumentó en un 12,5 % en 3 días. Fuente: BM.";
        assert_eq!(
            found(text, Language::Spanish),
            [
                "Según el Banco Mundial",
                "Fuente: BM.",
                "12,5 %",
                "3 días",
                "aumentó en un 12",
                "por ejemplo"
            ]
        );
        let text = "根据世界银行报告，贫困率下降了5%，例如在2个月内（李，2020）。";
        assert_eq!(
            found(text, Language::Mandarin),
            [
                "（李，2020）",
                "根据世界银行报告",
                "5%",
                "2个月",
                "下降了5",
                "例如"
            ]
        );
    }

    #[test]
    fn numbers_are_not_read_from_their_middle() {
        assert_eq!(
            found("1,234 ms and 12,34 GB", Language::English),
            ["1,234 ms", "12,34 GB"]
        );
        assert_eq!(found("1.5.5%", Language::English), ["5.5%"]);
        assert!(found("such as, according to", Language::English).is_empty());
    }

    proptest! {
        #[test]
        fn positions_are_true(
            text in "\\PC{0,40}|[\\[\\](){0-9,.%$smGB 根据第 -]{0,40}|(according to|such as|Source: |12 s|,){0,8}",
            language in proptest::sample::select(&Language::ALL)
        ) {
            let chars: Vec<char> = text.chars().collect();
            for marker in markers(&text, language) {
                let length = marker.text.chars().count();
                let part: String = chars[marker.position..marker.position + length].iter().collect();
                prop_assert!(length > 0);
                prop_assert_eq!(part, marker.text);
            }
        }
    }
}
