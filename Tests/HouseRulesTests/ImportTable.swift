/// What each target may import: the arrows of the design.
///
/// What stands here is all there is: an import that no row names fails, whether it is one of ours or a package's.
enum ImportTable {
    /// The modules that every target may use.
    private static let everywhere: Set<String> = ["Foundation", "Synchronization"]
    /// The modules of the C library, for the few calls that Foundation lacks.
    ///
    /// On Linux the compiler takes the first module that includes the C library's headers for the one that defines `stat` and `timespec`: SwiftNIO's
    /// CNIOLinux, or CoreFoundation.
    private static let platform: Set<String> = ["CNIOLinux", "CoreFoundation", "Darwin", "Glibc", "Musl"]

    /// The modules by target; a folder under `Sources` without a row fails too.
    static let allowed: [String: Set<String>] = [
        "Traffic": everywhere.union(["NIOCore", "CZlib", "CBrotli", "CZstd"]),
        "Archive": everywhere.union(["Traffic", "NIOCore"]),
        "Trust": everywhere.union(platform).union(["Traffic", "X509", "Crypto", "SwiftASN1"]),
        "Proxy": everywhere.union(platform).union([
            "Traffic", "Trust", "NIOCore", "NIOPosix", "NIOTLS", "NIOConcurrencyHelpers", "NIOSSL", "NIOHTTP2",
            "NIOHPACK", "Atomics", "Crypto", "DequeModule", "Logging", "ServiceLifecycle",
        ]),
        "Store": everywhere.union([
            "Traffic", "Archive", "GRDB", "GRDBSQLite", "NIOCore", "Crypto", "Dispatch",
        ]),
        "Lenses": everywhere.union(["Traffic"]),
        "LensList": ["Foundation", "PackagePlugin"],
        "EmbeddedText": ["Foundation", "PackagePlugin"],
        "Web": everywhere.union([
            "Traffic", "Archive", "Store", "Lenses", "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore",
            "NIOHTTP1", "NIOHTTPTypes", "Logging", "ServiceLifecycle", "Yams",
        ]),
        "FacilityAPI": everywhere.union([
            "Hummingbird", "HummingbirdTLS", "NIOCore", "NIOPosix", "NIOSSL", "X509", "SwiftASN1", "Crypto", "Logging",
            "ServiceLifecycle",
        ]),
        "inspect": everywhere.union(platform).union([
            "Traffic", "Archive", "Trust", "Proxy", "Store", "Lenses", "Web", "FacilityAPI", "ArgumentParser",
            "AsyncHTTPClient", "CMalloc", "CYaml", "Crypto", "Logging", "NIOCore", "NIOPosix", "NIOSSL", "NIOHTTP1",
            "FoundationXML", "ServiceLifecycle", "UnixSignals", "Yams",
        ]),
        "Benchmarks": everywhere.union([
            "Traffic", "Trust", "Proxy", "Store", "Lenses", "ArgumentParser", "NIOCore", "NIOPosix", "Crypto",
            "CZlib", "GRDB",
        ]),
    ]

    /// The imports of a file that its target's row does not name.
    static func violations(in file: SourceFile) -> [Violation] {
        guard let target = file.target else { return [] }
        guard let allowed = allowed[target] else {
            return [Violation(path: file.path, line: 1, reason: "target \(target) has no row in the import table")]
        }
        return modules(importedBy: file).compactMap { module, line in
            allowed.contains(module)
                ? nil : Violation(path: file.path, line: line, reason: "\(target) may not import \(module)")
        }
    }

    /// The modules that rows name and no file of their targets imports, as `target module`, in order.
    ///
    /// The modules that every target may use are left out, and those of the C library, which are one or another by platform.
    static func idle(in files: [SourceFile]) -> [String] {
        let imported = Dictionary(grouping: files) { $0.target ?? "" }
            .mapValues { Set($0.flatMap { modules(importedBy: $0).map(\.module) }) }
        return allowed.flatMap { target, modules in
            modules.subtracting(everywhere).subtracting(platform).subtracting(imported[target] ?? [])
                .map { "\(target) \($0)" }
        }
        .sorted()
    }

    /// The modules that a file imports, with the line of each; `import struct Foundation.URL` imports Foundation.
    static func modules(importedBy file: SourceFile) -> [(module: String, line: Int)] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
        return file.code.containing(["import"]).flatMap { line -> [(module: String, line: Int)] in
            line.text.split(separator: ";").compactMap { statement -> (module: String, line: Int)? in
                let words = statement.split(whereSeparator: \.isWhitespace)
                guard let position = words.firstIndex(of: "import"), words[..<position].allSatisfy(isModifier) else {
                    return nil
                }
                let path = words[(position + 1)...].first { !kinds.contains($0) }
                guard let module = path?.split(separator: ".").first else { return nil }
                return (module: String(module), line: line.number)
            }
        }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }
}
