import Foundation

/// The choice of a response's form, by the format asked for and the `Accept` field.
enum ContentNegotiation {
    /// A form a response can take.
    enum Form: Sendable {
        case json
        /// The browsable page.
        case page

        fileprivate var mediaType: String { self == .json ? "application/json" : "text/html" }
        fileprivate var format: String { self == .json ? "json" : "api" }
    }

    /// The result of negotiation.
    enum Outcome: Sendable, Equatable {
        case form(Form)
        /// No such format: the framework answers 404.
        case unknownFormat
        /// Nothing the client accepts: 406.
        case notAcceptable
    }

    /// Decides; a format narrows the forms, then the most specific acceptable type wins, JSON first among equals.
    static func outcome(format: String?, accept: String?) -> Outcome {
        let forms = [Form.json, .page].filter { format == nil || $0.format == format }
        guard !forms.isEmpty else { return .unknownFormat }
        let ranges = (accept ?? "*/*").split(separator: ",").map { MediaRange($0) }
            .sorted { $0.precision > $1.precision }
        for precision in [3, 2, 1, 0] {
            for form in forms {
                if ranges.contains(where: { $0.precision == precision && $0.covers(form.mediaType) }) {
                    return .form(form)
                }
            }
        }
        return .notAcceptable
    }

    /// One element of an `Accept` field, without its weight, which the framework ignores too.
    private struct MediaRange {
        private let main: Substring
        private let sub: Substring
        private let hasParameters: Bool

        init(_ text: Substring) {
            let parts = text.lowercased().split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let type = (parts.first ?? "").split(separator: "/", maxSplits: 1)
            main = type.first ?? "*"
            sub = type.count > 1 ? type[1] : ""
            hasParameters = parts.dropFirst().contains { !$0.hasPrefix("q=") }
        }

        var precision: Int {
            if main == "*" { return 0 }
            if sub == "*" { return 1 }
            return hasParameters ? 3 : 2
        }

        func covers(_ mediaType: String) -> Bool {
            main == "*" || (sub == "*" ? mediaType.hasPrefix("\(main)/") : mediaType == "\(main)/\(sub)")
        }
    }
}
