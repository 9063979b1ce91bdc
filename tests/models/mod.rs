//! Language models as minds, against a real HTTP server in this process.

mod client;
mod learning;
mod place;
mod run;
mod server;
