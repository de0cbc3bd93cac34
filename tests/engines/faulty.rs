//! A module of WebAssembly in the place of the planner, which fails as the filter of its request says: `note <> 'fault trap'`.
//! `lab faulty` compiles it; it is no part of the suite's program.

use std::io::{Read as _, Write as _};

fn main() {
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request).expect("a request");
    let fault = request.split("fault ").nth(1).and_then(|rest| rest.split('"').next());
    let answer = format!(
        r#"{{"protocol": 1, "digest": "{}", "version": "0.1.0", "ranges": [["303037", "303038"]]}}"#,
        "0".repeat(64)
    );
    match fault.expect("a fault") {
        "trap" => std::process::abort(),
        "stack" => println!("{}", depth(1)),
        "memory" => loop {
            std::hint::black_box(Box::leak(vec![1_u8; 1 << 20].into_boxed_slice()));
        },
        "hang" => loop {
            std::hint::spin_loop();
        },
        "endless" => loop {
            std::io::stdout().write_all(&[b' '; 4_096]).expect("a reader");
        },
        "garbage" => println!("hello"),
        "other" => println!("{answer}"),
        "exit" => std::process::exit(7),
        other => panic!("no fault {other}"),
    }
}

#[expect(unconditional_recursion, reason = "that is the fault")]
fn depth(level: u64) -> u64 {
    std::hint::black_box(depth(std::hint::black_box(level) + 1)) + 1
}
