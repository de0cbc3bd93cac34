//! Reads the blocks of a rule.

/// What a rule says of a door.
#[derive(Debug, Default)]
pub struct Block {
    /// The number of its first line in the file.
    pub line: usize,
    /// A command such as `key decode`, a kind of job such as `job plan`, or a function such as `python plan`.
    pub door: String,
    /// Why the rule does not concern the door.
    pub reason: Option<String>,
    /// The lines before the first command.
    pub file: String,
    pub steps: Vec<Step>,
}

/// A command line and what it must do.
#[derive(Debug)]
pub struct Step {
    pub command: String,
    pub code: i32,
    /// A part of what is printed.
    pub says: String,
}

pub fn read(text: &str) -> Result<Vec<Block>, String> {
    let mut blocks: Vec<Block> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fault = |reason: &str| Err(format!("line {}: {reason}: {line}", index + 1));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let Some((door, reason)) = rest.split_once(']') else { return fault("no `]`") };
            let reason = Some(reason.trim()).filter(|reason| !reason.is_empty()).map(str::to_string);
            blocks.push(Block { line: index + 1, door: door.into(), reason, ..Block::default() });
            continue;
        }
        let Some(block) = blocks.last_mut() else { return fault("before the first block") };
        if let Some(command) = line.strip_prefix("$ ") {
            block.steps.push(Step { command: command.into(), code: 0, says: String::new() });
        } else if let Some(step) = block.steps.last_mut() {
            let Some((code, says)) = line.split_once(':') else {
                return fault("not of the form `1: what is printed`");
            };
            let (Ok(code), says) = (code.parse(), says.trim()) else { return fault("no exit code") };
            if says.is_empty() {
                return fault("nothing is expected of the message");
            }
            (step.code, step.says) = (code, says.into());
        } else {
            block.file.push_str(line);
            block.file.push('\n');
        }
    }
    // A block without a step would hold whatever the program does; those of Python have their own form.
    match blocks.iter().find(|block| block.steps.is_empty() && !block.door.starts_with("python ")) {
        Some(block) => Err(format!("line {}: [{}] runs no command", block.line, block.door)),
        None => Ok(blocks.iter().flat_map(for_each_door).collect()),
    }
}

/// A block for each of the doors that its first line names; `DOOR` in a command is the door.
fn for_each_door(block: &Block) -> Vec<Block> {
    let of_door = |door: &str| Block {
        line: block.line,
        door: door.into(),
        reason: block.reason.clone(),
        file: block.file.clone(),
        steps: block.steps.iter().map(|step| step.of_door(door)).collect(),
    };
    block.door.split(", ").map(of_door).collect()
}

impl Step {
    fn of_door(&self, door: &str) -> Step {
        Step { command: self.command.replace("DOOR", door), code: self.code, says: self.says.clone() }
    }
}
