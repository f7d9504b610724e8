import ArgumentParser
import Foundation
import Store
import Traffic

/// Whether an export has its secrets masked, and which.
struct RedactionOptions: ParsableArguments {
    @Flag(help: "Mask secrets, for a file that leaves this machine; --no-redact turns that off.")
    var share = false

    @Flag(
        help: ArgumentHelp(
            "Mask credentials, cookies, tokens, keys and passwords by placeholders; what was masked is reported on standard error.",
            discussion:
                "The same secret has the same placeholder within one export. A body that has secrets is written decoded."
        )
    )
    var redact = false

    @Flag(help: "Leave secrets as they are, whatever else is given.")
    var noRedact = false

    @Option(
        help: ArgumentHelp(
            "Mask what this regular expression matches too, or its first group; may be repeated.",
            valueName: "regex"
        )
    )
    var redactPattern: [String] = []

    mutating func validate() throws {
        if redact, noRedact {
            throw ValidationError("--redact and --no-redact exclude each other; give one of them")
        }
        if noRedact, !redactPattern.isEmpty {
            throw ValidationError("--redact-pattern masks and --no-redact does not; give one of them")
        }
        for pattern in redactPattern where (try? NSRegularExpression(pattern: pattern)) == nil || pattern.isEmpty {
            throw ValidationError("--redact-pattern \(pattern): expected a regular expression")
        }
    }

    /// What masks; `nil` where nothing is to be masked.
    func redactor() throws -> Redactor? {
        guard !noRedact, share || redact || !redactPattern.isEmpty else { return nil }
        return Redactor.fresh(patterns: try redactPattern.map { try NSRegularExpression(pattern: $0) })
    }

    /// What was masked, and what could not be searched, as one remark of several lines.
    static func remark(_ report: RedactionReport) -> String {
        report.lines.map(VisibleText.line).joined(separator: "\n")
    }
}
