package import Traffic

extension OpenAPILearner {
    /// Says how much a document holds and what was left out of it, a sentence each.
    ///
    /// - Parameter document: the document that was learnt.
    /// - Returns: the sentences, without full stops.
    package func notes(on document: JSONValue) -> [String] {
        let measure = OpenAPILearner.measure(document)
        var notes = [
            "\(measure.paths.counted("path")) and \(measure.operations.counted("operation")) from \(count.counted("exchange"))"
        ]
        if leftOutCount > 0 {
            notes.append(
                "\(leftOutCount.counted("exchange")) left out: tunnels, WebSockets, unreadable requests, other methods"
            )
        }
        if isFull { notes.append("there was more to learn than is kept: parts of the document are left open") }
        return notes
    }

    /// How many paths and operations a document has.
    private static func measure(_ document: JSONValue) -> (paths: Int, operations: Int) {
        guard case .object(let paths)? = document["paths"] else { return (0, 0) }
        let operations = paths.reduce(0) { count, path in
            guard case .object(let item) = path.value else { return count }
            return count + item.count
        }
        return (paths.count, operations)
    }
}
