import Lenses
import Store
import Traffic

/// Finds the meetings in a store's recorded answers.
struct MeetingSource {
    /// A recorded answer with its meetings.
    struct Found {
        let id: ExchangeID
        let summary: ExchangeSummary
        let list: MeetingList
    }

    /// Lines that are looked at together.
    private static let pageRows = 500

    private let store: TrafficStore

    init(_ store: TrafficStore) { self.store = store }

    /// The answer of an exchange.
    ///
    /// - Throws: `InputError` when it is no list of meetings.
    func capture(_ id: ExchangeID) throws -> Found {
        let record = try ExchangeReader(store).record(id)
        guard let found = try meetings(of: record) else {
            throw InputError("exchange \(id) is no answer to ?query of a meeting server with its body whole")
        }
        return found
    }

    /// The newest answer with meetings among the exchanges that a filter selects; one to a question for single meetings (`ids`) only where there is no other.
    ///
    /// - Throws: `InputError` when there is none.
    func newest(_ filter: Filter) throws -> Found {
        var ids = try store.ids(filter)[...]
        var single: Found?
        while !ids.isEmpty {
            let page = try store.summaries(of: Array(ids.suffix(MeetingSource.pageRows)))
            for summary in page.sorted(by: { $0.id > $1.id }) where MeetingSource.mayAnswer(summary) {
                let isSingle = MeetingsRequest(target: summary.target).has("ids")
                if isSingle, single != nil { continue }
                guard let record = try ExchangeReader(store).find(summary.id), let found = try meetings(of: record),
                    !found.list.meetings.isEmpty
                else { continue }
                if !isSingle { return found }
                single = found
            }
            ids = ids.dropLast(MeetingSource.pageRows)
        }
        if let single { return single }
        throw InputError(
            "no matching exchange is an answer to ?query of a meeting server with meetings in it; "
                + "record one, or import it with 'inspect import'"
        )
    }

    /// Whether an exchange may have answered `?query`: one that the lens took for its own, or that ended before there were lenses.
    private static func mayAnswer(_ summary: ExchangeSummary) -> Bool {
        guard summary.code == 200 else { return false }
        let request = MeetingsRequest(target: summary.target)
        guard let lens = summary.lens else { return request.function == .query }
        return lens == "meetings" && request.function != .info && request.function != .update
    }

    private func meetings(of record: ExchangeRecord) throws -> Found? {
        let capture = try Capture(record) { try store.body($0, $1, offset: $2, limitBytes: $3) }
        guard capture.exchange.code == 200, capture.response.problem == nil,
            let list = try? MeetingList(capture.response)
        else { return nil }
        return Found(id: record.exchange.id, summary: record.summary, list: list)
    }
}
