import Foundation

/// What the long tier is told by whoever runs it: `bash Tests/run --long --minutes=10 --parser=har-check`.
extension Fuzz {
    /// How long each parser is fuzzed for, below the limit of a test.
    package static let minutes = min(
        14,
        max(1, ProcessInfo.processInfo.environment["INSPECT_FUZZ_MINUTES"].flatMap { Int($0) } ?? 1)
    )

    /// The one parser of the name that was given, or all.
    package static func chosen(of parsers: [Fuzz]) -> [Fuzz] {
        guard let name = ProcessInfo.processInfo.environment["INSPECT_FUZZ_PARSER"] else { return parsers }
        return parsers.filter { $0.name == name }
    }
}
