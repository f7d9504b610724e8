/// How far apart two words are: the letters to add, drop, change or swap to make one of the other (Damerau, Levenshtein).
package enum EditDistance {
    /// Letters of each word that are looked at, so that a long one costs no more.
    private static let limit = 64

    /// The distance of two words.
    package static func between(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left.prefix(limit)), Array(right.prefix(limit)))
        var older: [Int] = []
        var above = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var least = min(above[j + 1] + 1, row[j] + 1, above[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    least = min(least, older[j - 1] + 1)
                }
                row.append(least)
            }
            (older, above) = (above, row)
        }
        return above[right.count]
    }

    /// The word that was probably meant; `nil` when none is near, and for a word of over 64 letters or 256 bytes, of which only the beginning would
    /// be looked at.
    package static func nearest(to word: String, in words: some Sequence<String>) -> String? {
        // One letter may have any number of bytes.
        guard word.utf8.count <= 4 * limit else { return nil }
        // Most words are short, and a letter has at least one byte.
        let count = word.utf8.count <= limit ? word.count : word.prefix(limit + 1).count
        guard count <= limit else { return nil }
        let nearest = words.map { (name: $0, distance: between(word, $0)) }.min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= max(1, count / 3) ? $0.name : nil }
    }
}
