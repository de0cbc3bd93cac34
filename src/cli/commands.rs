//! The commands. Each has a file with its arguments, its help and its function `run`, and a line in a list.

pub mod audit;
pub mod build;
pub mod check;
pub mod config;
pub mod ddl;
pub mod diff;
pub mod drift;
pub mod explain;
pub mod generate;
pub mod grow;
pub mod init;
pub mod key;
pub mod load;
pub mod plan;
pub mod pushdown;
pub mod report;
pub mod rewrite;
pub mod rule;
pub mod scan;
pub mod simulate;
pub mod splits;
pub mod verify;

/// Declares an enum of commands from their modules and arguments, and a function `run` that calls the one that
/// was given. The help lists the commands in this order.
macro_rules! commands {
    (
        $(#[$of_list:meta])*
        $list:ident { $($(#[$of_command:meta])* $command:ident($module:ident::$args:ident),)* }
    ) => {
        #[derive(Debug, clap::Subcommand)]
        $(#[$of_list])*
        pub enum $list {
            $($(#[$of_command])* $command(Box<$module::$args>),)*
        }

        pub fn run(
            command: &$list,
            reporter: &$crate::cli::reporter::Reporter,
        ) -> Result<$crate::cli::failure::Outcome, $crate::cli::failure::Failure> {
            match command {
                $($list::$command(args) => $module::run(args, reporter),)*
            }
        }
    };
}
use commands;

commands! {
    Command {
        Plan(plan::PlanArgs),
        Explain(explain::ExplainArgs),
        Scan(scan::ScanArgs),
        Check(check::CheckArgs),
        Ddl(ddl::DdlArgs),
        Load(load::LoadArgs),
        Verify(verify::VerifyArgs),
        Splits(splits::SplitsArgs),
        Rewrite(rewrite::RewriteArgs),
        Pushdown(pushdown::PushdownArgs),
        Build(build::BuildArgs),
        Config(config::ConfigArgs),
        Audit(audit::AuditArgs),
        Rule(rule::RuleArgs),
        Simulate(simulate::SimulateArgs),
        Grow(grow::GrowArgs),
        Report(report::ReportArgs),
        Diff(diff::DiffArgs),
        Drift(drift::DriftArgs),
        Init(init::InitArgs),
        #[command(subcommand)]
        Key(key::KeyCommand),
        #[command(subcommand)]
        Generate(generate::GenerateCommand),
    }
}
