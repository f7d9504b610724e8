import Foundation
package import Traffic

/// The elements of one kind that captured answers of one server of What's Open hold.
package struct CampusFinding<Element: Sendable>: Sendable {
    package private(set) var elements: [Element]
    /// The answer that holds the list, or the newest that holds one of the elements.
    package let source: CampusSource
    /// The answers that single facilities are from, by slug, where that is not `source`.
    private(set) var others: [String: CampusSource] = [:]
    /// The facilities of other servers than the source's, each with its newest answer, the newest at the front; `elements` has none of them.
    private(set) var elsewhere: [FoundFacility] = []
    /// Whether every answer was read that might hold elements; see `PlaceBound`.
    private(set) var isWhole = true

    /// Makes a finding of one answer.
    init(_ elements: [Element], of source: CampusSource, isWhole: Bool = true) {
        (self.elements, self.source, self.isWhole) = (elements, source, isWhole)
    }

    /// The problem where nothing was found: that nothing is captured, where every answer was read.
    private static func absence(_ what: String, path: String, _ isWhole: Bool) -> PlaceProblem {
        let what = "\(what) of What's Open"
        return isWhole ? .nothing(what: what, path: path) : .notInNewest(what: what)
    }
}

extension CampusFinding where Element == Facility {
    /// Finds the facilities of the newest list, each as the newest answer of the list's server has it.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    /// - Throws: `PlaceProblem` where the captures hold no facilities, and what the walk throws.
    package init(in walk: some CaptureWalk, _ source: CaptureSelection) throws {
        let answers = CampusAnswers(walk)
        if case .one(let id) = source {
            let (source, elements) = try answers.only(id, "facilities", \.facilities)
            self.init(elements, of: source)
            return
        }
        var singles: [String: [String: FoundFacility]] = [:]
        var list: (elements: [Facility], source: CampusSource)?
        var newest: CampusSource?
        let isWhole = try answers.each(source, of: .facilities) { capture, answer in
            guard case .facilities(let facilities, let isList) = answer else { return .other }
            let source = CampusSource(capture)
            // A facility that is missing in half of a list may be in the other half.
            if isList, WhatsOpenRequest(capture.exchange).isWhole, !facilities.isEmpty {
                list = (facilities, source)
                return .done
            }
            for facility in facilities where singles[source.server]?[facility.slug] == nil {
                singles[source.server, default: [:]][facility.slug] = FoundFacility(facility, of: source)
            }
            newest = newest ?? source
            return .read
        }
        guard let source = list?.source ?? newest else {
            throw CampusFinding.absence("facility list", path: "/whatsopen/v2/facilities/", isWhole)
        }
        self.init(list?.elements ?? [], of: source, isWhole: isWhole)
        take(singles.removeValue(forKey: source.server) ?? [:])
        elsewhere = singles.values.flatMap(\.values).sorted { $0.source.exchange > $1.source.exchange }
    }

    /// Puts newer answers about single facilities over those of the list.
    private mutating func take(_ singles: [String: FoundFacility]) {
        others = singles.mapValues(\.source).filter { $0.value != source }
        var rest = singles
        for place in elements.indices {
            guard let single = rest.removeValue(forKey: elements[place].slug) else { continue }
            elements[place] = single.facility
        }
        elements += rest.values.map(\.facility)
    }

    /// The facilities, each with the answer that it is from.
    var found: [FoundFacility] { elements.map { FoundFacility($0, of: others[$0.slug] ?? source) } }
}

extension CampusFinding where Element == FoundAlert {
    /// Finds the alerts of the newest list and, where all are wanted, adds those past and to come of the newest list of all.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    ///   - wantsAll: whether past and coming alerts are wanted too.
    /// - Throws: `PlaceProblem` where the captures hold no alerts, and what the walk throws.
    package init(in walk: some CaptureWalk, _ source: CaptureSelection, wantsAll: Bool) throws {
        let answers = CampusAnswers(walk)
        if case .one(let id) = source {
            let (source, alerts) = try answers.only(id, "alerts", \.alerts)
            self.init(alerts.map { FoundAlert($0, of: source) }, of: source)
            return
        }
        var found: AlertStack?
        var part: AlertStack?
        let isWhole = try answers.each(source, of: .alerts) { capture, answer in
            guard case .alerts(let alerts, isList: true) = answer else { return .other }
            let (request, source) = (WhatsOpenRequest(capture.exchange), CampusSource(capture))
            guard request.isWhole else {
                part = part ?? AlertStack(alerts, of: source)
                return .read
            }
            if found == nil {
                found = AlertStack(alerts, of: source)
            } else if found?.source.server == source.server {
                found?.add(alerts, of: source)
            } else {
                return .read
            }
            return wantsAll && !request.has("all_alerts") ? .read : .done
        }
        guard let stack = found ?? part else {
            throw CampusFinding.absence("alert", path: "/whatsopen/v2/alerts/", isWhole)
        }
        self.init(stack.alerts, of: stack.source, isWhole: isWhole)
    }
}
