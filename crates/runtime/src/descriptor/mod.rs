//! Descriptor heaps, descriptors and views.
