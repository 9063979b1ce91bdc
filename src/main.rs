//! The program: everything is in the library, so that tests can reach it; what hands out its memory is chosen here.

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    pithead::main()
}
