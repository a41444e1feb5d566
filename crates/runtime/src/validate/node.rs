//! Masks that name one node.

use heapstone_spec::profile::Memory;
use heapstone_spec::{Rule, Violation};

/// The index of the node that `mask` names: 0 stands for the first.
///
/// # Errors
/// `rule`, where it has several bits, or one of a node that the adapter does not have.
pub(crate) fn one_node(
    memory: &Memory,
    rule: &'static Rule,
    field: &'static str,
    mask: u32,
) -> Result<u32, Box<Violation>> {
    let nodes = memory.node_mask();
    if mask == 0 {
        return Ok(0);
    }
    if mask.is_power_of_two() && mask & nodes != 0 {
        return Ok(mask.trailing_zeros());
    }
    Err(rule.violated(field, format_args!("{mask:#x}"), format_args!("0 or one bit of {nodes:#x}")))
}

#[cfg(test)]
mod tests {
    use heapstone_spec::Profile;
    use heapstone_spec::rules::queue::QUEUE_NODE;

    use super::*;

    #[test]
    fn masks_name_one_node_that_there_is() {
        let memory = Profile::builtin("linked-two-nodes").unwrap().memory;
        let node = |mask| one_node(&memory, &QUEUE_NODE, "NodeMask", mask).ok();
        for (mask, expected) in [
            (0, Some(0)),
            (1, Some(0)),
            (2, Some(1)),
            (3, None),
            (4, None),
            (1 << 31, None),
            (u32::MAX, None),
        ] {
            assert_eq!(node(mask), expected, "{mask:#x}");
        }
        let violation = one_node(&memory, &QUEUE_NODE, "NodeMask", 4).unwrap_err();
        assert_eq!((violation.given.as_str(), violation.allowed.as_str()), ("0x4", "0 or one bit of 0x3"));
    }
}
