/// What is wrong with one value, without the place where it stood: `expected a code such as 404`.
struct ValueProblem: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
}
