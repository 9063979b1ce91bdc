//! The HTTP embedder: any server that speaks the OpenAI embeddings protocol.
//!
//! The address comes from the operator's environment, never from a database, so that a foreign file
//! cannot make this program call anyone. The key is sent and never shown.

use super::embedder::{EmbedError, Embedder};
use crate::http::{self, Patience, embeddings};
use pithead_core::text::ngrams::normalise;
use serde_json::Value;
use std::time::Duration;

/// Texts in one request: servers commonly refuse much more.
const TEXTS_MAX: usize = 64;
/// A batch takes a small machine some seconds.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Letters of a refusal that are repeated to the operator, and bytes of it that are looked at.
const TOLD_MAX: usize = 300;
const REFUSAL_MAX: usize = 16 * 1024;
/// Bytes of an answer: a batch of the longest points written out in full.
const ANSWER_MAX: usize = 32 * 1024 * 1024;

/// A server of embeddings.
pub struct HttpEmbedder {
    /// Of the server, such as `http://localhost:11434/v1`.
    url: String,
    model: String,
    key: Option<String>,
    name: String,
}

impl std::fmt::Debug for HttpEmbedder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Http {{ {} }}", self.name)
    }
}

impl HttpEmbedder {
    #[must_use]
    pub fn new(url: &str, model: &str, key: Option<String>) -> Self {
        let url = url.trim_end_matches('/').to_owned();
        Self {
            name: format!("http:{url}#{model}"),
            url,
            model: model.to_owned(),
            key,
        }
    }

    fn batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let url = http::url(&self.url, embeddings::PATH);
        let body = embeddings::request(&self.model, texts);
        let answer = post(&url, self.key.as_deref(), &body)?;
        let mut points = embeddings::read_vectors(&answer, texts.len())
            .map_err(|fault| EmbedError::Misread { url, fault })?;
        points.iter_mut().for_each(|point| normalise(point));
        Ok(points)
    }
}

impl Embedder for HttpEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dims(&self) -> Option<usize> {
        None
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut points = Vec::with_capacity(texts.len());
        for batch in texts.chunks(TEXTS_MAX) {
            points.extend(self.batch(batch)?);
        }
        Ok(points)
    }
}

/// One request and the bytes of its answer.
fn post(url: &str, key: Option<&str>, body: &Value) -> Result<Vec<u8>, EmbedError> {
    let keys: Vec<&str> = key.into_iter().collect();
    let unreachable = |because: String| EmbedError::Unreachable {
        url: url.to_owned(),
        because: http::shown_text(&because, &keys, TOLD_MAX),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| unreachable(error.to_string()))?;
    runtime.block_on(async {
        let client = http::client(Patience {
            whole: Some(TIMEOUT),
            ..Patience::default()
        });
        let mut request = client.map_err(unreachable)?.post(url).json(body);
        if let Some(key) = key {
            request = request.bearer_auth(key);
        }
        let answer = request.send().await;
        let answer = answer.map_err(|error| unreachable(http::reasons(error)))?;
        let status = answer.status();
        if !status.is_success() {
            let body = http::body(answer, REFUSAL_MAX, TIMEOUT).await;
            return Err(EmbedError::Refused {
                url: url.to_owned(),
                status: status.as_u16(),
                body: http::shown_text(&String::from_utf8_lossy(&body), &keys, TOLD_MAX),
            });
        }
        Ok(http::body(answer, ANSWER_MAX, TIMEOUT).await)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Read, Write};

    /// Answers one request with this, and gives back what was asked.
    fn serve(
        status: &'static str,
        body: &'static str,
    ) -> (String, std::thread::JoinHandle<String>) {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/", listener.local_addr().unwrap());
        let served = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let lower = line.to_lowercase();
                if let Some(bytes) = lower.strip_prefix("content-length:") {
                    length = bytes.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                head += &line;
            }
            let mut asked = vec![0; length];
            reader.read_exact(&mut asked).unwrap();
            let length = body.len();
            write!(stream, "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}").unwrap();
            head + &String::from_utf8(asked).unwrap()
        });
        (url, served)
    }

    #[test]
    fn points_come_back_in_the_order_of_the_texts_and_with_length_one() {
        let body = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}"#;
        let (url, served) = serve("200 OK", body);
        let server = HttpEmbedder::new(&url, "small", Some("secret".to_owned()));
        let points = server.embed(&["a", "b"]).unwrap();
        assert_eq!(points, [[0.6, 0.8], [0.0, 1.0]]);
        let asked = served.join().unwrap();
        assert!(asked.starts_with("POST /v1/embeddings"), "{asked}");
        assert!(
            asked
                .to_lowercase()
                .contains("authorization: bearer secret")
        );
        assert!(asked.contains(r#""input":["a","b"]"#), "{asked}");
        assert!(!format!("{server:?}").contains("secret"));
    }

    #[test]
    fn refusals_and_nonsense_are_told_apart() {
        for (status, body, words) in [
            ("401 Unauthorized", "no such key", "HTTP 401: no such key"),
            ("200 OK", r#"{"data":[]}"#, "0 points for 1 texts"),
            ("200 OK", "hm", "cannot be parsed"),
            (
                "200 OK",
                r#"{"data":[{"index":0,"embedding":[]}]}"#,
                "points of 0",
            ),
        ] {
            let (url, served) = serve(status, body);
            let error = HttpEmbedder::new(&url, "m", None)
                .embed(&["a"])
                .unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
            served.join().unwrap();
        }
        let nobody = HttpEmbedder::new("http://127.0.0.1:9", "m", None);
        let error = nobody.embed(&["a"]).unwrap_err();
        assert!(matches!(error, EmbedError::Unreachable { .. }), "{error}");
    }
}
