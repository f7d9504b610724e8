import Testing

/// What is long by nature: full sizes, more screens, fuzzing by time.
///
/// CI builds it; `bash Tests/run --long` runs it.
@Suite(.serialized, .timeLimit(.minutes(15))) enum LongTests {}
