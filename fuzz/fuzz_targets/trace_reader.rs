//! Whatever bytes a trace file has: it is read, or an error says where and what was expected.
#![no_main]

use heapstone_trace::{TraceReader, TraceWriter, read_trace};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let trace = match read_trace(bytes, "fuzz") {
        Ok(trace) => trace,
        Err(error) => {
            assert!(!error.expected.is_empty() && !error.found.is_empty(), "{error:?}");
            return;
        }
    };
    let mut writer = TraceWriter::new(Vec::new(), trace.header()).expect("memory takes it");
    let mut count = 0;
    for record in trace {
        match record {
            Ok(record) => {
                writer.write(&record).expect("memory takes it");
                count += 1;
            }
            Err(error) => {
                assert!(error.position.is_some() && !error.expected.is_empty(), "{error:?}");
                break;
            }
        }
    }
    // What was read can be written, and read again.
    let text = writer.into_inner().expect("memory takes it");
    let again = TraceReader::new(&text[..], "again").expect("our own header");
    assert_eq!(again.map(|record| record.expect("our own line")).count(), count);
});
