//! All benchmarks except the count of allocations, in one program, because linking is slow.
//!
//! `cargo bench --bench figures` runs those that divan times; a word behind `--` chooses among them
//! (`-- world`). Five print tables of their own and run only when named, with their arguments:
//! `-- footprint`, `-- memory 10000`, `-- nights 301 400`, `-- table18 300`, `-- terminal start`.

#![allow(clippy::print_stdout, clippy::disallowed_methods)] // a benchmark reads the clock and prints

mod common;
mod console;
mod footprint;
mod frames;
mod journal;
mod knowledge;
mod memory;
mod nights;
mod run;
mod table18;
mod terminal;
mod world;

fn main() {
    // Cargo adds `--bench`; divan reads its own options from the command line.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let Some((name, arguments)) = words.split_first() else {
        return divan::main();
    };
    match name.as_str() {
        "footprint" => footprint::print_figures(arguments),
        "nights" => nights::print_figures(arguments),
        "memory" => memory::print_figures(arguments),
        "table18" => table18::print_figures(arguments),
        "terminal" => terminal::print_figures(arguments),
        _ => divan::main(),
    }
}
