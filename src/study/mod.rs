//! Studies: one file gives all runs of an experiment, each with its configuration. Pure: the same file gives the same
//! plan on every platform. [`plan`] has the settings and the plan, [`path`] the paths by which factors change a configuration.

pub mod forecast;
mod path;
pub mod plan;
