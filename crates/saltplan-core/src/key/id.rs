//! Typed positions in lists. The position of a field cannot be confused with that of a column, or with the
//! position among stored fields.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A position in one kind of list, from 0.
pub trait Id: Copy + Debug {
    fn new(position: usize) -> Self;
    fn position(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(usize);

        impl $crate::key::id::Id for $name {
            fn new(position: usize) -> Self {
                $name(position)
            }

            fn position(self) -> usize {
                self.0
            }
        }
    };
}
pub(crate) use id;

/// A value for each id, in the order of the ids.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    values: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> IdVec<I, T> {
    pub fn new() -> Self {
        Vec::new().into()
    }

    /// Appends a value.
    pub fn push(&mut self, value: T) -> I {
        self.values.push(value);
        I::new(self.values.len() - 1)
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.values.get(id.position())
    }

    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.values.get_mut(id.position())
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.values.len()).map(I::new)
    }

    /// The values with their ids.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.values.iter().enumerate().map(|(position, value)| (I::new(position), value))
    }

    /// The values with their ids.
    pub fn into_entries(self) -> impl DoubleEndedIterator<Item = (I, T)> + ExactSizeIterator {
        self.values.into_iter().enumerate().map(|(position, value)| (I::new(position), value))
    }

    /// The first position for which the condition is true.
    pub fn find(&self, mut holds: impl FnMut(&T) -> bool) -> Option<I> {
        self.entries().find(|(_, value)| holds(value)).map(|(id, _)| id)
    }
}

impl<I, T> IdVec<I, T> {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.values.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values.iter_mut()
    }
}

impl<I, T: Debug> Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.values.fmt(f)
    }
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(values: Vec<T>) -> Self {
        IdVec { values, ids: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<V: IntoIterator<Item = T>>(values: V) -> Self {
        Vec::from_iter(values).into()
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'a, I, T> IntoIterator for &'a mut IdVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter_mut()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.values[id.position()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.position()]
    }
}
