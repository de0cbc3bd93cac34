//! Rewrites a template of the user so that everything it makes is counted.
//!
//! The template engine has no hook for its operators: `{% set x = x ~ x %}` in a loop takes all memory in forty steps. So `~`, `+`, `*`
//! and slices become calls of functions, in [`operators`](super::operators), and text between the tags becomes values that are printed.
//! Lines stay where they are, for messages.

use minijinja::machinery::{Span, Token, tokenize};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Error, ErrorKind};

/// The maximum nesting of brackets, as in the template engine.
const MAX_DEPTH: usize = 150;

/// Words between expressions.
const WORDS: [&str; 6] = ["if", "else", "and", "or", "not", "in"];

/// Functions that take the place of operators and slices.
pub const CONCAT: &str = "counted_concat";
pub const ADD: &str = "counted_add";
pub const MULTIPLY: &str = "counted_multiply";
pub const SLICE: &str = "counted_slice";

/// A template in which everything that it makes is counted.
///
/// # Errors
/// The text cannot be split into tokens, or is nested too deeply.
pub fn counted(source: &str, syntax: SyntaxConfig) -> Result<String, Error> {
    let tokens = tokenize(source, false, syntax).collect::<Result<Vec<_>, _>>()?;
    let mut printer = Printer { tokens: tokens.into_iter().rev().collect(), line: 1, depth: 0 };
    let mut text = String::new();
    while let Some((token, span)) = printer.tokens.last() {
        let span = *span;
        match token {
            Token::TemplateData(data) => {
                let data = quoted(data);
                printer.tokens.pop();
                text += &format!("{{{{{}{data}}}}}", printer.lines_to(span));
            }
            Token::BlockStart => {
                // The word of a statement is not a name.
                text += &printer.word();
                if matches!(printer.tokens.last(), Some((Token::Ident(_), _))) {
                    text += &printer.word();
                }
            }
            Token::BlockEnd | Token::VariableStart | Token::VariableEnd => text += &printer.word(),
            _ => text += &printer.expressions()?,
        }
    }
    Ok(text)
}

struct Printer<'t> {
    /// The next one is the last.
    tokens: Vec<(Token<'t>, Span)>,
    /// The line of the text that was printed last.
    line: u16,
    depth: usize,
}

impl Printer<'_> {
    fn next(&self) -> Option<&Token<'_>> {
        self.tokens.last().map(|(token, _)| token)
    }

    /// Line breaks up to the line of a token.
    fn lines_to(&mut self, span: Span) -> String {
        let lines = usize::from(span.start_line.saturating_sub(self.line));
        self.line = self.line.max(span.start_line);
        "\n".repeat(lines)
    }

    /// The next token as it is.
    fn word(&mut self) -> String {
        let Some((token, span)) = self.tokens.pop() else { return String::new() };
        let (lines, text) = (self.lines_to(span), written(&token));
        // Everything outside of the tags would be printed.
        match token {
            Token::BlockStart | Token::VariableStart => format!("{text}{lines} "),
            Token::BlockEnd | Token::VariableEnd => format!("{lines}{text}"),
            _ => format!("{lines}{text} "),
        }
    }

    /// Expressions with anything between them, up to a closing bracket or the end of the tag.
    fn expressions(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        // The start of an argument.
        let mut begins = true;
        while let Some(token) = self.next() {
            let ends = matches!(
                token,
                Token::BlockEnd
                    | Token::VariableEnd
                    | Token::ParenClose
                    | Token::BracketClose
                    | Token::BraceClose
                    | Token::TemplateData(_)
            );
            if ends {
                break;
            }
            if begins && matches!(token, Token::Mul | Token::Pow) {
                return Err(refused("the arguments of a call cannot be a list that is spread with `*`"));
            }
            let starts = matches!(
                token,
                Token::Str(_)
                    | Token::String(_)
                    | Token::Int(_)
                    | Token::Int128(_)
                    | Token::Float(_)
                    | Token::Minus
                    | Token::ParenOpen
                    | Token::BracketOpen
                    | Token::BraceOpen
            ) || matches!(token, Token::Ident(name) if !WORDS.contains(name));
            begins = matches!(token, Token::Comma);
            text += &if starts { self.sum()? } else { self.word() };
        }
        Ok(text)
    }

    fn sum(&mut self) -> Result<String, Error> {
        let mut left = self.concatenation()?;
        loop {
            left = match self.next() {
                Some(Token::Plus) => {
                    self.call(ADD, left, |token| matches!(token, Token::Plus), Self::concatenation)?
                }
                Some(Token::Minus) => left + &self.word() + &self.concatenation()?,
                _ => return Ok(left),
            };
        }
    }

    fn concatenation(&mut self) -> Result<String, Error> {
        let left = self.product()?;
        match self.next() {
            Some(Token::Tilde) => {
                self.call(CONCAT, left, |token| matches!(token, Token::Tilde), Self::product)
            }
            _ => Ok(left),
        }
    }

    fn product(&mut self) -> Result<String, Error> {
        let mut left = self.power()?;
        loop {
            left = match self.next() {
                Some(Token::Mul) => {
                    self.call(MULTIPLY, left, |token| matches!(token, Token::Mul), Self::power)?
                }
                Some(Token::Div | Token::FloorDiv | Token::Mod) => left + &self.word() + &self.power()?,
                _ => return Ok(left),
            };
        }
    }

    fn power(&mut self) -> Result<String, Error> {
        let mut left = self.signed()?;
        while matches!(self.next(), Some(Token::Pow)) {
            left = left + &self.word() + &self.signed()?;
        }
        Ok(left)
    }

    /// Operands with an operator between them, as the arguments of a function.
    fn call(
        &mut self,
        function: &str,
        first: String,
        is_operator: fn(&Token<'_>) -> bool,
        operand: fn(&mut Self) -> Result<String, Error>,
    ) -> Result<String, Error> {
        let mut text = format!("{function}({first}");
        while self.next().is_some_and(is_operator) {
            let Some((_, span)) = self.tokens.pop() else { break };
            text += &format!("{}, ", self.lines_to(span));
            text += &operand(self)?;
        }
        Ok(text + ") ")
    }

    fn signed(&mut self) -> Result<String, Error> {
        let mut text = String::new();
        while matches!(self.next(), Some(Token::Minus)) {
            text += &self.word();
        }
        Ok(text + &self.operand()?)
    }

    /// A value with its attributes, items, calls, filters and tests.
    fn operand(&mut self) -> Result<String, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(refused("its brackets are nested too deeply"));
        }
        let text = self.whole_operand();
        self.depth -= 1;
        text
    }

    fn whole_operand(&mut self) -> Result<String, Error> {
        let mut text = match self.next() {
            Some(Token::ParenOpen | Token::BracketOpen | Token::BraceOpen) => self.bracket()?,
            Some(Token::Str(_) | Token::String(_)) => {
                let mut text = String::new();
                while matches!(self.next(), Some(Token::Str(_) | Token::String(_))) {
                    text += &self.word();
                }
                text
            }
            Some(Token::Ident(_) | Token::Int(_) | Token::Int128(_) | Token::Float(_)) => self.word(),
            // A fault, which the engine reports.
            _ => return Ok(String::new()),
        };
        loop {
            match self.next() {
                Some(Token::Dot | Token::Pipe) => text = text + &self.word() + &self.word(),
                Some(Token::ParenOpen) => text += &self.bracket()?,
                Some(Token::BracketOpen) => text = self.item(text)?,
                Some(Token::Ident("is")) => {
                    text += &self.word();
                    if matches!(self.next(), Some(Token::Ident("not"))) {
                        text += &self.word();
                    }
                    text += &self.word();
                    let has_argument = match self.next() {
                        Some(Token::Ident(name)) => !WORDS.contains(name) && *name != "is",
                        Some(
                            Token::Str(_)
                            | Token::String(_)
                            | Token::Int(_)
                            | Token::Int128(_)
                            | Token::Float(_),
                        ) => true,
                        Some(Token::BracketOpen | Token::BraceOpen) => true,
                        _ => false,
                    };
                    if has_argument {
                        text += &self.operand()?;
                    }
                }
                _ => return Ok(text),
            }
        }
    }

    fn bracket(&mut self) -> Result<String, Error> {
        Ok(self.word() + &self.expressions()? + &self.word())
    }

    /// `of[key]`, or `of[start:stop:step]` as the call of a function.
    fn item(&mut self, of: String) -> Result<String, Error> {
        let open = self.word();
        let mut parts = vec![String::new()];
        loop {
            match self.next() {
                Some(Token::Colon) => {
                    self.tokens.pop();
                    parts.push(String::new());
                }
                Some(Token::BracketClose | Token::BlockEnd | Token::VariableEnd) | None => break,
                Some(_) => {
                    let text = match self.next() {
                        Some(Token::Comma | Token::Assign) => self.word(),
                        _ => self.part_of_slice()?,
                    };
                    if let Some(last) = parts.last_mut() {
                        last.push_str(&text);
                    }
                }
            }
        }
        let close = self.word();
        if let [only] = parts.as_slice() {
            return Ok(of + &open + only + &close);
        }
        let given = parts.iter().map(|part| if part.trim().is_empty() { "none" } else { part.as_str() });
        Ok(format!("{SLICE}({of}, {}) ", given.collect::<Vec<_>>().join(", ")))
    }

    /// Expressions and words up to a colon or the end of the brackets.
    fn part_of_slice(&mut self) -> Result<String, Error> {
        let is_word = match self.next() {
            Some(Token::Ident(name)) => WORDS.contains(name),
            Some(Token::ParenOpen | Token::BracketOpen | Token::BraceOpen | Token::Minus) => false,
            Some(Token::Str(_) | Token::String(_) | Token::Int(_) | Token::Int128(_) | Token::Float(_)) => {
                false
            }
            _ => true,
        };
        if is_word { Ok(self.word()) } else { self.sum() }
    }
}

fn refused(message: &'static str) -> Error {
    Error::new(ErrorKind::SyntaxError, message)
}

/// A token as the engine reads it.
fn written(token: &Token<'_>) -> String {
    match token {
        Token::TemplateData(data) => (*data).to_string(),
        Token::Ident(name) => (*name).to_string(),
        Token::Str(text) => quoted(text),
        Token::String(text) => quoted(text),
        Token::Int(number) => number.to_string(),
        Token::Int128(number) => number.to_string(),
        Token::Float(number) => format!("{number:?}"),
        Token::VariableStart => "{{".into(),
        Token::VariableEnd => "}}".into(),
        Token::BlockStart => "{%".into(),
        Token::BlockEnd => "%}".into(),
        // Shown as `+`.
        sign => sign.to_string().trim_matches('`').to_string(),
    }
}

/// A literal on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use minijinja::{Environment, Value, context};

    use super::super::{operators, room, syntax};
    use super::*;

    fn environment() -> Environment<'static> {
        let mut environment = Environment::new();
        environment.set_syntax(syntax());
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        operators::add_to(&mut environment);
        environment
    }

    fn values() -> Value {
        context! { x => [1, 2, 3, 4, 5], y => context! { b => context! { c => "d" }, n => 3 }, s => "text" }
    }

    /// What a template prints as it is, and counted.
    fn both(template: &str) -> [Result<String, (String, Option<usize>)>; 2] {
        let counted = counted(template, syntax()).unwrap_or_else(|error| panic!("{template}: {error}"));
        [template.to_string(), counted].map(|text| {
            let mut environment = environment();
            environment.add_template_owned("t", text).map_err(|error| (error.to_string(), error.line()))?;
            let template =
                environment.get_template("t").map_err(|error| (error.to_string(), error.line()))?;
            template.render(values()).map_err(|error| (error.kind().to_string(), error.line()))
        })
    }

    #[test]
    fn expressions_keep_their_meaning() {
        for expression in [
            "1 + 2 * 3 - 4",
            "1 - 2 + 3 - 4 * 2 * 5 // 3 % 7",
            "'a' ~ 1 ~ 'b' + 'c'",
            "(1 + 2) * (3 - 1) ** 2",
            "-2 + -y.n",
            "x[1:3]",
            "x[::2]",
            "x[:-1]",
            "x[y.n - 1:y.n + 1]",
            "s[1:][0]",
            "x[1 + 0]",
            "x[-1] ~ x[0]",
            "y.b.c ~ y['b'].c",
            "'a' if 1 + 1 == 2 else 'b' ~ 'c'",
            "'a' ~ ('b' if false else 'c' ~ 'd')",
            "([1] + [2, 3]) | length",
            "[1, 2] * 2",
            "not 1 + 1 == 3 and 'a' in 'abc' ~ 'd'",
            "1 not in x + [9]",
            "x | map('string') | join('-') ~ '!'",
            "x | batch(2, 0) | list",
            "x | slice(2) | list",
            "x | sum ~ x | first ~ x | last",
            "{'a': 1 + 1, 'b': [2 ~ 3]}.b[0]",
            "'%03d %s' | format(1 + 1, 'a' ~ 'b')",
            "2 * 'ab' ~ 'c' * 3",
            "'a' 'b' ~ 'c'",
            "1.5 + 2 + 1e3",
            "'it\\'s \\n \\\\ \\u00e9' ~ \"q\\\"\"",
            "s is string and 'b' ~ 'c' == 'bc'",
            "s is not none ~ 1",
            "3 is divisibleby 3 and 4 is not divisibleby(3 + 0)",
            "s | replace('t', 'a' ~ 'b') | indent(2) | upper",
            "18446744073709551616 + 1",
            "dict(a=1 + 1, b='x' ~ 'y').b",
            "range(1 + 2) | list",
            "x[0] + y.n * 2 ~ s[1]",
            "[{'a': 2}, {'a': 1}] | map(attribute='a') | join(',')",
            "[{'a': 2}, {'a': 1}] | sort(attribute='a') | map(attribute='a') | join(d=',')",
            "s | indent(width=2, first=true)",
            "'%(a)03d' | format(a=1 + 1)",
            "x | batch(2, fill_with=0) | list",
            "1 + undefined_name",
            "'a' ~ undefined_name",
            "'a' + 1",
            "[1] + 'a'",
        ] {
            let [plain, counted] = both(&format!("\n{{{{ {expression} }}}}"));
            let is_same = match (&plain, &counted) {
                (Ok(plain), Ok(counted)) => plain == counted,
                (Err((_, plain)), Err((_, counted))) => plain == counted,
                _ => false,
            };
            assert!(is_same, "{expression}: {plain:?} {counted:?}");
            let fails = ["undefined_name", "x[0] + y.n", "'a' + 1", "[1] + 'a'", "| list", "[1, 2] * 2"];
            let may_fail = fails.iter().any(|part| expression.contains(part)) || expression.ends_with("b[0]");
            assert!(counted.is_ok() || may_fail, "{expression}: {counted:?}");
        }
    }

    #[test]
    fn text_and_lines_stay() {
        let template = "a  \n{% for i in x %}\n  {{ i }}{% if not loop.last %},{% endif %}\n\n{% endfor %}\n{%- set z = 'x' ~ 1 -%}\n\
            \n  end {{- z }} \\n \"quoted\" 'too'\r\n{# a\ncomment #}\n{% raw %}{{ no }} ~ {% endraw %}\n  {% filter upper %}\nabc {{ s }}\n\
            {% endfilter %}{% macro m(a, b='c' ~ 'd') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(2, b='e' ~ 'f') }}\n\
            {% macro w() %}<{{ caller('q') }}>{% endmacro %}{% call(v) w() %}{{ v ~ 1 }}{% endcall %}\n\
            {% set ns = namespace(all=[]) %}{% for a, b in [(1, 2), (3, 4)] if a + b > 3 %}{% set ns.all = ns.all + [a ~ b] %}\n\
            {% else %}none{% endfor %}{{ ns.all | join }}{% set block %}  {{ 1 + 1 }}\n{% endset %}{{ block }}\n\
            {% with q = 1 + 1, r = 'a' ~ 'b' %}{{ q }}{{ r }}{% endwith %}\n\n";
        let [plain, counted] = both(template);
        assert_eq!(counted, plain);
        assert!(plain.is_ok_and(|text| text.contains("[1cd][2ef]")));
        for (line, template) in [
            (3, "a\nb\n{{ missing.name }}\n"),
            (4, "{% if s %}\na\n\n{{ 1 + s }}{% endif %}"),
            (2, "a\n{% else %}"),
        ] {
            let [plain, counted] = both(template).map(|printed| printed.map_err(|(_, line)| line));
            assert_eq!((&plain, &counted), (&Err(Some(line)), &Err(Some(line))), "{template}");
        }
    }

    #[test]
    fn what_is_not_counted_is_refused() {
        for template in [
            "{{ dict(*x) }}".to_string(),
            "{{ f(1, **y) }}".into(),
            format!("{{{{ {}1 }}}}", "(".repeat(100_000)),
            format!("{{{{ {}1 }}}}", "x[".repeat(100_000)),
            format!("{{{{ x {} }}}}", "is a x ".repeat(100_000)),
        ] {
            assert!(counted(&template, syntax()).is_err(), "{}", &template[..12]);
        }
        let _limit = room::Limit::for_printed(0);
        for expression in ["'a' * 300000000", "x | list * 100000000", "[s] | tojson", "x | pprint", "debug()"]
        {
            let counted = counted(&format!("{{{{ {expression} }}}}"), syntax()).expect("a template");
            let rendered = environment().render_str(&counted, values());
            assert!(rendered.is_err(), "{expression}: {rendered:?}");
        }
    }
}
