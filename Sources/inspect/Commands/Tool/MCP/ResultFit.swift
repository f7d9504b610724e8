import Traffic

/// Makes a result small enough for an agent to read: long texts are cut first, then long lists, and the result says so.
struct ResultFit: Sendable {
    /// The longest result, in bytes of JSON.
    let limitBytes: Int

    /// The limits of each step, from gentle to harsh: characters of a text, and elements of a list.
    private static let steps: [(text: Int, list: Int)] = [
        (.max, .max), (65_536, .max), (16_384, 1_000), (4_096, 200), (1_024, 100), (512, 50), (256, 20), (128, 8),
        (64, 3),
        (16, 1), (0, 0),
    ]

    /// The value itself where it is small enough, else a cut copy that is.
    func fitted(_ value: JSONValue) -> JSONValue {
        for step in ResultFit.steps {
            var cut = 0
            var fitted = ResultFit.cut(value, step, &cut)
            if cut > 0 {
                fitted.set(
                    "cutForLength",
                    .string("\(cut) texts or lists are cut; narrow the query, lower the limit, or ask for one exchange")
                )
            }
            if JSONWriter.bytes({ $0.value(nil, fitted) }).count <= limitBytes { return fitted }
        }
        return .object([("cutForLength", .string("the result is too long to be shown; narrow the query"))])
    }

    /// A sentence, or its beginning where it is longer than a result may be.
    func fitted(_ sentence: String) -> String {
        guard sentence.utf8.count > limitBytes else { return sentence }
        let kept = sentence[..<sentence.utf8.index(sentence.startIndex, offsetBy: limitBytes)]
        return "\(kept)… (\((sentence.utf8.count - kept.utf8.count).counted("byte")) more)"
    }

    private static func cut(_ value: JSONValue, _ step: (text: Int, list: Int), _ count: inout Int) -> JSONValue {
        switch value {
        case .string(let text):
            guard text.utf8.count > step.text else { return value }
            count += 1
            let kept = text.prefix(step.text)
            return .string("\(kept)… (\((text.utf8.count - kept.utf8.count).counted("byte")) more)")
        case .array(let elements):
            if elements.count > step.list { count += 1 }
            return .array(elements.prefix(step.list).map { cut($0, step, &count) })
        case .object(let members):
            return .object(members.map { ($0.name, cut($0.value, step, &count)) })
        default: return value
        }
    }
}
