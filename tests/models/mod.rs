//! Language models as minds, against a real HTTP server in this process.

mod client;
mod learning;
mod outage;
mod place;
mod run;
mod server;
mod set_up;
