package import Traffic

/// A request to the meeting server; its function is the first bare word of the query.
package struct MeetingsRequest: Sendable {
    /// A function of the server.
    package enum Function: Hashable, Sendable {
        case query, info, update
        /// There is no query, so the server answers with nothing.
        case none
        /// Any other word.
        case unknown(String)
    }

    package let function: Function
    /// The parameters after the function, decoded.
    package let items: [QueryString.Item]
    /// The last value of each parameter, by name: a target has room for many, and the meaning of one may depend on others.
    private let values: [String: String]

    package init(target: String) {
        let all = QueryString.items(target)
        items = Array(all.dropFirst())
        values = Dictionary(items.map { ($0.name, $0.value) }) { _, last in last }
        function =
            switch all.first?.name {
            case nil: .none
            case "query": .query
            case "info": .info
            case "update": .update
            case let name?: .unknown(name)
            }
    }

    /// The last value of a parameter; `nil` where there is none.
    package func value(_ name: String) -> String? { values[name] }

    /// The value of a parameter as a whole number.
    package func integer(_ name: String) -> Int? { value(name).flatMap { Int($0) } }

    /// Whether the query has a bare word or a parameter.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The request in words, one line.
    package var words: String {
        switch function {
        case .none: return "no function: the server answers with nothing"
        case .unknown(let name): return "unknown function \"\(name)\""
        case .info: return "what the server has: version, services, numbers of meetings"
        case .update: return (["fetch all meetings from their sources again"] + clauses).joined(separator: ", ")
        case .query:
            let isCount = integer("page_size") == 0
            return ([isCount ? "how many meetings" : "meetings"] + clauses).joined(separator: ", ")
        }
    }

    private var clauses: [String] { explanations.map(\.words) }

    /// The meaning of each parameter, in the order sent.
    package var explanations: [(item: QueryString.Item, words: String)] {
        items.compactMap { item in words(of: item).map { (item, $0) } }
    }

    private func words(of item: QueryString.Item) -> String? {
        let value = item.value
        switch (function, item.name) {
        case (.update, "force"): return "even if nothing is due"
        case (.update, "physical_only"): return "those with a place only"
        case (.update, "separate_virtual"): return "those without a place as an organization of their own"
        case (.query, "type"): return MeetingsRequest.typeWords(value)
        case (.query, "page_size"):
            return integer("page_size") == 0 ? "numbers only" : "in pages of \(value)"
        case (.query, "page"): return "page \(value) (the first is 0)"
        case (.query, "org_key"): return "of \(listed(value, or: "or"))"
        case (.query, "weekdays"):
            return "on "
                + value.split(separator: ",").map { Int($0).map(MeetingDay.name) ?? String($0) }.joined(
                    separator: " or "
                )
        case (.query, "start_time"): return "starting at \(MeetingsRequest.clock(value)) or later"
        case (.query, "end_time"): return "starting at \(MeetingsRequest.clock(value)) or earlier"
        case (.query, "ids"): return MeetingsRequest.idWords(value)
        case (.query, "geo_radius"): return "within \(value) km"
        case (.query, "geocenter_lat"):
            return self.value("geocenter_lng").map { "round latitude \(value), longitude \($0)" }
        case (.query, "geocenter_lng"): return has("geocenter_lat") ? nil : "longitude \(value) without a latitude"
        case (.query, "minimum_found"):
            let limit = self.value("geo_radius").map { "\($0) km" } ?? "10000 km"
            return "the circle widened until it holds \(value), to \(limit) at most"
        default: return "\(item.name) (unknown, ignored)"
        }
    }

    /// The meetings that the server selects for a value of `type`, in words.
    static func typeWords(_ value: String) -> String {
        switch Int(value) {
        case 0: "with or without a place"
        case 1: "that have a place"
        case 2: "that have a place only"
        case -1: "that have a virtual part"
        case -2: "that are virtual only"
        case 3, -3: "that are hybrid"
        default: "type \(value), which the server does not know"
        }
    }

    /// `(99,10),(152,0)` as "meeting 10 of server 99 or all of server 152".
    static func idWords(_ text: String) -> String {
        let groups = text.utf8.split(separator: UInt8(ascii: "(")).map { group in
            group.prefix { $0 != UInt8(ascii: ")") }.split(separator: ASCII.comma).map { String(Substring($0)) }
        }
        let words = groups.compactMap { group -> String? in
            guard let server = group.first, Int(server) != nil else { return nil }
            guard group.count > 1, group[1] != "0", group[1] != "*" else { return "all of server \(server)" }
            return "meeting \(group[1]) of server \(server)"
        }
        return words.isEmpty ? "ids that cannot be read: \(text)" : words.joined(separator: " or ")
    }

    /// The clock's time for seconds after midnight.
    private static func clock(_ text: String) -> String {
        guard let seconds = Int(text), (0..<86_400).contains(seconds) else { return text }
        return MeetingClockText.text(WallClock.clock(seconds))
    }

    private func listed(_ text: String, or word: String) -> String {
        text.split(separator: ",").joined(separator: " \(word) ")
    }
}
