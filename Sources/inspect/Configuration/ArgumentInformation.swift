import Traffic

/// One argument, option or flag of a command, as its declaration says it.
struct ArgumentInformation {
    /// What it is on a command line.
    enum Kind: String {
        case positional, option, flag
    }

    /// What its value names, where the declaration says so.
    enum Completion {
        case file, directory
    }

    let kind: Kind
    /// Its long names without dashes, the preferred one first; none for an argument without a name.
    let longNames: [String]
    /// The argument's names of one letter.
    let shortNames: [String]
    let valueName: String
    let isRepeating: Bool
    let isOptional: Bool
    /// Whether all words up to the next option are its values.
    let takesSeveral: Bool
    /// Whether it is another program's command line: everything from the first word that is no option of ours.
    let takesRest: Bool
    let isShown: Bool
    let completion: Completion?
    let section: String
    let abstract: String
    let discussion: String
    /// The values it takes, where these are listed.
    let values: [String]
    private let declaredDefault: String?

    /// Reads an argument from what the parser says about it.
    init(_ json: JSONValue) {
        func names(_ kind: String) -> [String] {
            (json["names"]?.elements ?? []).filter { $0["kind"]?.string == kind }.compactMap { $0["name"]?.string }
        }
        kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) ?? .option
        longNames = names("long")
        shortNames = names("short")
        valueName = json["valueName"]?.string ?? ""
        isRepeating = json["isRepeating"]?.boolean ?? false
        isOptional = json["isOptional"]?.boolean ?? false
        takesSeveral = json["parsingStrategy"]?.string == "upToNextOption"
        takesRest = kind == .positional && json["parsingStrategy"]?.string == "allRemainingInput"
        isShown = json["shouldDisplay"]?.boolean ?? true
        let completionKind = json["completionKind"]
        completion =
            completionKind?["file"] != nil ? .file : completionKind?["directory"] != nil ? .directory : nil
        section = json["sectionTitle"]?.string ?? ""
        abstract = json["abstract"]?.string ?? ""
        discussion = json["discussion"]?.string ?? ""
        values = (json["allValues"]?.elements ?? []).compactMap(\.string)
        declaredDefault = json["defaultValue"]?.string
    }

    /// What holds where it is not given; `nil` where nothing does.
    ///
    /// Values of our own types say theirs in their discussion, behind `Default:`.
    var defaultValue: String? {
        if let declaredDefault { return declaredDefault }
        guard discussion.hasPrefix("Default: ") else { return nil }
        let text = discussion.dropFirst("Default: ".count)
        let end = text.firstRange(of: "; ") ?? text.firstRange(of: ". ")
        let first = text[..<(end?.lowerBound ?? text.endIndex)]
        return String(first.hasSuffix(".") ? first.dropLast() : first)
    }
}
