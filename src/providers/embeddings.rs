//! Embeddings: OpenAI's `/embeddings` format, which most providers and local servers support. Works on bytes and
//! text only.

use super::address::{self, AddressError};
use serde_json::{Value, json};

/// Returns the address under a base URL, which may also be the chat endpoint.
///
/// # Errors
/// Returns an error if the base URL is not a plain http(s) URL.
pub fn url(base_url: &str) -> Result<String, AddressError> {
    address::endpoint(base_url, &["/chat/completions", "/embeddings"], "", "/embeddings")
}

/// Returns the body of a request.
#[must_use]
pub fn body(model: &str, texts: &[String]) -> String {
    json!({ "model": model, "input": texts, "encoding_format": "float" }).to_string()
}

/// Parses the vectors of a response, in the order of the texts. Returns `None` if the response is malformed or lacks
/// a vector.
#[must_use]
pub fn read(body: &str, texts: usize) -> Option<Vec<Vec<f32>>> {
    let value: Value = serde_json::from_str(body.trim()).ok()?;
    let mut vectors = vec![Vec::new(); texts];
    for (position, item) in value.get("data")?.as_array()?.iter().enumerate() {
        let index = match item.get("index") {
            Some(index) => usize::try_from(index.as_u64()?).ok()?,
            None => position,
        };
        let numbers = item.get("embedding")?.as_array()?.iter();
        let vector: Option<Vec<f32>> = numbers
            .map(|number| number.as_f64().map(|number| number as f32))
            .collect();
        *vectors.get_mut(index)? = vector?;
    }
    vectors.iter().all(|vector| !vector.is_empty()).then_some(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_url_and_body() {
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
    fn vectors_are_in_the_order_of_the_texts() {
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
