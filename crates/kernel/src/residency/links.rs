//! Lists of slots, linked through a table beside them: a slot is in at most one list of a table, and every step
//! takes constant time.

/// A place in a table of objects, which the owner of the table counts from 0.
pub type Slot = u32;

const NONE: u32 = u32::MAX;

/// The links of all slots.
#[derive(Debug, Default)]
pub(crate) struct Links {
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    older: u32,
    newer: u32,
}

/// A list: from the oldest, which was pushed first, to the newest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    oldest: u32,
    newest: u32,
}

impl List {
    pub(crate) const EMPTY: List = List { oldest: NONE, newest: NONE };

    pub(crate) const fn oldest(&self) -> Option<Slot> {
        some(self.oldest)
    }

    pub(crate) const fn newest(&self) -> Option<Slot> {
        some(self.newest)
    }
}

const fn some(slot: u32) -> Option<Slot> {
    if slot == NONE { None } else { Some(slot) }
}

impl Links {
    pub(crate) const fn new() -> Links {
        Links { links: Vec::new() }
    }

    fn at(&mut self, slot: Slot) -> &mut Link {
        let index = slot as usize;
        if index >= self.links.len() {
            self.links.resize(index + 1, Link { older: NONE, newer: NONE });
        }
        &mut self.links[index]
    }

    pub(crate) fn push_newest(&mut self, list: &mut List, slot: Slot) {
        *self.at(slot) = Link { older: list.newest, newer: NONE };
        match list.newest {
            NONE => list.oldest = slot,
            newest => self.links[newest as usize].newer = slot,
        }
        list.newest = slot;
    }

    pub(crate) fn push_oldest(&mut self, list: &mut List, slot: Slot) {
        *self.at(slot) = Link { older: NONE, newer: list.oldest };
        match list.oldest {
            NONE => list.newest = slot,
            oldest => self.links[oldest as usize].older = slot,
        }
        list.oldest = slot;
    }

    /// Takes `slot` out of `list`, which it is in.
    pub(crate) fn unlink(&mut self, list: &mut List, slot: Slot) {
        let Link { older, newer } = self.links[slot as usize];
        match older {
            NONE => list.oldest = newer,
            older => self.links[older as usize].newer = newer,
        }
        match newer {
            NONE => list.newest = older,
            newer => self.links[newer as usize].older = older,
        }
        self.links[slot as usize] = Link { older: NONE, newer: NONE };
    }

    /// Appends all of `more` as the newest of `list`.
    pub(crate) fn append(&mut self, list: &mut List, more: &mut List) {
        match (list.newest, more.oldest) {
            (_, NONE) => return,
            (NONE, _) => *list = *more,
            (newest, oldest) => {
                self.links[newest as usize].newer = oldest;
                self.links[oldest as usize].older = newest;
                list.newest = more.newest;
            }
        }
        *more = List::EMPTY;
    }

    /// The next newer one of the list that `slot` is in.
    pub(crate) fn newer(&self, slot: Slot) -> Option<Slot> {
        some(self.links[slot as usize].newer)
    }

    /// The next older one of the list that `slot` is in.
    pub(crate) fn older(&self, slot: Slot) -> Option<Slot> {
        some(self.links[slot as usize].older)
    }
}
