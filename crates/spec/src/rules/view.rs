//! Rules of descriptor heaps, descriptors and views.

rules! {}
