import Foundation
import Lenses
import Store
import Traffic

/// Reads facilities and alerts out of the captured answers of What's Open, whatever host gave them, the newest first.
struct WhatsOpenReader {
    /// Answers that are read in looking for a whole list.
    private static let answerLimit = 500
    /// Rows read at a time.
    private static let pageRows = 1000

    /// What was found, and in which exchange.
    struct Found<Element> {
        var elements: [Element]
        /// The exchange whose list it is, or the newest that had one of them.
        let id: ExchangeID
        /// When that was answered, by the server's clock.
        let moment: Date
        /// Elements that newer exchanges had anew.
        var newer = 0
        /// The exchanges of those, by slug.
        var newerIDs: [String: ExchangeID] = [:]
    }

    private let store: TrafficStore

    init(_ store: TrafficStore) { self.store = store }

    /// The facilities of the newest list, each as the newest exchange after it has it.
    ///
    /// - Parameters:
    ///   - filter: which exchanges are looked at.
    ///   - id: the one exchange to read instead.
    /// - Returns: the facilities, and where they are from.
    /// - Throws: `InputError` when there is none.
    func facilities(_ filter: Filter, from id: ExchangeID?) throws -> Found<Facility> {
        if let id {
            let capture = try capture(id)
            guard let facilities = answer(capture)?.facilities else { throw Self.unusable(id, "facilities") }
            return Found(elements: facilities, id: id, moment: capture.moment)
        }
        var newest: [String: Facility] = [:]
        var ids: [String: ExchangeID] = [:]
        var latest: Found<Facility>?
        var whole: Found<Facility>?
        try each(filter) { capture, answer in
            guard case .facilities(let facilities, let isList) = answer else { return true }
            let found = Found(elements: facilities, id: capture.id, moment: capture.moment)
            // Half of a list says nothing of what is not in it.
            if isList, WhatsOpenRequest(capture.exchange).isWhole, !facilities.isEmpty {
                whole = found
                return false
            }
            for facility in facilities where newest[facility.slug] == nil {
                newest[facility.slug] = facility
                ids[facility.slug] = capture.id
            }
            latest = latest ?? found
            return true
        }
        guard var found = whole else {
            guard let latest else { throw Self.none("facility list", "/whatsopen/v2/facilities/") }
            var found = Found(elements: Array(newest.values), id: latest.id, moment: latest.moment)
            found.newerIDs = ids
            return found
        }
        found.newerIDs = ids
        for place in found.elements.indices {
            guard let newer = newest.removeValue(forKey: found.elements[place].slug) else { continue }
            found.elements[place] = newer
            found.newer += 1
        }
        found.newer += newest.count
        found.elements += newest.values
        return found
    }

    /// The alerts of the newest list; where all are wanted, of the newest that was asked for all of them, if there is one.
    ///
    /// - Throws: `InputError` when there is none.
    func alerts(_ filter: Filter, from id: ExchangeID?, wantsAll: Bool) throws -> Found<CampusAlert> {
        if let id {
            let capture = try capture(id)
            guard let alerts = answer(capture)?.alerts else { throw Self.unusable(id, "alerts") }
            return Found(elements: alerts, id: id, moment: capture.moment)
        }
        var newest: Found<CampusAlert>?
        var all: Found<CampusAlert>?
        try each(filter) { capture, answer in
            guard case .alerts(let alerts, isList: true) = answer else { return true }
            let found = Found(elements: alerts, id: capture.id, moment: capture.moment)
            newest = newest ?? found
            if WhatsOpenRequest(capture.exchange).has("all_alerts") { all = all ?? found }
            return wantsAll && all == nil
        }
        guard let found = (wantsAll ? all : nil) ?? newest else { throw Self.none("alert", "/whatsopen/v2/alerts/") }
        return found
    }

    /// Gives answers of What's Open that succeeded, newest first, until told to stop.
    private func each(_ filter: Filter, _ give: (Capture, WhatsOpenAnswer) -> Bool) throws {
        var ids = try store.ids(filter)[...]
        var count = 0
        while !ids.isEmpty {
            let rows = try store.summaries(of: Array(ids.suffix(Self.pageRows))).sorted { $0.id > $1.id }
            ids = ids.dropLast(Self.pageRows)
            for row in rows where Self.mayBeOurs(row) {
                guard count < Self.answerLimit else { return }
                let capture = try capture(row.id)
                guard let answer = answer(capture) else { continue }
                count += 1
                if !give(capture, answer) { return }
            }
        }
    }

    /// Whether an exchange is worth reading; one that no lens has named may be older than lenses.
    private static func mayBeOurs(_ row: ExchangeSummary) -> Bool {
        guard row.code == 200, row.method.uppercased() == "GET", row.responseBytes > 0 else { return false }
        if let lens = row.lens { return lens == WhatsOpenLens().name }
        return row.mediaType?.contains("json") == true || row.target.contains("/facilities")
            || row.target.contains("/alerts")
    }

    private func answer(_ capture: Capture) -> WhatsOpenAnswer? {
        guard capture.exchange.code == 200, LensSet.standard.lens(of: capture)?.name == WhatsOpenLens().name else {
            return nil
        }
        return WhatsOpenAnswer(capture)
    }

    private func capture(_ id: ExchangeID) throws -> Capture {
        try Capture(ExchangeReader(store).record(id)) { try store.body($0, $1, offset: $2, limitBytes: $3) }
    }

    private static func unusable(_ id: ExchangeID, _ what: String) -> InputError {
        InputError(
            "exchange \(id) holds no \(what) of What's Open; without --from-capture the newest that does is read"
        )
    }

    private static func none(_ what: String, _ path: String) -> InputError {
        InputError(
            "no \(what) of What's Open is captured; send a client through 'inspect start' to a server's \(path), or import a HAR"
        )
    }
}
