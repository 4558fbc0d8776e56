//! Enums that are objects with a tag in data, such as `{ "type": "sent", "ask": … }`. The same data as
//! serde's own `tag` attribute makes of them, with half the code; for [`serde_json`] only.

use crate::value;
use serde::de::{self, Deserializer, IntoDeserializer};
use serde::ser::{self, Impossible, Serialize, SerializeStruct, Serializer};
use serde_json::{Error, Map, Value};

/// Implements `Serialize` and `Deserialize` of an enum that derives both with `#[serde(remote = "Self")]`.
/// What it derives is then a method of its own of the same name, without the tag: `from_value` and the
/// like use what stands here, a plain `Event::deserialize` does not.
macro_rules! tagged {
    ($enum:ty, $tag:literal) => {
        impl serde::Serialize for $enum {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, $crate::core::tagged::Writer::new($tag, serializer))
            }
        }

        impl<'de> serde::Deserialize<'de> for $enum {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let fields = serde::Deserialize::deserialize(deserializer)?;
                $crate::core::tagged::Reader::new($tag, fields)
                    .and_then(Self::deserialize)
                    .map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use tagged;

/// Hands the fields of a tagged object to the variant that the tag names.
pub(crate) struct Reader {
    variant: String,
    fields: Map<String, Value>,
}

impl Reader {
    pub(crate) fn new(tag: &'static str, mut fields: Map<String, Value>) -> Result<Self, Error> {
        match fields.remove(tag) {
            Some(Value::String(variant)) => Ok(Self { variant, fields }),
            Some(_) => Err(de::Error::custom(format_args!("`{tag}` must be a text"))),
            None => Err(de::Error::missing_field(tag)),
        }
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Error;

    fn deserialize_any<V: de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_enum(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> de::EnumAccess<'de> for Reader {
    type Error = Error;
    type Variant = value::Read;

    fn variant_seed<V: de::DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, value::Read), Error> {
        let variant = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.variant))?;
        Ok((variant, value::Read(Value::Object(self.fields))))
    }
}

/// Writes a variant as an object with the tag first.
pub(crate) struct Writer<S> {
    tag: &'static str,
    variant: Option<&'static str>,
    inner: S,
}

impl<S> Writer<S> {
    pub(crate) fn new(tag: &'static str, inner: S) -> Self {
        Self {
            tag,
            variant: None,
            inner,
        }
    }
}

impl<S: Serializer> Writer<S> {
    fn object(self, variant: &'static str, len: usize) -> Result<S::SerializeStruct, S::Error> {
        let mut object = self.inner.serialize_struct(self.tag, len + 1)?;
        object.serialize_field(self.tag, variant)?;
        Ok(object)
    }
}

/// Implements what no variant of such an enum calls: all that is neither an object nor its variant.
macro_rules! no_object {
    ($($method:ident($($type:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $(_: $type),*) -> Result<$result, S::Error> {
            Err(ser::Error::custom("only an object has a place for a tag"))
        })*
    };
}

impl<S: Serializer> Serializer for Writer<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = Object<S::SerializeStruct>;

    fn serialize_unit_variant(self, _: &str, _: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.object(variant, 0)?.end()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(Self {
            variant: Some(variant),
            ..self
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        self.object(variant, len).map(Object)
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<S::SerializeStruct, S::Error> {
        let variant = self.variant.unwrap_or_default();
        self.object(variant, len)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    no_object! {
        serialize_bool(bool) -> S::Ok;
        serialize_i8(i8) -> S::Ok;
        serialize_i16(i16) -> S::Ok;
        serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok;
        serialize_u8(u8) -> S::Ok;
        serialize_u16(u16) -> S::Ok;
        serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok;
        serialize_f32(f32) -> S::Ok;
        serialize_f64(f64) -> S::Ok;
        serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok;
        serialize_bytes(&[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
    }
}

/// The fields of a variant, after its tag.
pub(crate) struct Object<S>(S);

impl<S: SerializeStruct> ser::SerializeStructVariant for Object<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), S::Error> {
        self.0.skip_field(key)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Inner {
        b: Option<f64>,
        a: Vec<String>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(remote = "Self", rename_all = "snake_case")]
    enum Ours {
        Nothing,
        OneThing(Inner),
        Named {
            z: u8,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            y: Option<Inner>,
        },
    }
    super::tagged!(Ours, "type");

    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Serdes {
        Nothing,
        OneThing(Inner),
        Named {
            z: u8,
            #[serde(skip_serializing_if = "Option::is_none")]
            y: Option<Inner>,
        },
    }

    fn values() -> Vec<(Ours, Serdes)> {
        let inner = Inner {
            b: Some(0.1),
            a: vec!["\"".to_owned()],
        };
        let named = |y: Option<Inner>| (Ours::Named { z: 7, y: y.clone() }, Serdes::Named { z: 7, y });
        vec![
            (Ours::Nothing, Serdes::Nothing),
            (Ours::OneThing(inner.clone()), Serdes::OneThing(inner.clone())),
            named(None),
            named(Some(inner)),
        ]
    }

    #[test]
    fn the_same_text_as_serdes_own_and_back() {
        for (ours, serdes) in values() {
            let text = serde_json::to_string(&ours).unwrap();
            assert_eq!(text, serde_json::to_string(&serdes).unwrap());
            let value = serde_json::to_value(&ours).unwrap();
            assert_eq!(value, serde_json::to_value(&serdes).unwrap());
            assert_eq!(serde_json::from_str::<Ours>(&text).unwrap(), ours);
            assert_eq!(<Ours as Deserialize>::deserialize(&value).unwrap(), ours);
            assert_eq!(crate::value::read::<Ours>(value).unwrap(), ours);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let fault = |text: &str| serde_json::from_str::<Ours>(text).unwrap_err().to_string();
        assert!(fault("{}").starts_with("missing field `type`"), "{}", fault("{}"));
        assert!(fault(r#"{"type":"odd"}"#).starts_with("unknown variant `odd`, expected one of `nothing`"));
        assert!(fault(r#"{"type":1}"#).starts_with("`type` must be a text"));
        assert!(fault(r#"{"type":"named"}"#).starts_with("missing field `z`"));
        assert!(fault(r#"{"type":"named","z":"7"}"#).starts_with("invalid type: string \"7\", expected u8"));
        assert!(fault("[]").starts_with("invalid type: sequence, expected a map"));
    }
}
