/// What goes wrong, and how often: `500:0.05,429:0.1,slow:2s,html404,truncate,nullspecial`.
package struct FaultPlan: Sendable, Equatable {
    /// An answer that replaces the honest one.
    package enum StatusFault: Int, Sendable, CaseIterable {
        case serverError = 500
        case throttled = 429
        case unavailable = 503
    }

    /// A status and how likely a request gets it, 0 to 1.
    package struct Chance: Sendable, Equatable {
        package let fault: StatusFault
        package let probability: Double
    }

    /// Status faults in the order they are drawn; the first that hits wins.
    package private(set) var chances: [Chance] = []
    /// How long every answer waits.
    package private(set) var delay: Duration = .zero
    /// Every 404 is an HTML page, whatever the API promises.
    package private(set) var answersNotFoundAsHTML = false
    /// Every body breaks off half way, its full length promised.
    package private(set) var truncatesBodies = false
    /// Special schedules lose their dates.
    package private(set) var servesNullSpecials = false

    /// The longest delay that may be asked for.
    package static let longestDelay = Duration.seconds(600)

    /// A plan in which nothing goes wrong.
    package init() {}

    /// Reads a plan: items separated by commas, a status without a probability meaning always.
    ///
    /// - Parameter text: as typed after `--fault`, or sent in `X-Fault`.
    /// - Throws: ``FacilityAPIError`` naming the first item that cannot be read, and what would do.
    package init(parsing text: String) throws(FacilityAPIError) {
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            try read(item.trimming { $0 == " " || $0 == "\t" })
        }
    }

    private mutating func read(_ item: Substring) throws(FacilityAPIError) {
        let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? ""
        let argument = parts.count > 1 ? parts[1] : nil
        switch (name, argument) {
        case ("html404", nil): answersNotFoundAsHTML = true
        case ("truncate", nil): truncatesBodies = true
        case ("nullspecial", nil): servesNullSpecials = true
        case ("slow", let text?):
            guard let duration = Self.duration(text), duration <= Self.longestDelay else {
                throw FacilityAPIError("fault '\(item)': expected a delay of at most 10m, like slow:2s or slow:250ms")
            }
            delay = duration
        default:
            guard let fault = StatusFault.allCases.first(where: { name == String($0.rawValue) }) else {
                throw FacilityAPIError(
                    "fault '\(item)' is unknown: expected 500, 429 or 503 with a probability like 500:0.05,"
                        + " slow:2s, html404, truncate or nullspecial"
                )
            }
            let probability = argument.map { Double($0) } ?? 1
            guard let probability, (0...1).contains(probability) else {
                throw FacilityAPIError("fault '\(item)': expected a probability from 0 to 1, like \(name):0.05")
            }
            chances.append(Chance(fault: fault, probability: probability))
        }
    }

    private static func duration(_ text: Substring) -> Duration? {
        for (unit, seconds) in [("ms", 0.001), ("s", 1), ("m", 60)] where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), (0...1_000_000).contains(number) else { return nil }
            return .seconds(number * seconds)
        }
        return nil
    }
}

extension Substring {
    /// The text without the characters at either end that a test accepts.
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> Substring {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
