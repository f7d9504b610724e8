/// The rules that the files of the page are held to.
extension HouseRules {
    /// A module, a style sheet or a document of the page stops where a file of Swift does.
    static func length(_ file: PageFile) -> [Violation] { length(of: file.lines, path: file.path) }

    /// Where a line of a module stops, in characters.
    static let widestLine = 150

    /// A line of a module stops at 150 characters; the formatter holds the lines of Swift, and none holds these.
    static func width(_ file: PageFile) -> [Violation] {
        guard file.isModule else { return [] }
        return (0..<file.lines.count).map { file.lines.line($0 + 1) }
            .filter { $0.text.utf8.count > widestLine && $0.text.unicodeScalars.count > widestLine }
            .map { line in
                let reason = "\(line.text.unicodeScalars.count) characters; a line stops at \(widestLine)"
                return Violation(path: file.path, line: line.number, reason: reason)
            }
    }

    /// The circles in which modules import each other, each as `a.js → b.js → a.js`.
    ///
    /// A module of a circle cannot be read, changed or loaded without the others, and finds what it imports from them unset while they load. A value
    /// or a function that is passed in breaks the circle.
    ///
    /// - Parameter files: all files of the page.
    /// - Returns: at least one circle where there are any, and none otherwise.
    static func importCircles(_ files: [PageFile]) -> [String] {
        let imports = Dictionary(files.map { ($0.name, $0.imports) }) { first, second in first + second }
        var seen: Set<String> = []
        var way: [String] = []
        var circles: [String] = []
        func follow(_ name: String) {
            if let start = way.firstIndex(of: name) {
                circles.append((way[start...] + [name]).joined(separator: " → "))
                return
            }
            guard seen.insert(name).inserted else { return }
            way.append(name)
            imports[name]?.forEach(follow)
            way.removeLast()
        }
        imports.keys.sorted().forEach(follow)
        return circles
    }
}
