//! Vectors of texts as endpoints give them: OpenAI's `/embeddings`, which most providers and local
//! servers speak. Bytes and texts only.

use super::address::{self, AddressError};
use serde_json::{Value, json};

/// The address under a base URL, which may also be that of the chat endpoint.
///
/// # Errors
/// Where the base URL is not plain http(s).
pub fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/chat/completions", "/embeddings"], "", "/embeddings")
}

/// The body of a request for the vectors of these texts.
#[must_use]
pub fn body(model: &str, texts: &[String]) -> String {
    json!({ "model": model, "input": texts, "encoding_format": "float" }).to_string()
}

/// The vectors in an answer, in the order of the texts. `None`: it is none, or not one for each text.
#[must_use]
pub fn read(body: &str, texts: usize) -> Option<Vec<Vec<f32>>> {
    let value: Value = serde_json::from_str(body.trim()).ok()?;
    let mut vectors = vec![Vec::new(); texts];
    for (place, one) in value.get("data")?.as_array()?.iter().enumerate() {
        let place = match one.get("index") {
            Some(index) => usize::try_from(index.as_u64()?).ok()?,
            None => place,
        };
        let numbers = one.get("embedding")?.as_array()?.iter();
        let vector: Option<Vec<f32>> = numbers
            .map(|number| number.as_f64().map(|number| number as f32))
            .collect();
        *vectors.get_mut(place)? = vector?;
    }
    vectors.iter().all(|vector| !vector.is_empty()).then_some(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent() {
        assert_eq!(
            url("http://localhost:8080/v1/").unwrap(),
            "http://localhost:8080/v1/embeddings"
        );
        assert_eq!(
            url("https://x.example/v1/chat/completions").unwrap(),
            "https://x.example/v1/embeddings"
        );
        assert_eq!(
            body("m", &["a".into(), "\"b\"".into()]),
            r#"{"encoding_format":"float","input":["a","\"b\""],"model":"m"}"#
        );
    }

    #[test]
    fn vectors_stand_in_the_order_of_the_texts() {
        let two = r#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0.5]}]}"#;
        assert_eq!(read(two, 2).unwrap(), [[1.0, 0.5], [0.0, 1.0]]);
        let unnumbered = r#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#;
        assert_eq!(read(unnumbered, 2).unwrap(), [[1.0], [2.0]]);
        for wrong in [
            "",
            "[]",
            r#"{"error":{"message":"no"}}"#,
            r#"{"data":[{"index":0,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":"AAAA"}]}"#,
            r#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}"#,
        ] {
            assert_eq!(read(wrong, 2), None, "{wrong}");
        }
    }
}
