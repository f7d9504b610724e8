/// What was masked in an export, by place and kind, for the person who hands it on.
package struct RedactionReport: Hashable, Sendable {
    /// The most places that are counted one by one; later places are counted together.
    private static let placeLimit = 200

    /// How often something was masked, by place, such as `header authorization` or `json password`.
    package private(set) var places: [String: Int] = [:]
    /// How many values were masked.
    package private(set) var total = 0
    /// Bodies and messages of which a part was left out, because it could not be searched.
    package private(set) var cutBodies = 0
    /// Bodies that a note stands for, because their content coding could not be undone.
    package private(set) var withheldBodies = 0
    /// Bodies that are no text, and were not searched as text.
    package private(set) var unsearchedBodies = 0
    /// Messages of streams that are no text, and were not searched as text; control frames do not count.
    package private(set) var unsearchedMessages = 0
    /// Whether there were more secrets, or longer ones, than can be recognised where no name tells of them.
    package internal(set) var forgetsSecrets = false

    package init() {}

    mutating func count(_ place: String) {
        total += 1
        let isNew = places[place] == nil
        places[isNew && places.count >= RedactionReport.placeLimit ? "other places" : place, default: 0] += 1
    }

    mutating func countCutBody() { cutBodies += 1 }

    mutating func countWithheldBody() { withheldBodies += 1 }

    mutating func countUnsearchedBody() { unsearchedBodies += 1 }

    mutating func countUnsearchedMessage() { unsearchedMessages += 1 }

    private var sorted: [(key: String, value: Int)] { places.sorted { ($1.value, $0.key) < ($0.value, $1.key) } }

    /// Writes the report's members into an open object, the most frequent place first.
    package func write(to json: inout JSONWriter) {
        json.integer("total", total)
        json.array("places") { json in
            for (place, count) in sorted {
                json.object { json in
                    json.string("place", place)
                    json.integer("count", count)
                }
            }
        }
        json.integer("cutBodies", cutBodies)
        json.integer("withheldBodies", withheldBodies)
        json.integer("unsearchedBodies", unsearchedBodies)
        json.integer("unsearchedMessages", unsearchedMessages)
        json.boolean("forgetsSecrets", forgetsSecrets)
    }

    /// The report in lines, the most frequent place first.
    package var lines: [String] {
        var lines = [total == 0 ? "nothing was masked" : "masked \(total.counted("value")):"]
        lines += sorted.map { "  \($0.value) × \($0.key)" }
        if cutBodies > 0 {
            let which = cutBodies.counted("body ends", "bodies end")
            lines.append("\(which) early: what could not be decoded, and so not searched, was left out")
        }
        if withheldBodies > 0 {
            let which = withheldBodies.counted("body was", "bodies were")
            lines.append("\(which) withheld: the content coding cannot be undone, so nothing could be searched")
        }
        if unsearchedBodies > 0 {
            let which = unsearchedBodies.counted("body is", "bodies are")
            lines.append("\(which) no text (pictures, archives, binary messages), and not searched as texts are")
        }
        if unsearchedMessages > 0 {
            let which = unsearchedMessages.counted("message is", "messages are")
            lines.append("\(which) no text, and not searched as texts are")
        }
        if forgetsSecrets {
            lines.append(
                "there were too many secrets to keep all in mind, or too long ones: some were masked only where their names or looks told them"
            )
        }
        return lines
    }
}
