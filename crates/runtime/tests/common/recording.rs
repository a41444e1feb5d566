//! Recording into lists of a device without bytes, and looking at what they were compiled to.
#![allow(dead_code, reason = "each test crate uses its part")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use core::cell::RefCell;
use std::collections::BTreeSet;

use heapstone::spec::commands::{Box3D, CommandListType};
use heapstone::{
    CommandAllocator, CommandList, CommittedResourceDesc, Device, Error, Format, HeapType, PlacedFootprint,
    Resource, ResourceDesc, Rule, TextureCopyLocation, Violation,
};
use heapstone_driver::dma::{Command, DmaBuffer};

pub const RGBA8: Format = Format::R8G8B8A8_UNORM;

pub struct Recording {
    pub device: Device,
    /// The rules that calls broke.
    broken: RefCell<BTreeSet<&'static str>>,
}

impl Recording {
    pub fn on(device: Device) -> Recording {
        Recording { device, broken: RefCell::default() }
    }

    pub fn resource(&self, heap_type: HeapType, desc: ResourceDesc) -> Resource {
        self.device.create_committed_resource(&CommittedResourceDesc::new(heap_type, desc)).unwrap()
    }

    /// On a DEFAULT heap.
    pub fn default(&self, desc: ResourceDesc) -> Resource {
        self.resource(HeapType::Default, desc)
    }

    pub fn buffer(&self, heap_type: HeapType, width: u64) -> Resource {
        self.resource(heap_type, ResourceDesc::buffer(width))
    }

    pub fn allocator(&self, list_type: CommandListType) -> CommandAllocator {
        self.device.create_command_allocator(list_type).unwrap()
    }

    pub fn list(&self, list_type: CommandListType) -> CommandList {
        self.device.create_command_list(list_type, &self.allocator(list_type)).unwrap()
    }

    /// What a direct list is compiled to.
    #[track_caller]
    pub fn compiled(&self, record: impl FnOnce(&mut CommandList) -> Result<(), Error>) -> DmaBuffer {
        let mut list = self.list(CommandListType::Direct);
        record(&mut list).unwrap();
        list.close().unwrap();
        list.dma_buffer().unwrap().clone()
    }

    /// The commands of a direct list.
    #[track_caller]
    pub fn commands(&self, record: impl FnOnce(&mut CommandList) -> Result<(), Error>) -> Vec<Command> {
        commands_of(&self.compiled(record))
    }

    /// The one command of a direct list.
    #[track_caller]
    pub fn command(&self, record: impl FnOnce(&mut CommandList) -> Result<(), Error>) -> Command {
        let commands = self.commands(record);
        assert_eq!(commands.len(), 1, "{commands:?}");
        commands[0]
    }

    /// That a call into a direct list is refused by `rule`; see [`Recording::refuses_in`].
    #[track_caller]
    pub fn refuses(
        &self,
        rule: &'static Rule,
        given: &str,
        allowed: &str,
        call: impl Fn(&mut CommandList) -> Result<(), Error>,
    ) -> Violation {
        self.refuses_in(CommandListType::Direct, rule, given, allowed, call)
    }

    /// That a call is refused by `rule`, records nothing, and that Close answers it until the list is reset.
    #[track_caller]
    pub fn refuses_in(
        &self,
        list_type: CommandListType,
        rule: &'static Rule,
        given: &str,
        allowed: &str,
        call: impl Fn(&mut CommandList) -> Result<(), Error>,
    ) -> Violation {
        let allocator = self.allocator(list_type);
        let mut list = self.device.create_command_list(list_type, &allocator).unwrap();
        let violation = super::common::refused(call(&mut list), rule);
        super::common::says(&violation, "", &[given], &[allowed]);
        assert!(rule.holds_in(self.device.sdk()), "{}", rule.id);
        let closed = list.close().expect_err("the refused call is remembered");
        assert_eq!(closed.violation(), Some(&violation));
        assert!(list.dma_buffer().is_none());
        list.reset(&allocator).unwrap();
        list.close().unwrap();
        assert_eq!(list.dma_buffer().unwrap().words(), [0; 0]);
        self.broken.borrow_mut().insert(rule.id);
        violation
    }

    /// A rule that was broken otherwise.
    pub fn broke(&self, rule: &'static Rule) {
        self.broken.borrow_mut().insert(rule.id);
    }

    /// That each of `rules` was broken, but those that a Rust caller cannot break.
    #[track_caller]
    pub fn broke_all(&self, rules: &[&'static Rule], but: &[&'static Rule]) {
        let broken = self.broken.borrow();
        let is_missing =
            |rule: &&&'static Rule| !broken.contains(rule.id) && !but.iter().any(|other| other.id == rule.id);
        let missing: Vec<&str> = rules.iter().filter(is_missing).map(|rule| rule.id).collect();
        assert!(missing.is_empty(), "no call breaks {missing:?}");
        for rule in but {
            assert!(!broken.contains(rule.id), "{} can be broken after all", rule.id);
        }
    }
}

pub fn commands_of(buffer: &DmaBuffer) -> Vec<Command> {
    buffer.commands().map(|command| command.unwrap()).collect()
}

pub fn placed(
    offset: u64,
    format: Format,
    [width, height, depth]: [u32; 3],
    row_pitch: u32,
) -> PlacedFootprint {
    PlacedFootprint { offset, format, width, height, depth, row_pitch }
}

pub fn texture(format: Format, width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(format, width, height)
}

pub const fn box_of([left, top, front]: [u32; 3], [right, bottom, back]: [u32; 3]) -> Box3D {
    Box3D { left, top, front, right, bottom, back }
}

pub fn sub(resource: &Resource, subresource: u32) -> TextureCopyLocation<'_> {
    TextureCopyLocation::subresource(resource, subresource)
}

pub fn rows(resource: &Resource, footprint: PlacedFootprint) -> TextureCopyLocation<'_> {
    TextureCopyLocation::footprint(resource, footprint)
}
