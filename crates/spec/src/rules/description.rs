//! Rules that a resource description must keep by itself, whatever it is created in.

use crate::message;

rules! {
    DIMENSION = "resource.dimension" {
        statement: "A resource is a buffer or a 1D, 2D or 3D texture.",
        remedy: "Set Dimension to BUFFER, TEXTURE1D, TEXTURE2D or TEXTURE3D.",
        message: Some(message::CREATERESOURCE_UNRECOGNIZEDDIMENSIONALITY),
        source: "spec/2-resource-heaps.txt 103-110",
    }
}
