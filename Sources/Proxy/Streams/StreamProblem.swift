/// What is wrong with a stream's bytes, as the end of a sentence for the record.
struct StreamProblem: Error, Equatable {
    let text: String
    init(_ text: String) { self.text = text }
}
