import CYaml
import Yams

extension YAMLNode {
    /// Lines that begin with `%`, at most: the parser compares each directive with all before it.
    private static let directiveLimit = 100
    /// Lists and objects within each other, at most: the parser looks through all that are open at each word.
    private static let depthLimit = 250

    /// The document that a text is; `nil` for an empty one.
    ///
    /// A key that is an alias, a list or an object is refused before Yams reads it. Yams compares every key with all that stands behind its aliases,
    /// and ten lines of aliases of aliases make that longer than anybody waits. No option and no member of an OpenAPI document has such a key.
    ///
    /// - Throws: `YamlError`.
    static func compose(_ text: String) throws -> Node? {
        let problem = hasManyDirectives(text) ? "it has more than \(directiveLimit) directives" : structureProblem(text)
        if let problem { throw YamlError.reader(problem: problem, offset: nil, value: 0, yaml: text) }
        return try Yams.compose(yaml: text)
    }

    /// Whether more lines begin with `%` than a document has directives; a line ends wherever YAML 1.1 ends one (§5.4).
    private static func hasManyDirectives(_ text: String) -> Bool {
        var count = 0
        var isStart = true
        for character in text.unicodeScalars {
            if isStart, character == "%" { count += 1 }
            isStart = "\r\n\u{85}\u{2028}\u{2029}".unicodeScalars.contains(character)
        }
        return count > directiveLimit
    }

    /// What is wrong at the first key that is no scalar, or at the first value that lies too deep.
    ///
    /// Asks the parser inside Yams for its events: what is a key depends on too much to be read from the text.
    ///
    /// - Returns: `nil` where neither is found before the text ends or stops being YAML, which Yams says.
    private static func structureProblem(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return nil }
            // It keeps its own address.
            let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
            defer { parser.deallocate() }
            guard yaml_parser_initialize(parser) == 1 else { return nil }
            defer { yaml_parser_delete(parser) }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, start, bytes.count)
            return structureProblem(parser)
        }
    }

    private static func structureProblem(_ parser: UnsafeMutablePointer<yaml_parser_t>) -> String? {
        // Whether the next node is a key, for each collection that is open; `nil` in a list.
        var isKeyNext: [Bool?] = []
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            let line = Int(event.start_mark.line) + 1
            switch event.type {
            case YAML_STREAM_END_EVENT: return nil
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: isKeyNext.removeLast()
            case YAML_SCALAR_EVENT, YAML_ALIAS_EVENT, YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT:
                if let last = isKeyNext.indices.last, let isKey = isKeyNext[last] {
                    if isKey, event.type != YAML_SCALAR_EVENT {
                        return "a key is no text but an alias, a list or an object, at line \(line)"
                    }
                    isKeyNext[last] = !isKey
                }
                if event.type == YAML_SEQUENCE_START_EVENT { isKeyNext.append(nil) }
                if event.type == YAML_MAPPING_START_EVENT { isKeyNext.append(true) }
                if isKeyNext.count > depthLimit {
                    return "lists or objects lie deeper than \(depthLimit) at line \(line)"
                }
            default: break
            }
        }
    }
}
