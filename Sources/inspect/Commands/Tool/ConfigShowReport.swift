import Traffic

/// What `inspect config show` shows: the options of `start`, each with its value and what set it.
struct ConfigShowReport: Report {
    private struct Row {
        let option: ConfigurableOption
        let values: [String]
        let source: ConfiguredValue.Source
    }

    private let line: ConfiguredCommandLine
    private let rows: [Row]

    /// - Parameters:
    ///   - line: what was set.
    ///   - places: the defaults that depend on the user.
    init(_ line: ConfiguredCommandLine, places: [String: String]) {
        self.line = line
        rows = line.options.map { option in
            if let value = line.values.first(where: { $0.option.name == option.name }) {
                return Row(option: option, values: value.shown, source: value.source)
            }
            return Row(option: option, values: Self.standard(option, places), source: .standard)
        }
    }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        let cells = rows.map { row in
            (name: row.option.name, value: VisibleText.line(row.values.joined(separator: ", ")), source: row.source)
        }
        let nameWidth = (cells.map(\.name.count).max() ?? 0) + 2
        let valueWidth = min(40, cells.map(\.value.count).max() ?? 0) + 2
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(2, width - text.count))
        }
        let table = cells.map { cell in
            let value = cell.value.isEmpty ? "-" : cell.value
            let source = VisibleText.line(cell.source.description)
            let name = padded(cell.name, nameWidth)
            return style.paint(name, .bold) + padded(value, valueWidth)
                + (cell.source == .standard ? style.paint(source, .dim) : source)
        }
        let heading =
            line.file.map { file in
                "file  \(file.path)" + (line.profile.map { ", profile \($0)" } ?? "")
            } ?? "file  none"
        let notes = line.strangers.map { name in
            let guess = EditDistance.nearest(to: name, in: line.options.map(\.variable))
            return "note: \(name) sets nothing" + (guess.map { "; did you mean \($0)?" } ?? "")
        }
        return [VisibleText.line(heading), ""] + table + notes.map(VisibleText.line)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("file", line.file?.path)
            json.string("profile", line.profile)
            json.array("options") { json in for row in rows { json.object { Self.write(row, to: &$0) } } }
            json.array("unknownVariables") { json in for name in line.strangers { json.string(nil, name) } }
        }
    }

    private static func write(_ row: Row, to json: inout JSONWriter) {
        json.string("name", row.option.name)
        switch row.option.kind {
        case .flag: json.boolean("value", row.values == ["true"])
        case .list: json.array("value") { json in for value in row.values { json.string(nil, value) } }
        case .value: json.string("value", row.values.first)
        }
        json.string("variable", row.option.variable)
        switch row.source {
        case .flag: json.string("source", "flag")
        case .environment: json.string("source", "environment")
        case .standard: json.string("source", "default")
        case .file(let path, let line, let column):
            json.string("source", "file")
            json.string("file", path)
            json.integer("line", line)
            json.integer("column", column)
        }
    }

    private static func standard(_ option: ConfigurableOption, _ places: [String: String]) -> [String] {
        if let place = places[option.name] { return [place] }
        let declared = option.information.defaultValue
        if case .flag = option.kind { return [declared == "--\(option.name)" ? "true" : "false"] }
        return declared.map { [$0] } ?? []
    }
}
