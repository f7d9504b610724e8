import Testing

@testable import WebTests

/// What is long by nature: full sizes, more screens, fuzzing by time. CI builds it; the README's second test command runs it.
@Suite(.serialized, .timeLimit(.minutes(15))) enum LongTests {}
