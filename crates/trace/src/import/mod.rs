//! Importers of other programs' traces.

pub(crate) mod gpgmm;
mod gpgmm_events;
mod scan;
