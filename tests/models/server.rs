//! A model server in this process: real HTTP, and whatever misbehaviour a test asks for.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_stream::wrappers::ReceiverStream;

/// One piece of a streamed answer.
#[derive(Clone)]
pub(crate) enum Piece {
    Text(String),
    /// Wait before the next.
    Pause(u64),
    /// Cut the connection.
    Cut,
}

/// What the server answers with.
#[derive(Clone)]
pub(crate) enum Say {
    /// In one piece, with this content type.
    Body {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    Stream(Vec<Piece>),
    /// After so many milliseconds, the other.
    After(u64, Box<Say>),
}

pub(crate) type Script = dyn Fn(usize, &Value) -> Say + Send + Sync;

/// A running server; it ends with the test.
pub(crate) struct Server {
    pub(crate) base_url: String,
    seen: Arc<Seen>,
}

struct Seen {
    script: Box<Script>,
    bodies: Mutex<Vec<Value>>,
    authorizations: Mutex<Vec<String>>,
    under_way: AtomicUsize,
    most_at_once: AtomicUsize,
}

impl Server {
    /// Serves chats by the script, a function of the number of the request (from 0) and its body.
    pub(crate) fn start(script: impl Fn(usize, &Value) -> Say + Send + Sync + 'static) -> Self {
        let seen = Arc::new(Seen {
            script: Box::new(script),
            bodies: Mutex::default(),
            authorizations: Mutex::default(),
            under_way: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let app = axum::Router::new()
            .route("/v1/chat/completions", axum::routing::post(chat))
            .route("/v1/models", axum::routing::get(models))
            .route("/v1/embeddings", axum::routing::post(embeddings))
            .with_state(Arc::clone(&seen));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, app).await.unwrap();
            });
        });
        Self {
            base_url: format!("http://{address}/v1"),
            seen,
        }
    }

    pub(crate) fn requests(&self) -> Vec<Value> {
        self.seen.bodies.lock().unwrap().clone()
    }

    pub(crate) fn authorizations(&self) -> Vec<String> {
        self.seen.authorizations.lock().unwrap().clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.seen.most_at_once.load(Ordering::SeqCst)
    }
}

async fn chat(
    State(seen): State<Arc<Seen>>,
    headers: HeaderMap,
    axum::Json(body): axum::Json<Value>,
) -> Response<Body> {
    let number = {
        let mut bodies = seen.bodies.lock().unwrap();
        bodies.push(body.clone());
        bodies.len() - 1
    };
    if let Some(value) = headers.get("authorization") {
        let value = value.to_str().unwrap().to_owned();
        seen.authorizations.lock().unwrap().push(value);
    }
    let now = seen.under_way.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most_at_once.fetch_max(now, Ordering::SeqCst);
    let mut say = (seen.script)(number, &body);
    while let Say::After(ms, then) = say {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        say = *then;
    }
    let response = respond(say);
    seen.under_way.fetch_sub(1, Ordering::SeqCst);
    response
}

fn respond(say: Say) -> Response<Body> {
    match say {
        Say::Body {
            status,
            headers,
            body,
        } => {
            let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap());
            for (name, value) in headers {
                response = response.header(name, value);
            }
            response.body(Body::from(body)).unwrap()
        }
        Say::Stream(pieces) => {
            let (send, receive) = tokio::sync::mpsc::channel::<Result<Bytes, io::Error>>(4);
            tokio::spawn(async move {
                for piece in pieces {
                    let piece = match piece {
                        Piece::Text(text) => Ok(Bytes::from(text)),
                        Piece::Pause(ms) => {
                            tokio::time::sleep(Duration::from_millis(ms)).await;
                            continue;
                        }
                        Piece::Cut => Err(io::Error::other("cut")),
                    };
                    if send.send(piece).await.is_err() {
                        return;
                    }
                }
            });
            Response::builder()
                .header("content-type", "text/event-stream; charset=utf-8")
                .body(Body::from_stream(ReceiverStream::new(receive)))
                .unwrap()
        }
        Say::After(..) => unreachable!("waited for above"),
    }
}

async fn models() -> axum::Json<Value> {
    axum::Json(json!({"object": "list", "data": [{"id": "m1"}, {"id": "m2"}]}))
}

async fn embeddings(axum::Json(body): axum::Json<Value>) -> Result<axum::Json<Value>, Infallible> {
    let count = body["input"].as_array().map_or(1, Vec::len);
    let rows: Vec<Value> = (0..count)
        .map(|index| json!({"index": index, "embedding": [0.6, 0.8]}))
        .collect();
    Ok(axum::Json(json!({"data": rows})))
}

/// The text as a stream of small pieces, with an end and a count of tokens.
pub(crate) fn streamed(text: &str) -> Say {
    let mut pieces = vec![
        Piece::Text(": a comment\n\n".to_owned()),
        delta(json!({"role": "assistant", "content": ""})),
    ];
    let letters: Vec<char> = text.chars().collect();
    for part in letters.chunks(11) {
        pieces.push(delta(json!({"content": part.iter().collect::<String>()})));
    }
    pieces.extend(end("stop"));
    Say::Stream(pieces)
}

pub(crate) fn delta(delta: Value) -> Piece {
    let mut piece = json!({"choices": [{"index": 0}]});
    piece["choices"][0]["delta"] = delta;
    event(&piece)
}

pub(crate) fn event(value: &Value) -> Piece {
    Piece::Text(format!("data: {value}\n\n"))
}

pub(crate) fn end(reason: &str) -> Vec<Piece> {
    vec![
        event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})),
        event(&json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 200}})),
        Piece::Text("data: [DONE]\n\n".to_owned()),
    ]
}

/// The text in one piece.
pub(crate) fn whole(text: &str) -> Say {
    json_body(
        200,
        &json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}),
    )
}

pub(crate) fn json_body(status: u16, body: &Value) -> Say {
    Say::Body {
        status,
        headers: vec![("content-type", "application/json".to_owned())],
        body: body.to_string(),
    }
}

pub(crate) fn refusal(status: u16, message: &str) -> Say {
    json_body(status, &json!({"error": {"message": message, "type": "x"}}))
}
