import Yams

extension YAMLNode {
    /// Where a text is no YAML, line and column from 1, and what is wrong with it.
    static func problem(_ error: YamlError) -> (line: Int, column: Int, sentence: String) {
        let (mark, sentence): (Mark?, String) =
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                (mark, "this is no YAML: \(problem)")
            case .duplicatedKeysInMapping(let names, let context):
                (context.mark, "\(names.sorted().joined(separator: ", ")) stands twice")
            default: (nil, "this is no YAML: \(sentence(error))")
            }
        return (mark?.line ?? 1, mark?.column ?? 1, sentence)
    }
}
