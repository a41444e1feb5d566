//! A tournament tree: the first of many numbered values that is at least so large, in O(log n).

/// Values by index; the tree above them holds the maximum of each half.
///
/// ```text
///   tree[1]              maximum of all
///   tree[2]  tree[3]     of the halves
///   ...
///   tree[width + i]      value i
/// ```
#[derive(Clone, Debug)]
pub(crate) struct MaxTree {
    /// A power of two.
    width: usize,
    tree: Vec<u64>,
}

impl MaxTree {
    pub(crate) fn new() -> MaxTree {
        MaxTree { width: 1, tree: vec![0; 2] }
    }

    /// Makes the values those of `values`.
    pub(crate) fn rebuild(&mut self, values: impl ExactSizeIterator<Item = u64>) {
        self.width = values.len().next_power_of_two();
        self.tree.clear();
        self.tree.resize(self.width, 0);
        self.tree.extend(values);
        self.tree.resize(self.width * 2, 0);
        for node in (1..self.width).rev() {
            self.tree[node] = self.tree[2 * node].max(self.tree[2 * node + 1]);
        }
    }

    /// Sets one value; those beyond the present width come to be, as 0.
    pub(crate) fn set(&mut self, index: usize, value: u64) {
        if index >= self.width {
            let mut values = self.tree[self.width..].to_vec();
            values.resize(index + 1, 0);
            self.rebuild(values.into_iter());
        }
        let mut node = self.width + index;
        self.tree[node] = value;
        while node > 1 {
            node /= 2;
            let greatest = self.tree[2 * node].max(self.tree[2 * node + 1]);
            if self.tree[node] == greatest {
                break;
            }
            self.tree[node] = greatest;
        }
    }

    /// The value at an index; 0 where none was set.
    pub(crate) fn get(&self, index: usize) -> u64 {
        if index < self.width { self.tree[self.width + index] } else { 0 }
    }

    /// The greatest value.
    pub(crate) fn max(&self) -> u64 {
        self.tree[1]
    }

    /// The first index from `from` on whose value is at least `least`, which is above 0.
    pub(crate) fn first_at_least(&self, from: usize, least: u64) -> Option<usize> {
        if from >= self.width {
            return None;
        }
        // Up from the leaf while everything to the right of it is too small, then down leftmost.
        let mut node = self.width + from;
        loop {
            if self.tree[node] >= least {
                break;
            }
            // The next subtree to the right; past the last one the number is a power of two.
            while node % 2 == 1 {
                if node == 1 {
                    return None;
                }
                node /= 2;
            }
            node += 1;
            if node.is_power_of_two() {
                return None;
            }
        }
        while node < self.width {
            node *= 2;
            if self.tree[node] < least {
                node += 1;
            }
        }
        Some(node - self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_a_linear_search() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for count in [1, 2, 3, 7, 8, 9, 33] {
            let mut values = vec![0_u64; count];
            let mut tree = MaxTree::new();
            for _ in 0..300 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(state >> 33).unwrap() % count;
                values[at] = (state >> 20) % 16;
                tree.set(at, values[at]);
                assert_eq!(tree.max(), *values.iter().max().unwrap());
                for from in 0..=count {
                    for least in 1..17 {
                        let want = (from..count).find(|i| values[*i] >= least);
                        assert_eq!(tree.first_at_least(from, least), want, "{values:?} {from} {least}");
                    }
                }
            }
            let mut rebuilt = MaxTree::new();
            rebuilt.rebuild(values.iter().copied());
            assert_eq!(rebuilt.first_at_least(0, 1), values.iter().position(|v| *v >= 1));
            assert_eq!((rebuilt.get(0), rebuilt.get(100)), (values[0], 0));
        }
    }
}
