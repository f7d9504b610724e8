extension HouseRules {
    /// What the top of the checkout may hold besides dotfiles.
    private static let topLevel: Set<String> = ["Package.swift", "Sources", "Tests", "certs", "README.md", "LICENSE"]

    /// The paths whose first part does not belong at the top of the checkout.
    static func strayPaths(_ paths: [String]) -> [String] {
        paths.filter { path in
            let first = path.split(separator: "/").first.map(String.init) ?? path
            return !topLevel.contains(first) && !first.hasPrefix(".")
        }
    }

    /// How many files lie side by side at most.
    static let fullestRoom = 20

    /// The folders in which more files lie side by side than somebody looks through.
    static func crowdedRooms(_ paths: [String]) -> [Violation] {
        let rooms = Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().joined(separator: "/") }
        return rooms.filter { $0.value.count > fullestRoom }.sorted { $0.key < $1.key }.map { room, files in
            Violation(path: room, line: 1, reason: "\(files.count) files; a folder holds \(fullestRoom) at most")
        }
    }

    /// The names that several paths end in; a browser asks for a file of the page by its name alone.
    static func sharedNames(_ paths: [String]) -> [String] {
        let names = Dictionary(grouping: paths) { $0.split(separator: "/").last.map(String.init) ?? $0 }
        return names.filter { $0.value.count > 1 }.keys.sorted()
    }

    /// No text names a folder of the machine it was written on.
    static func machinePaths(path: String, text: String) -> [Violation] {
        // Put together here, so that this file does not break its own rule.
        let folders = ["work", "root", "farm"].map { "/" + $0 + "/" } + ["." + "library", "/tmp/" + "h/"]
        let lines = TextLines(Array(text.utf8))
        return folders.flatMap { folder in
            lines.containing([folder]).compactMap { line in
                guard let place = line.text.firstRange(of: folder) else { return nil }
                let before = line.text[..<place.lowerBound].last
                let isPartOfLonger = before.map { $0.isLetter || $0.isNumber || "_.-)".contains($0) } ?? false
                if isPartOfLonger { return nil }
                return Violation(path: path, line: line.number, reason: "`\(folder)` is a folder of one machine")
            }
        }
    }

    /// The commands that the sources declare: the names given in their configurations.
    static func commands(in files: [SourceFile]) -> [String] {
        files.filter { !$0.lines.containing(["commandName:"]).isEmpty }.flatMap { file in
            file.text.matches(of: /commandName:\s*"([^"]+)"/).map { String($0.output.1) }
        }
    }

    /// The facets and other keys of the query text that the sources declare.
    static func facets(in files: [SourceFile]) -> [String] {
        files.filter { !$0.lines.containing(["Facet(", "FilterKey("]).isEmpty }.flatMap { file in
            file.text.matches(of: /\bFacet\(\s*name:\s*"([^"]+)"/).map { String($0.output.1) }
                + file.text.matches(of: /\bFilterKey\(\s*[".]([a-z]+)/).map { String($0.output.1) }
        }
    }

    /// The names of the lenses that the sources declare.
    static func lenses(in files: [SourceFile]) -> [String] {
        files.filter { !$0.lines.containing([": Lens {"]).isEmpty }.flatMap { file in
            file.text.matches(of: /\blet name\s*=\s*"([^"]+)"/).map { String($0.output.1) }
        }
    }

    /// The words that a text does not have as code: as a word of their own between backticks.
    static func unnamed(_ words: [String], in text: String) -> [String] {
        let named = Set(
            text.matches(of: /`([^`\n]+)`/).flatMap { $0.output.1.split(separator: " ").map(String.init) }
        )
        return words.filter { !named.contains($0) }
    }
}
