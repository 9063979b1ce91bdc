//! Language models as minds, against a real HTTP server in this process.

mod client;
mod learning;
mod outage;
mod own_system;
mod place;
mod run;
mod scripted;
mod server;
mod set_up;
