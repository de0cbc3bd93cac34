//! Properties as in Hadoop's `Configuration`: names and values from `hbase-site.xml` and from the command
//! line.

use std::collections::BTreeMap;
use std::sync::Arc;

use saltplan_document::diag::{Diagnostic, Diagnostics, Source, Span};

/// A value with its place.
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

    /// Sets a property that is not in a file; it overrides every file.
    pub fn set(&mut self, name: &str, value: &str) {
        let property = Property { value: value.trim().to_string(), place: None, is_final: false };
        self.0.insert(name.to_string(), property);
    }

    /// Adds the properties of an `hbase-site.xml`. As in Hadoop, a later property overrides an earlier one
    /// with the same name, unless the earlier one is final.
    ///
    /// # Errors
    /// The text is not XML or has another structure, its root is not `<configuration>`, or a property lacks
    /// its name or value.
    pub fn read_xml(&mut self, source: &Arc<Source>) -> Result<(), Diagnostics> {
        check_shape(source)?;
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
        // Hadoop ignores a property without a value.
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

/// The maximum size of a tag in bytes: the XML library compares each attribute of an element with all
/// previous ones.
const MAX_TAG_BYTES: usize = 1 << 10;

/// The maximum nesting of elements: each element looks at the namespaces of all enclosing ones.
const MAX_DEPTH: usize = 16;

/// Refuses input for which the XML library would take hours and that no hbase-site.xml contains: its tags
/// have no attributes, and are nested three levels deep.
fn check_shape(source: &Arc<Source>) -> Result<(), Diagnostics> {
    let mut depth = 0usize;
    for tag in tags(&source.text) {
        let text = &source.text[tag.start..tag.end];
        let fault = if text.len() > MAX_TAG_BYTES {
            format!("a tag has more than {MAX_TAG_BYTES} bytes")
        } else if depth > MAX_DEPTH {
            format!("elements are nested more than {MAX_DEPTH} levels deep")
        } else {
            match (text.starts_with("</"), text.ends_with("/>")) {
                (true, _) => depth = depth.saturating_sub(1),
                (_, true) => {}
                _ => depth += 1,
            }
            continue;
        };
        let error = Diagnostic::error(fault).at(source, tag, "this one");
        return Err(error.with_help("is this an hbase-site.xml?").into());
    }
    Ok(())
}

/// The tags of an XML text, up to the first error, including an unclosed tag. The content of comments, CDATA
/// sections and processing instructions is skipped.
fn tags(text: &str) -> impl Iterator<Item = Span> {
    const NO_TAGS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('<')?;
            let rest = &text[start..];
            if let Some((open, close)) = NO_TAGS.iter().find(|(open, _)| rest.starts_with(open)) {
                let end = rest[open.len()..].find(close)?;
                at = start + open.len() + end + close.len();
                continue;
            }
            let mut quote = None;
            let end = rest.find(|c| match quote {
                Some(open) => {
                    quote = Some(open).filter(|open| *open != c);
                    false
                }
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    false
                }
                None => c == '>',
            });
            at = end.map_or(text.len(), |end| start + end + 1);
            return Some(Span::new(start, at));
        }
    })
}

/// The text of an element without comments.
fn text_of(node: roxmltree::Node<'_, '_>) -> String {
    let parts: String =
        node.children().filter(roxmltree::Node::is_text).filter_map(|part| part.text()).collect();
    parts.trim().to_string()
}

fn not_xml(source: &Arc<Source>, error: &roxmltree::Error) -> Diagnostic {
    let at = error.pos();
    let line = source.text.split_inclusive('\n').take((at.row as usize).saturating_sub(1));
    let start = line.map(str::len).sum::<usize>() + (at.col as usize).saturating_sub(1);
    let start = start.min(source.text.len());
    let message = error.to_string();
    let reason = message.rsplit_once(" at ").map_or(message.as_str(), |(reason, _)| reason);
    Diagnostic::error(format!("{} is not well-formed XML", source.name)).at(
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
    fn tags_and_text_between_them() {
        let found = |text: &'static str| tags(text).map(|tag| &text[tag.start..tag.end]).collect::<Vec<_>>();
        assert_eq!(
            found("<?xml a='>'?><a b='>' c=\">'\"><!-- <x> --><![CDATA[<y>]]>1 > 0</a><d"),
            ["<a b='>' c=\">'\">", "</a>", "<d"]
        );
        for open in ["<!-- <a>", "<![CDATA[ <a>", "<? <a>", ""] {
            assert_eq!(found(open), [""; 0], "{open}");
        }
    }

    /// The library compares attributes in pairs, and namespaces with the enclosing ones.
    #[test]
    fn xml_that_takes_hours_to_parse_is_refused() {
        let attributes: String = (0..30_000).map(|number| format!(" a{number}=''")).collect();
        let error = read(&format!("<configuration>\n<property{attributes}/></configuration>")).unwrap_err();
        assert_eq!(
            error.to_string().split(" (").next(),
            Some("hbase-site.xml:2:1: error: a tag has more than 1024 bytes")
        );
        let open = format!("<configuration{}", " a=''".repeat(30_000));
        assert!(read(&open).unwrap_err().to_string().contains("a tag has more than"));
        let deep = "<a xmlns:b='c'>".repeat(18);
        assert!(
            read(&deep).unwrap_err().to_string().contains("elements are nested more than 16 levels deep")
        );
        let beside = format!("<configuration>{}</configuration>", "<property/><a></a>".repeat(100));
        assert!(read(&beside).unwrap_err().to_string().contains("<name>"));
    }

    #[test]
    fn faults_have_a_place() {
        let fault = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            fault("<configuration>\n  <property>\n</configuration>"),
            "hbase-site.xml:3:1: error: hbase-site.xml is not well-formed XML"
        );
        assert_eq!(
            fault("<config/>"),
            "hbase-site.xml:1:1: error: the root of an hbase-site.xml is `<configuration>`"
        );
        assert!(fault("").contains("not well-formed XML"));
        assert!(
            fault("<configuration><property><value>1</value></property></configuration>").contains("<name>")
        );
    }
}
