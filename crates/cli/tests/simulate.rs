//! `heapstone simulate`.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use std::process::Command;

fn simulate(arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heapstone")).arg("simulate").args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const LAPS: [&str; 6] = ["--workload", "camera-lap", "--budget", "50%,90%", "--policy", "lru,adaptive"];

#[test]
fn runs_are_the_same_each_time_and_the_adaptive_policy_is_nearer_the_bound() {
    let json = || {
        let (code, out, _) = simulate(&[&LAPS[..], &["--json", "-"]].concat());
        assert_eq!(code, 0);
        out
    };
    let text = json();
    assert_eq!(text, json());
    let rows: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 4);
    let number = |row: usize, name: &str| rows[row][name].as_u64().unwrap();
    for (lru, own) in [(0, 1), (2, 3)] {
        assert_eq!((&rows[lru]["policy"], &rows[own]["policy"]), (&"lru".into(), &"adaptive".into()));
        assert_eq!(number(lru, "bound_bytes"), number(own, "bound_bytes"));
        assert!(number(own, "page_in_bytes") < number(lru, "page_in_bytes"));
        for row in [lru, own] {
            assert!(number(row, "bound_bytes") <= number(row, "page_in_bytes"));
            assert!(number(row, "bound_bytes") >= number(row, "footprint_bytes"));
            assert!(number(row, "peak_bytes") <= number(row, "budget_bytes"));
        }
    }
}

#[test]
fn a_csv_has_a_row_for_each_run_and_a_table_a_line() {
    let (code, csv, _) = simulate(&[&LAPS[..], &["--csv", "-"]].concat());
    assert_eq!(code, 0);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 5);
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));
    assert!(lines[0].contains("ratio_permille"));
    let (_, table, _) = simulate(&LAPS);
    assert!(table.contains("camera-lap on discrete-8g"), "{table}");
    assert_eq!(table.lines().filter(|line| line.contains("adaptive")).count(), 2);
}

#[test]
fn memory_that_is_unified_is_paged_too_and_mistakes_are_named() {
    let (code, out, error) =
        simulate(&["--workload", "load-burst", "--budget", "512MiB", "--profile", "integrated-uma"]);
    assert!(code == 0 && out.contains("load-burst on integrated-uma"), "{out}{error}");
    for (arguments, told) in [
        (["--workload", "walk"], "camera-lap"),
        (["--policy", "mru"], "adaptive"),
        (["--budget", "0%"], "1% to 1000%"),
        (["--profile", "nowhere"], "nowhere"),
    ] {
        let (code, _, error) = simulate(&arguments);
        assert!(code == 2 && error.contains(told), "{arguments:?}: {error}");
    }
}
