/// How far apart two words are: the letters to add, drop or change to make one of the other (Levenshtein).
enum EditDistance {
    /// The distance; both words are short, so the whole table is walked.
    static func between(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
