//! `heapstone generate`.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use heapstone_trace::{GenerateOptions, TraceWriter, generate};

use crate::args::GenerateArgs;
use crate::failure::{Failure, Verdict};

pub(crate) fn run(args: &GenerateArgs) -> Result<Verdict, Failure> {
    let options = GenerateOptions { seed: args.seed, calls: args.calls, live: args.live };
    match &args.output {
        None => match write(options, io::stdout().lock()) {
            // A reader that has gone has all it wanted.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            result => result?,
        },
        Some(path) => File::create(path)
            .and_then(|file| write(options, file))
            .map_err(|error| Failure::write(path, &error))?,
    }
    Ok(Verdict::Accepted)
}

fn write(options: GenerateOptions, out: impl Write) -> io::Result<()> {
    let (header, calls) = generate(options);
    let mut writer = TraceWriter::new(BufWriter::with_capacity(1 << 16, out), &header)?;
    for call in calls {
        writer.write(&call)?;
    }
    writer.flush()
}
