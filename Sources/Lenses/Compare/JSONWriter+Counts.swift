import Traffic

extension JSONWriter {
    /// Writes counts as an object, in the order of their names.
    mutating func counts(_ name: String, _ counts: [String: Int]) {
        object(name) { json in
            for (what, count) in counts.sorted(by: { $0.key < $1.key }) { json.integer(what, count) }
        }
    }
}
