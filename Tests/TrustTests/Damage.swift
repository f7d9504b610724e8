import Testing

/// A way in which a good directory goes bad, and words the refusal must have.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let words: String
    let spoil: @Sendable (_ directory: String) async throws -> Void
}
