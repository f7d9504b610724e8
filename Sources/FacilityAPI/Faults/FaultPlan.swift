/// A plan of faults and how often they come: `500:0.05,429:0.1,slow:2s,html404,truncate,nullspecial`.
package struct FaultPlan: Sendable, Equatable {
    /// An answer that replaces the honest one.
    package enum Fault: Sendable, Equatable {
        /// This HTTP status, in the words of the API.
        case status(Int)
        /// This CloudKit code; another API answers with the code's status.
        case cloudKit(String)
    }

    /// A fault and how likely a request gets it, 0 to 1.
    package struct Chance: Sendable, Equatable {
        package let fault: Fault
        package let probability: Double
    }

    /// Faults in the order they are drawn; the first that hits wins.
    package private(set) var chances: [Chance] = []
    /// How long every answer waits.
    package private(set) var delay: Duration = .zero
    /// The spoilings of every answer.
    package private(set) var spoilings: Set<Spoiling> = []

    /// Every 404 is an HTML page, whatever the API promises.
    package var answersNotFoundAsHTML: Bool { spoilings.contains(.html404) }
    /// Every body breaks off half way, its full length promised.
    package var truncatesBodies: Bool { spoilings.contains(.truncate) }
    /// Special schedules lose their dates.
    package var servesNullSpecials: Bool { spoilings.contains(.nullspecial) }

    /// The longest delay that may be asked for.
    package static let longestDelay = Duration.seconds(600)
    /// The statuses that an answer can be replaced by.
    package static let statuses = [
        400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 418, 421, 429, 500, 502, 503, 504,
    ]

    /// A plan in which nothing goes wrong.
    package init() {}

    /// Reads a plan: items separated by commas, a status without a probability meaning always.
    ///
    /// - Parameter text: the plan, as a user writes it or a client sends it in `X-Fault`.
    /// - Throws: ``FacilityAPIError`` naming the first item that cannot be read, and what can be.
    package init(parsing text: String) throws(FacilityAPIError) {
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            try read(item.trimming { $0 == " " || $0 == "\t" })
        }
    }

    private mutating func read(_ item: Substring) throws(FacilityAPIError) {
        let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first ?? ""
        let argument = parts.count > 1 ? parts[1] : nil
        if argument == nil, let spoiling = Spoiling(rawValue: String(name)) {
            spoilings.insert(spoiling)
            return
        }
        if name == "slow", let argument {
            guard let duration = Self.duration(argument), duration <= Self.longestDelay else {
                throw FacilityAPIError("fault '\(item)': expected a delay of at most 10m, like slow:2s or slow:250ms")
            }
            delay = duration
            return
        }
        guard let fault = Self.fault(name) else {
            throw FacilityAPIError(
                "fault '\(item)' is unknown: expected one of \(Self.statuses.map(String.init).joined(separator: " ")) or a"
                    + " CloudKit code with a probability like 500:0.05, slow:2s, or one of"
                    + " \(Spoiling.allCases.map(\.rawValue).joined(separator: " "))"
            )
        }
        let probability = argument.map { Double($0) } ?? 1
        guard let probability, (0...1).contains(probability) else {
            throw FacilityAPIError("fault '\(item)': expected a probability from 0 to 1, like \(name):0.05")
        }
        chances.append(Chance(fault: fault, probability: probability))
    }

    private static func fault(_ name: Substring) -> Fault? {
        if let status = Int(name), statuses.contains(status), name.count == 3 { return .status(status) }
        return CloudKitErrors.Code(rawValue: String(name)).map { .cloudKit($0.rawValue) }
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
