//! What the lab's types are as any JSON, and back: serde_json's own `to_value`, `from_value` and `json!` with a third of
//! their code in the module, since less is compiled anew for each type. Not for JSON as text.

use serde::de::{self, DeserializeOwned, DeserializeSeed, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::ser::{self, Serialize};
use serde_json::{Error, Map, Value};
use std::fmt::{self, Display};
use std::{slice, vec};

/// A value as JSON; null where it is none, such as a map whose keys are no texts.
pub(crate) fn of(value: &(impl Serialize + ?Sized)) -> Value {
    or_null(value.serialize(Write))
}

#[inline(never)]
fn or_null(written: Written) -> Value {
    written.unwrap_or_default()
}

/// The name by which something is stored, where that is all that is stored of it.
pub(crate) fn name(value: &impl Serialize) -> String {
    match of(value) {
        Value::String(name) => name,
        _ => String::new(),
    }
}

/// What a value is as a type.
///
/// # Errors
/// Where it is none of them: what is wrong.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Error> {
    T::deserialize(Read(value))
}

/// The same of a JSON text.
///
/// # Errors
/// Where it is no JSON, and as [`read`].
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    read(serde_json::from_str(text)?)
}

/// JSON as it is written, with expressions for values.
macro_rules! json {
    (null) => { serde_json::Value::Null };
    ([ $($items:tt)* ]) => { serde_json::Value::Array($crate::value::json!(@list [] $($items)*)) };
    ({ $($members:tt)* }) => {{
        #[allow(unused_mut)]
        let mut map = serde_json::Map::new();
        $crate::value::json!(@map map $($members)*);
        serde_json::Value::Object(map)
    }};

    (@list [$($done:expr),*]) => { vec![$($done),*] };
    (@list [$($done:expr),*] null $(, $($rest:tt)*)?) => {
        $crate::value::json!(@list [$($done,)* $crate::value::json!(null)] $($($rest)*)?)
    };
    (@list [$($done:expr),*] [$($items:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value::json!(@list [$($done,)* $crate::value::json!([$($items)*])] $($($rest)*)?)
    };
    (@list [$($done:expr),*] {$($members:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value::json!(@list [$($done,)* $crate::value::json!({$($members)*})] $($($rest)*)?)
    };
    (@list [$($done:expr),*] $item:expr $(, $($rest:tt)*)?) => {
        $crate::value::json!(@list [$($done,)* $crate::value::of(&$item)] $($($rest)*)?)
    };

    (@map $map:ident) => {};
    (@map $map:ident $key:tt : null $(, $($rest:tt)*)?) => {
        $crate::value::put(&mut $map, AsRef::<str>::as_ref(&$key), serde_json::Value::Null);
        $crate::value::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : [$($items:tt)*] $(, $($rest:tt)*)?) => {
        $crate::value::put(&mut $map, AsRef::<str>::as_ref(&$key), $crate::value::json!([$($items)*]));
        $crate::value::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : {$($members:tt)*} $(, $($rest:tt)*)?) => {
        $crate::value::put(&mut $map, AsRef::<str>::as_ref(&$key), $crate::value::json!({$($members)*}));
        $crate::value::json!(@map $map $($($rest)*)?);
    };
    (@map $map:ident $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::value::put(&mut $map, AsRef::<str>::as_ref(&$key), $crate::value::of(&$value));
        $crate::value::json!(@map $map $($($rest)*)?);
    };

    ($value:expr) => { $crate::value::of(&$value) };
}
pub(crate) use json;

/// An object of these members.
pub(crate) fn object(members: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(map(members))
}

/// A map of these members. To collect one would sort them first, with a sort of its own in each place.
pub(crate) fn map(members: impl Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut map = Map::new();
    map.extend(members);
    map
}

/// Adds a member to an object.
#[inline(never)]
pub(crate) fn put(map: &mut Map<String, Value>, key: &str, value: Value) {
    map.insert(key.to_owned(), value);
}

/// Nothing is told of why a value is no JSON: the lab's are.
#[derive(Debug)]
struct NoJson;

impl Display for NoJson {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("this is no JSON")
    }
}

impl std::error::Error for NoJson {}

impl ser::Error for NoJson {
    fn custom<T: Display>(_: T) -> Self {
        Self
    }
}

struct Write;

/// A list that is written; within an object of its own where it belongs to a variant.
struct List {
    items: Vec<Value>,
    variant: Option<&'static str>,
}

/// The same of an object.
struct Object {
    members: Map<String, Value>,
    key: String,
    variant: Option<&'static str>,
    /// Its one member is the JSON text that it stands for, as serde_json's `RawValue` has it.
    raw: bool,
}

/// How a `RawValue` calls itself and its one member.
const RAW: &str = "$serde_json::private::RawValue";

fn within(variant: Option<&str>, value: Value) -> Value {
    match variant {
        None => value,
        Some(variant) => {
            let mut map = Map::new();
            put(&mut map, variant, value);
            Value::Object(map)
        }
    }
}

impl Object {
    fn new(name: &str, variant: Option<&'static str>) -> Self {
        Self {
            members: Map::new(),
            key: String::new(),
            variant,
            raw: name == RAW,
        }
    }

    #[inline(never)]
    fn add(&mut self, key: &str, value: Written) -> Written<()> {
        put(&mut self.members, key, value?);
        Ok(())
    }

    /// Adds what belongs to the key that came last.
    #[inline(never)]
    fn add_value(&mut self, value: Written) -> Written<()> {
        self.members.insert(std::mem::take(&mut self.key), value?);
        Ok(())
    }

    #[inline(never)]
    fn close(self) -> Value {
        match self.members.get(RAW).and_then(Value::as_str) {
            Some(text) if self.raw => serde_json::from_str(text).unwrap_or_default(),
            _ => within(self.variant, Value::Object(self.members)),
        }
    }
}

impl List {
    fn new(len: usize, variant: Option<&'static str>) -> Self {
        Self {
            items: Vec::with_capacity(len),
            variant,
        }
    }

    #[inline(never)]
    fn add(&mut self, value: Written) -> Written<()> {
        self.items.push(value?);
        Ok(())
    }

    #[inline(never)]
    fn close(self) -> Value {
        within(self.variant, Value::Array(self.items))
    }
}

type Written<T = Value> = Result<T, NoJson>;

impl ser::Serializer for Write {
    type Ok = Value;
    type Error = NoJson;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Object;
    type SerializeStruct = Object;
    type SerializeStructVariant = Object;

    fn serialize_bool(self, value: bool) -> Written {
        Ok(Value::Bool(value))
    }
    fn serialize_i8(self, value: i8) -> Written {
        self.serialize_i64(value.into())
    }
    fn serialize_i16(self, value: i16) -> Written {
        self.serialize_i64(value.into())
    }
    fn serialize_i32(self, value: i32) -> Written {
        self.serialize_i64(value.into())
    }
    fn serialize_i64(self, value: i64) -> Written {
        Ok(Value::from(value))
    }
    fn serialize_u8(self, value: u8) -> Written {
        self.serialize_u64(value.into())
    }
    fn serialize_u16(self, value: u16) -> Written {
        self.serialize_u64(value.into())
    }
    fn serialize_u32(self, value: u32) -> Written {
        self.serialize_u64(value.into())
    }
    fn serialize_u64(self, value: u64) -> Written {
        Ok(Value::from(value))
    }
    fn serialize_f32(self, value: f32) -> Written {
        self.serialize_f64(value.into())
    }
    fn serialize_f64(self, value: f64) -> Written {
        Ok(Value::from(value))
    }
    fn serialize_char(self, value: char) -> Written {
        Ok(Value::String(value.into()))
    }
    fn serialize_str(self, value: &str) -> Written {
        Ok(Value::String(value.to_owned()))
    }
    fn serialize_bytes(self, value: &[u8]) -> Written {
        Ok(Value::from(value))
    }
    fn serialize_none(self) -> Written {
        Ok(Value::Null)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Written {
        Ok(Value::Null)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Value::Null)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Written {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        Ok(within(Some(variant), value.serialize(self)?))
    }
    fn serialize_seq(self, len: Option<usize>) -> Written<List> {
        Ok(List::new(len.unwrap_or_default(), None))
    }
    fn serialize_tuple(self, len: usize) -> Written<List> {
        Ok(List::new(len, None))
    }
    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Written<List> {
        Ok(List::new(len, None))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Written<List> {
        Ok(List::new(len, Some(variant)))
    }
    fn serialize_map(self, _: Option<usize>) -> Written<Object> {
        Ok(Object::new("", None))
    }
    fn serialize_struct(self, name: &'static str, _: usize) -> Written<Object> {
        Ok(Object::new(name, None))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Written<Object> {
        Ok(Object::new("", Some(variant)))
    }
}

/// Implements what lists are written by.
macro_rules! lists {
    ($($kind:ident $method:ident),*) => {
        $(impl ser::$kind for List {
            type Ok = Value;
            type Error = NoJson;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Written<()> {
                self.add(value.serialize(Write))
            }

            fn end(self) -> Written {
                Ok(self.close())
            }
        })*
    };
}
lists!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

/// Implements what objects are written by.
macro_rules! objects {
    ($($kind:ident),*) => {
        $(impl ser::$kind for Object {
            type Ok = Value;
            type Error = NoJson;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written<()> {
                self.add(key, value.serialize(Write))
            }

            fn end(self) -> Written {
                Ok(self.close())
            }
        })*
    };
}
objects!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Object {
    type Ok = Value;
    type Error = NoJson;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written<()> {
        self.key = match key.serialize(Write)? {
            Value::String(key) => key,
            key @ (Value::Number(_) | Value::Bool(_)) => key.to_string(),
            _ => return Err(NoJson),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written<()> {
        self.add_value(value.serialize(Write))
    }

    fn end(self) -> Written {
        Ok(self.close())
    }
}

/// A value that is read as what its type asks for.
pub(crate) struct Read(pub(crate) Value);

#[inline(never)]
fn wrong(value: &Value, expected: &dyn Expected) -> Error {
    let found = match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Unexpected::Unsigned(number),
            (_, Some(number)) => Unexpected::Signed(number),
            _ => Unexpected::Float(number.as_f64().unwrap_or_default()),
        },
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    de::Error::invalid_type(found, expected)
}

/// Implements the methods that read one kind of value by the one that reads that kind.
macro_rules! like {
    ($like:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.$like(visitor)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Read {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(value),
            other => Err(wrong(&other, &visitor)),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Number(number) = &self.0 else {
            return Err(wrong(&self.0, &visitor));
        };
        match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => visitor.visit_u64(number),
            (_, Some(number)) => visitor.visit_i64(number),
            _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            other => Err(wrong(&other, &visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Array(items) = self.0 else {
            return Err(wrong(&self.0, &visitor));
        };
        let all = items.len();
        let mut items = Items(items.into_iter());
        let value = visitor.visit_seq(&mut items)?;
        if items.0.len() > 0 {
            return Err(de::Error::invalid_length(all, &"fewer elements"));
        }
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(members) => visitor.visit_map(Members {
                rest: members.into_iter(),
                value: Value::Null,
            }),
            other => Err(wrong(&other, &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            other => Err(wrong(&other, &visitor)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let one = match self.0 {
            Value::String(name) => Some((name, Value::Null)),
            Value::Object(members) if members.len() == 1 => members.into_iter().next(),
            other => return Err(wrong(&other, &"a text or an object of one member")),
        };
        let (name, value) = one.unwrap_or_default();
        visitor.visit_enum(Variant { name, value })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(members) => {
                let mut fields = Fields {
                    members,
                    names: names.iter(),
                    missing: None,
                };
                let read = visitor.visit_seq(&mut fields);
                read.map_err(|Unread(error)| error.unwrap_or_else(|| fields.lacks()))
            }
            other => Err(wrong(&other, &visitor)),
        }
    }

    like!(deserialize_f64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32);
    like!(deserialize_str: deserialize_char deserialize_string deserialize_identifier);
    like!(deserialize_any: deserialize_bytes deserialize_byte_buf);
}

struct Items(vec::IntoIter<Value>);

impl<'de> de::SeqAccess<'de> for &mut Items {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        match self.0.next() {
            Some(item) => seed.deserialize(Read(item)).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The members of an object one after the other as their type names them, which is half the code of reading them in the
/// order of the object. One that is missing is read as null, or has its default. No type may have names by which a
/// member goes besides: serde would list them as members of their own.
struct Fields {
    members: Map<String, Value>,
    names: slice::Iter<'static, &'static str>,
    /// The member that was asked for last, where it is missing.
    missing: Option<&'static str>,
}

impl Fields {
    #[inline(never)]
    fn next(&mut self) -> Option<Value> {
        let name = self.names.next()?;
        let value = self.members.remove(*name);
        self.missing = value.is_none().then_some(*name);
        Some(value.unwrap_or_default())
    }

    #[inline(never)]
    fn lacks(&self) -> Error {
        de::Error::missing_field(self.missing.unwrap_or_default())
    }
}

impl<'de> de::SeqAccess<'de> for &mut Fields {
    type Error = Unread;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unread> {
        let Some(value) = self.next() else {
            return Ok(None);
        };
        match seed.deserialize(Read(value)) {
            Ok(value) => Ok(Some(value)),
            Err(_) if self.missing.is_some() => Ok(None),
            Err(error) => Err(Unread(Some(error))),
        }
    }
}

/// Why the members of an object could not be read; nothing where one is missing. What serde's own error would say of
/// that is another text for each type, and never told.
#[derive(Debug)]
struct Unread(Option<Error>);

impl Display for Unread {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(error) => error.fmt(formatter),
            None => formatter.write_str("a member is missing"),
        }
    }
}

impl std::error::Error for Unread {}

impl de::Error for Unread {
    fn custom<T: Display>(fault: T) -> Self {
        Self(Some(de::Error::custom(fault)))
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self(None)
    }
}

/// What is left of an object, and the value of the member whose name was read last.
struct Members {
    rest: serde_json::map::IntoIter,
    value: Value,
}

impl Members {
    #[inline(never)]
    fn next(&mut self) -> Option<String> {
        let (key, value) = self.rest.next()?;
        self.value = value;
        Some(key)
    }
}

impl<'de> de::MapAccess<'de> for Members {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        match self.next() {
            Some(key) => seed.deserialize(Read(Value::String(key))).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Read(self.value.take()))
    }
}

/// A variant by its name, with what it holds.
struct Variant {
    name: String,
    value: Value,
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Read;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Read), Error> {
        let name = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((name, Read(self.value)))
    }
}

impl<'de> de::VariantAccess<'de> for Read {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_seq(self, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_struct(self, "", names, visitor)
    }
}
