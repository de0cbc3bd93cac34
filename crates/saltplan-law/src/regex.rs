//! Finds matches of Java regular expressions: groups, alternatives, classes, repetition, anchors.

#[derive(Debug)]
enum RegexNode {
    Char(char),
    /// For a dot: whether it matches line terminators, too.
    Any(bool),
    Class {
        members: Vec<(char, char)>,
        negated: bool,
    },
    Group(Vec<Vec<Counted>>),
    Start,
    /// `$`, which also matches before a final line terminator.
    End,
    /// `\z`
    VeryEnd,
}

#[derive(Debug)]
struct Counted {
    node: RegexNode,
    least: usize,
    most: usize,
}

/// Whether the pattern matches anywhere in the text.
pub fn finds(text: &str, regex: &str) -> bool {
    let (regex, dot_takes_all) = match regex.strip_prefix("(?s)") {
        Some(rest) => (rest, true),
        None => (regex, false),
    };
    let mut reader = RegexReader { chars: regex.chars().collect(), at: 0, dot_takes_all };
    let alternatives = reader.alternatives();
    assert_eq!(reader.at, reader.chars.len(), "{regex}");
    let text: Vec<char> = text.chars().collect();
    (0..=text.len()).any(|from| alternatives.iter().any(|one| sequence(one, &text, from, &mut |_| true)))
}

struct RegexReader {
    chars: Vec<char>,
    at: usize,
    dot_takes_all: bool,
}

impl RegexReader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> char {
        self.at += 1;
        self.chars[self.at - 1]
    }

    fn alternatives(&mut self) -> Vec<Vec<Counted>> {
        let mut all = vec![self.sequence()];
        while self.peek() == Some('|') {
            self.at += 1;
            all.push(self.sequence());
        }
        all
    }

    fn sequence(&mut self) -> Vec<Counted> {
        let mut nodes = Vec::new();
        while let Some(c) = self.peek().filter(|c| !['|', ')'].contains(c)) {
            self.at += 1;
            let node = match c {
                '(' => {
                    let inner = self.alternatives();
                    assert_eq!(self.next(), ')');
                    RegexNode::Group(inner)
                }
                '[' => self.class(),
                '.' => RegexNode::Any(self.dot_takes_all),
                '^' => RegexNode::Start,
                '$' => RegexNode::End,
                '\\' => match self.next() {
                    'A' => RegexNode::Start,
                    'z' => RegexNode::VeryEnd,
                    literal => {
                        assert!(!literal.is_alphanumeric(), "{:?}", self.chars);
                        RegexNode::Char(literal)
                    }
                },
                c => RegexNode::Char(c),
            };
            let (least, most) = match self.peek() {
                Some('*') => (0, usize::MAX),
                Some('+') => (1, usize::MAX),
                Some('?') => (0, 1),
                _ => (1, 1),
            };
            self.at += usize::from((least, most) != (1, 1));
            nodes.push(Counted { node, least, most });
        }
        nodes
    }

    fn class(&mut self) -> RegexNode {
        let negated = self.peek() == Some('^');
        self.at += usize::from(negated);
        let mut members = Vec::new();
        loop {
            match self.next() {
                ']' => return RegexNode::Class { members, negated },
                first if self.peek() == Some('-') => {
                    self.at += 1;
                    members.push((first, self.next()));
                }
                one => members.push((one, one)),
            }
        }
    }
}

/// Whether a sequence can be matched from a position on such that the continuation accepts the end.
fn sequence(nodes: &[Counted], text: &[char], at: usize, rest: &mut dyn FnMut(usize) -> bool) -> bool {
    let Some((first, others)) = nodes.split_first() else { return rest(at) };
    times(first, 0, text, at, &mut |end| sequence(others, text, end, rest))
}

fn times(
    counted: &Counted,
    done: usize,
    text: &[char],
    at: usize,
    rest: &mut dyn FnMut(usize) -> bool,
) -> bool {
    if done < counted.most {
        let more = once(&counted.node, text, at, &mut |end| {
            (end > at || done < counted.least) && times(counted, done + 1, text, end, rest)
        });
        if more {
            return true;
        }
    }
    done >= counted.least && rest(at)
}

fn once(node: &RegexNode, text: &[char], at: usize, rest: &mut dyn FnMut(usize) -> bool) -> bool {
    let is_line_end = |c: char| ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'].contains(&c);
    let next = text.get(at).copied();
    let takes = match node {
        RegexNode::Char(c) => next == Some(*c),
        RegexNode::Any(takes_all) => next.is_some_and(|c| *takes_all || !is_line_end(c)),
        RegexNode::Class { members, negated } => next
            .is_some_and(|c| members.iter().any(|(first, last)| (*first..=*last).contains(&c)) != *negated),
        RegexNode::Group(alternatives) => {
            return alternatives.iter().any(|one| sequence(one, text, at, rest));
        }
        RegexNode::Start => return at == 0 && rest(at),
        RegexNode::End => {
            let left = &text[at..];
            let is_end = match left {
                [] | ['\r', '\n'] => true,
                [last] => is_line_end(*last),
                _ => false,
            };
            return is_end && rest(at);
        }
        RegexNode::VeryEnd => return at == text.len() && rest(at),
    };
    takes && rest(at + 1)
}
