//! Mappings whose keys are declared together with their values.

/// Declares a mapping of a file as a struct.
///
/// Each field is a key. Its type says how the value is read: by
/// [`FromFile`](crate::reader::FromFile), or by the function after `by`. The rest is the name, the
/// possible values and an example; the comment is the description in the JSON schema and in the pages, so it
/// is written for people who write files. After `in` are the words of `kind` with which the key is allowed.
///
/// Each key is also a constant, and `MAP` is the mapping for everything else that needs its description.
///
/// - `struct`: `read` returns the value, or `None` if an error was reported.
/// - `parts struct`: `parts` reads what it can, so that other checks can use the rest. A part is `None` if
///   its error was reported.
/// - `keys`: only the description, for mappings whose values depend on each other.
///
/// `struct Name(what: Type)` has something that the functions after `by` need. They can also use the values
/// of earlier keys.
#[macro_export]
#[doc(hidden)]
macro_rules! mapping {
    (
        $(#[doc = $about:literal])*
        #[derive($($derive:ident),*)]
        $vis:vis struct $Name:ident $(($context:ident: $Context:ty))? {$(
            $(#[doc = $what:literal])*
            $field_vis:vis $field:ident: $type:ty
                = $KEY:ident, $need:ident($($said:expr),*) $(by $read:expr)? $(, in $kinds:expr)?;
        )*}
        $($rule:ident: $rules:expr;)*
    ) => {
        $(#[doc = $about])*
        #[derive($($derive),*)]
        $vis struct $Name {$(
            $(#[doc = $what])*
            $field_vis $field: $type,
        )*}

        $crate::mapping! {
            @keys $Name [$($about),*]
            $($KEY [$($what),*] $need($($said),*) [$($kinds)?];)*
            { $($rule: $rules),* }
        }

        impl $Name {
            pub(crate) fn read(
                reader: &mut $crate::reader::Reader<'_>,
                value: &$crate::reader::FileValue<'_>,
                $($context: $Context,)?
            ) -> Option<Self> {
                value.mapping(reader, |reader, fields| {
                    $(let $field = fields.$need(reader, &Self::$KEY, $crate::mapping!(@read $($read)?));)*
                    fields.refuse(reader)?;
                    Some($Name { $($field: $field?),* })
                })
            }
        }
    };
    (
        $(#[doc = $about:literal])*
        #[derive($($derive:ident),*)]
        $vis:vis parts struct $Name:ident $(($context:ident: $Context:ty))? {$(
            $(#[doc = $what:literal])*
            $field:ident: $type:ty
                = $KEY:ident, $need:ident($($said:expr),*) $(by $read:expr)? $(, in $kinds:expr)?;
        )*}
        $($rule:ident: $rules:expr;)*
    ) => {
        $(#[doc = $about])*
        #[derive($($derive),*)]
        $vis struct $Name {$(
            $(#[doc = $what])*
            pub(crate) $field: Option<$type>,
        )*}

        $crate::mapping! {
            @keys $Name [$($about),*]
            $($KEY [$($what),*] $need($($said),*) [$($kinds)?];)*
            { $($rule: $rules),* }
        }

        impl $Name {
            pub(crate) fn parts(
                reader: &mut $crate::reader::Reader<'_>,
                fields: &mut $crate::reader::Fields<'_>,
                $($context: $Context,)?
            ) -> Self {
                $(let $field = fields.$need(reader, &Self::$KEY, $crate::mapping!(@read $($read)?));)*
                $Name { $($field),* }
            }
        }
    };
    (
        $(#[doc = $about:literal])*
        $vis:vis keys $Name:ident {$(
            $(#[doc = $what:literal])*
            $KEY:ident = $need:ident($($said:expr),*) $(, in $kinds:expr)?;
        )*}
        $($rule:ident: $rules:expr;)*
    ) => {
        $(#[doc = $about])*
        #[derive(Debug)]
        $vis enum $Name {}

        $crate::mapping! {
            @keys $Name [$($about),*]
            $($KEY [$($what),*] $need($($said),*) [$($kinds)?];)*
            { $($rule: $rules),* }
        }
    };
    (@keys $Name:ident [$($about:literal),*]
        $($KEY:ident [$($what:literal),*] $need:ident($($said:expr),*) [$($kinds:expr)?];)*
        { $($rule:ident: $rules:expr),* }
    ) => {
        impl $Name {
            $(pub const $KEY: $crate::format::Key =
                $crate::format::$need($($said,)* concat!($($what),*).trim_ascii_start())
                    $(.only_in($kinds))?;)*

            #[allow(clippy::needless_update, reason = "a mapping with all kinds of rules")]
            pub const MAP: $crate::format::Map = $crate::format::Map {
                about: concat!($($about),*).trim_ascii_start(),
                keys: &[$(&Self::$KEY),*],
                $($rule: $rules,)*
                ..$crate::format::Map::EMPTY
            };
        }
    };
    (@read) => { $crate::reader::FromFile::from_file };
    (@read $read:expr) => { $read };
}
