/// One step that brings the tables of a store from one version to the next.
struct Migration: Sendable {
    /// The version that the tables have after it.
    let version: Int32
    /// The statements that make it, as they were first written.
    ///
    /// They are never changed: the later steps were written for exactly what they make.
    let sql: String
}
