//! Offer and reclaim: content that may be lost when memory is short (facts/residency.md).

use super::entry::Offered;
use super::error::ResidencyError;
use super::links::Slot;
use super::pager::Pager;
use super::room::Transaction;
use crate::manager::ManagerInner;

/// How soon an offered object is discarded: low before normal before high (DXGI_OFFER_RESOURCE_PRIORITY).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OfferPriority {
    /// First.
    Low,
    /// Then.
    #[default]
    Normal,
    /// Last.
    High,
}

impl OfferPriority {
    /// All, in the order in which they are discarded.
    pub const ALL: [OfferPriority; 3] = [OfferPriority::Low, OfferPriority::Normal, OfferPriority::High];
}

/// What became of an offered object's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reclaimed {
    /// It is as it was.
    Kept,
    /// It was discarded: the object holds zeros.
    Lost,
}

impl Pager {
    pub(crate) fn offer(&mut self, slots: &[Slot], priority: OfferPriority) -> Result<(), ResidencyError> {
        for (index, slot) in slots.iter().enumerate() {
            let entry = self.entry(*slot);
            if entry.offered.is_some() {
                return Err(ResidencyError::Offered { index });
            }
            if entry.pins > 0 {
                return Err(ResidencyError::InFlight { index });
            }
        }
        for slot in slots {
            let entry = self.entry_mut(*slot);
            // An object that is not in memory has nothing there to lose.
            entry.offered = Some(Offered { priority, is_lost: false });
            self.relist(*slot);
        }
        Ok(())
    }

    /// What became of each; those not offered are as they were. Objects that are needed come back to memory.
    pub(crate) fn reclaim(
        &mut self,
        memory: &ManagerInner,
        slots: &[Slot],
    ) -> Result<Vec<Reclaimed>, ResidencyError> {
        // Taken back first, so that no one of them is discarded for another.
        let offers: Vec<Option<Offered>> = slots
            .iter()
            .map(|slot| {
                let offered = self.entry_mut(*slot).offered.take();
                self.relist(*slot);
                offered
            })
            .collect();
        let mut transaction = Transaction::default();
        for (slot, offered) in slots.iter().zip(&offers) {
            let entry = self.entry(*slot);
            if offered.is_some()
                && entry.count > 0
                && entry.segment.is_none()
                && let Err(error) = self.page_in(memory, *slot, &mut transaction)
            {
                self.undo(memory, transaction);
                for (slot, offered) in slots.iter().zip(offers).filter(|(_, offered)| offered.is_some()) {
                    self.entry_mut(*slot).offered = offered;
                    self.relist(*slot);
                }
                return Err(ResidencyError::OutOfVideoMemory(error));
            }
        }
        self.commit(&mut transaction);
        let of = |offered: Option<Offered>| match offered {
            Some(Offered { is_lost: true, .. }) => Reclaimed::Lost,
            _ => Reclaimed::Kept,
        };
        Ok(offers.into_iter().map(of).collect())
    }
}
