//! `heapstone generate`.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use heapstone_trace::{
    GenerateOptions, LapsOptions, Record, StreamingOptions, TraceHeader, TraceWriter, generate,
    generate_laps, generate_streaming,
};

use crate::args::{GenerateArgs, WorkloadArg};
use crate::failure::{Failure, Verdict};

pub(crate) fn run(args: &GenerateArgs) -> Result<Verdict, Failure> {
    match &args.output {
        None => match write(args, io::stdout().lock()) {
            // A reader that has gone has all it wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            result => result?,
        },
        Some(path) => File::create(path)
            .and_then(|file| write(args, file))
            .map_err(|error| Failure::write(path, &error))?,
    }
    Ok(Verdict::Accepted)
}

fn write(args: &GenerateArgs, out: impl Write) -> io::Result<()> {
    let GenerateArgs { seed, calls, live, .. } = *args;
    match args.workload {
        WorkloadArg::Memory => {
            let (header, calls) = generate(GenerateOptions { seed, calls, live });
            write_all(&header, calls, out)
        }
        WorkloadArg::Streaming => {
            let (header, calls) = generate_streaming(StreamingOptions { seed, calls, live });
            write_all(&header, calls, out)
        }
        WorkloadArg::Laps => {
            let (header, calls) = generate_laps(LapsOptions { seed, calls, cells: live });
            write_all(&header, calls, out)
        }
    }
}

fn write_all(header: &TraceHeader, calls: impl Iterator<Item = Record>, out: impl Write) -> io::Result<()> {
    let mut writer = TraceWriter::new(BufWriter::with_capacity(1 << 16, out), header)?;
    for call in calls {
        writer.write(&call)?;
    }
    writer.flush()
}
