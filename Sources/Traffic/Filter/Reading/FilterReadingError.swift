/// What is wrong with a query text, and at which column, before the text is joined to it.
struct FilterReadingError: Error {
    let sentence: String
    let column: Int
    init(_ sentence: String, column: Int) { (self.sentence, self.column) = (sentence, column) }
}
