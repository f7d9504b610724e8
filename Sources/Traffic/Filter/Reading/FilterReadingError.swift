/// What is wrong with a query text, and at which column; `FilterError` adds the text.
struct FilterReadingError: Error {
    let sentence: String
    let column: Int
    init(_ sentence: String, column: Int) { (self.sentence, self.column) = (sentence, column) }
}
