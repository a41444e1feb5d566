//! Rules of Map, Unmap and of the queries on resources.

rules! {}
