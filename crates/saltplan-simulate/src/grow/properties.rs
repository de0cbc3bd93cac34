//! Properties as Hadoop's `Configuration` reads them: names and values from `hbase-site.xml` and from the command line.

use std::collections::BTreeMap;
use std::sync::Arc;

use saltplan_core::diag::{Diagnostic, Diagnostics, Source, Span};

/// A value with the place it was written at.
#[derive(Debug, Clone)]
pub struct Property {
    pub value: String,
    place: Option<(Arc<Source>, Span)>,
    is_final: bool,
}

impl Property {
    /// An error about this value.
    pub fn error(&self, name: &str, reason: &str) -> Diagnostic {
        let error = Diagnostic::error(format!("`{name}` is `{}`: {reason}", self.value));
        match &self.place {
            Some((source, span)) => error.at(source, *span, "this value"),
            None => error,
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Properties(BTreeMap<String, Property>);

impl Properties {
    pub fn get(&self, name: &str) -> Option<&Property> {
        self.0.get(name)
    }

    /// Sets a property that stands in no file; it wins over every file.
    pub fn set(&mut self, name: &str, value: &str) {
        let property = Property { value: value.trim().to_string(), place: None, is_final: false };
        self.0.insert(name.to_string(), property);
    }

    /// Adds the properties of an `hbase-site.xml`. As in Hadoop, a later property wins over an earlier one of the
    /// same name, unless the earlier one is final.
    ///
    /// # Errors
    /// The text is no XML, its root is not `<configuration>`, or a property lacks its name or value.
    pub fn read_xml(&mut self, source: &Arc<Source>) -> Result<(), Diagnostics> {
        let document = roxmltree::Document::parse(&source.text).map_err(|error| not_xml(source, &error))?;
        let root = document.root_element();
        if !root.has_tag_name("configuration") {
            let span = Span::new(root.range().start, root.range().start + 1);
            return Err(Diagnostic::error("the root of an hbase-site.xml is `<configuration>`")
                .at(source, span, format!("this is `<{}>`", root.tag_name().name()))
                .into());
        }
        for node in root.children().filter(|node| node.has_tag_name("property")) {
            self.add(source, node)?;
        }
        Ok(())
    }

    fn add(&mut self, source: &Arc<Source>, node: roxmltree::Node<'_, '_>) -> Result<(), Diagnostics> {
        let child = |name: &str| node.children().find(|child| child.has_tag_name(name));
        let text = |name: &str| child(name).map(text_of);
        let whole = Span::new(node.range().start, node.range().end);
        let Some(name) = text("name").filter(|name| !name.is_empty()) else {
            return Err(Diagnostic::error("a property has no `<name>`").at(source, whole, "this one").into());
        };
        // Hadoop leaves a property without a value out.
        let Some(value) = child("value") else { return Ok(()) };
        let property = Property {
            value: text_of(value),
            place: Some((Arc::clone(source), Span::new(value.range().start, value.range().end))),
            is_final: text("final").as_deref() == Some("true"),
        };
        if self.0.get(&name).is_none_or(|known| !known.is_final) {
            self.0.insert(name, property);
        }
        Ok(())
    }
}

/// All the text of an element, comments left out.
fn text_of(node: roxmltree::Node<'_, '_>) -> String {
    let parts: String =
        node.children().filter(|part| part.is_text()).filter_map(|part| part.text()).collect();
    parts.trim().to_string()
}

fn not_xml(source: &Arc<Source>, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let line = source.text.split_inclusive('\n').take((at.row as usize).saturating_sub(1));
    let start = line.map(str::len).sum::<usize>() + (at.col as usize).saturating_sub(1);
    let start = start.min(source.text.len());
    let message = error.to_string();
    let reason = message.rsplit_once(" at ").map_or(message.as_str(), |(reason, _)| reason);
    Diagnostic::error(format!("{} is no well-formed XML", source.name)).at(
        source,
        Span::new(start, start),
        reason.to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Properties, Diagnostics> {
        let mut properties = Properties::default();
        properties.read_xml(&Source::new("hbase-site.xml", text)).map(|()| properties)
    }

    #[test]
    fn values_as_hadoop_takes_them() {
        let properties = read(
            "<?xml version=\"1.0\"?>\n<?xml-stylesheet href=\"configuration.xsl\"?>\n<!-- ours -->\n<configuration>
             <property><name> a </name><value> 1<!-- one --> </value></property>
             <property><name>a</name><value>2</value><final>true</final></property>
             <property><name>a</name><value>3</value></property>
             <property><name>b</name><value><![CDATA[x < y]]> &amp; z</value></property>
             <property><name>c</name></property>
             </configuration>",
        );
        let properties = properties.unwrap();
        let value = |name: &str| properties.get(name).map(|property| property.value.as_str());
        assert_eq!(value("a"), Some("2"));
        assert_eq!(value("b"), Some("x < y & z"));
        assert_eq!(value("c"), None);
    }

    #[test]
    fn faults_have_a_place() {
        let fault = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            fault("<configuration>\n  <property>\n</configuration>"),
            "hbase-site.xml:3:1: error: hbase-site.xml is no well-formed XML"
        );
        assert_eq!(
            fault("<config/>"),
            "hbase-site.xml:1:1: error: the root of an hbase-site.xml is `<configuration>`"
        );
        assert!(fault("").contains("no well-formed XML"));
        assert!(
            fault("<configuration><property><value>1</value></property></configuration>").contains("<name>")
        );
    }
}
