#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pithead_fuzz::attach(data));
