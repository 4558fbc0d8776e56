//! The Frohlich-Oppenheimer experiment on distributive justice behind a veil of ignorance.
