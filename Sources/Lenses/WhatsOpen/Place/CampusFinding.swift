package import Foundation
package import Traffic

/// The elements of one kind that captured answers of What's Open hold, and their exchange.
package struct CampusFinding<Element: Sendable>: Sendable {
    package private(set) var elements: [Element]
    /// The exchange that holds the list, or the newest that holds one of the elements.
    package let id: ExchangeID
    /// When that exchange was answered, by the server's clock.
    package let moment: Date
    /// How many elements are taken from newer exchanges.
    var newer = 0
    /// Those newer exchanges, by slug.
    var newerIDs: [String: ExchangeID] = [:]
    /// Whether every answer was read that might hold elements; see `PlaceBound`.
    var isWhole = true

    /// Makes a finding of one answer.
    init(_ elements: [Element], of capture: Capture) {
        self.elements = elements
        (id, moment) = (capture.id, capture.moment)
    }

    /// The problem where nothing was found: that nothing is captured, where every answer was read.
    private static func absence(_ what: String, path: String, _ isWhole: Bool) -> PlaceProblem {
        let what = "\(what) of What's Open"
        return isWhole ? .nothing(what: what, path: path) : .notInNewest(what: what)
    }
}

extension CampusFinding where Element == Facility {
    /// Finds the facilities of the newest list, each as the newest exchange after the list has it.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    /// - Throws: `PlaceProblem` where the captures hold no facilities, and what the walk throws.
    package init(in walk: some CaptureWalk, _ source: CaptureSelection) throws {
        let answers = CampusAnswers(walk)
        if case .one(let id) = source {
            self = try answers.only(id, "facilities", \.facilities)
            return
        }
        var newest: [String: Facility] = [:]
        var ids: [String: ExchangeID] = [:]
        var latest: CampusFinding?
        var whole: CampusFinding?
        let isWhole = try answers.each(source, of: .facilities) { capture, answer in
            guard case .facilities(let facilities, let isList) = answer else { return .other }
            let found = CampusFinding(facilities, of: capture)
            // A facility that is missing in half of a list may be in the other half.
            if isList, WhatsOpenRequest(capture.exchange).isWhole, !facilities.isEmpty {
                whole = found
                return .done
            }
            for facility in facilities where newest[facility.slug] == nil {
                newest[facility.slug] = facility
                ids[facility.slug] = capture.id
            }
            latest = latest ?? found
            return .read
        }
        if let whole {
            self = whole
            newerIDs = ids
            take(newest)
        } else if let latest {
            self = latest
            elements = Array(newest.values)
            newerIDs = ids
        } else {
            throw CampusFinding.absence("facility list", path: "/whatsopen/v2/facilities/", isWhole)
        }
        self.isWhole = isWhole
    }

    /// Puts newer answers about single facilities over those of the list.
    private mutating func take(_ newest: [String: Facility]) {
        var rest = newest
        for place in elements.indices {
            guard let facility = rest.removeValue(forKey: elements[place].slug) else { continue }
            elements[place] = facility
            newer += 1
        }
        newer += rest.count
        elements += rest.values
    }
}

extension CampusFinding where Element == CampusAlert {
    /// Finds the alerts of the newest list, or, where all are wanted, of the newest list of all, if there is one.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    ///   - wantsAll: whether past and coming alerts are wanted too.
    /// - Throws: `PlaceProblem` where the captures hold no alerts, and what the walk throws.
    package init(in walk: some CaptureWalk, _ source: CaptureSelection, wantsAll: Bool) throws {
        let answers = CampusAnswers(walk)
        if case .one(let id) = source {
            self = try answers.only(id, "alerts", \.alerts)
            return
        }
        var newest: CampusFinding?
        var all: CampusFinding?
        let isWhole = try answers.each(source, of: .alerts) { capture, answer in
            guard case .alerts(let alerts, isList: true) = answer else { return .other }
            let found = CampusFinding(alerts, of: capture)
            newest = newest ?? found
            if WhatsOpenRequest(capture.exchange).has("all_alerts") { all = all ?? found }
            return wantsAll && all == nil ? .read : .done
        }
        guard let found = (wantsAll ? all : nil) ?? newest else {
            throw CampusFinding.absence("alert", path: "/whatsopen/v2/alerts/", isWhole)
        }
        self = found
        self.isWhole = isWhole
    }
}
