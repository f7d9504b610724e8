/// What `Package.swift` says of the package's targets.
enum Manifest {
    /// The modules that no target declares: those of Swift and of the system, and two that come with Yams and SwiftNIO and are no products of theirs.
    private static let undeclared: Set<String> = [
        "CNIOLinux", "CYaml", "CoreFoundation", "Darwin", "Dispatch", "Foundation", "FoundationXML", "Glibc", "Musl",
        "PackagePlugin", "RegexBuilder", "Synchronization", "Testing",
    ]

    /// The modules that each target declares, by the target's name; a target without any is left out.
    static func declared(in text: String) -> [String: Set<String>] {
        let targets = text.matches(of: /arget\(\s*name: "(\w+)",\s*dependencies: \[([^\[\]]*)\]/)
        let modules = targets.map { target in
            let list = target.output.2.replacing(/, package: [^)]*/, with: "")
            return (String(target.output.1), Set(list.matches(of: /"(\w+)"/).map { String($0.output.1) }))
        }
        return Dictionary(modules) { $0.union($1) }
    }

    /// Where what a target declares is not what its files import: a sentence for each such module, in order.
    static func differences(between text: String, and files: [SourceFile]) -> [String] {
        let declared = declared(in: text)
        let imported = Dictionary(grouping: files) { folder($0.path) }
            .mapValues { Set($0.flatMap { ImportTable.modules(importedBy: $0).map(\.module) }).subtracting(undeclared) }
        return Set(declared.keys).union(imported.keys).flatMap { target in
            let (has, needs) = (declared[target] ?? [], imported[target] ?? [])
            return needs.subtracting(has).map { "\(target) imports \($0) and does not declare it" }
                + has.subtracting(needs).map { "\(target) declares \($0) and does not import it" }
        }
        .sorted()
    }

    /// The folder of a file's target: the second of its path.
    private static func folder(_ path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.count > 2 ? String(parts[1]) : ""
    }
}
