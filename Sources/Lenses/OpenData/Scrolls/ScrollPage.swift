package import Foundation
package import Traffic

/// A page of an endless list, as one exchange brought it.
package struct ScrollPage: Sendable, Equatable {
    package let exchange: ExchangeID
    /// The count of rows before this page, as asked for.
    package let start: Int
    /// The count of rows that were asked for; `nil` where the portal decided.
    package let limit: Int?
    /// The rows of the answer; `nil` where the page failed.
    package let rows: [Row]?
    /// The status in words, and for a page that failed what the answer was.
    package let outcome: String
    /// The count of rows of the whole list; `nil` where the portal does not say.
    package let total: Int?

    /// A row of such a list.
    package struct Row: Sendable, Equatable {
        /// The row's identity: the id of a change, else that of the dataset.
        let key: String
        package let title: String
        package let name: String
        /// When the change was made; `nil` in a list of datasets.
        package let changed: Date?
    }

    /// Reads an exchange; `nil` where it asks for no page of a list.
    init?(_ reading: CKANReading, exchange: ExchangeID) {
        let request = reading.request
        let isSearch = request.action == "package_search"
        guard request.isRecentlyChanged || request.action == "package_activity_list" || isSearch, reading.code != nil,
            ["offset", "start", "limit", "rows"].contains(where: { request.value($0) != nil }), request.limit != 0
        else { return nil }
        self.exchange = exchange
        start = request.start
        limit = request.limit
        let code = reading.code.map { String($0) } ?? "no answer"
        guard let result = reading.answer.result, let items = (isSearch ? result["results"] : result)?.elements else {
            rows = nil
            total = nil
            outcome = "\(code): \(reading.answer.failure ?? "no list")"
            return
        }
        outcome = code
        total = isSearch ? result["count"]?.integer.flatMap { Int(exactly: $0) } : nil
        rows = items.enumerated().map { index, item in
            let dataset = Dataset((isSearch ? item : item["data"]?["package"]) ?? .null)
            let key = isSearch ? dataset?.id : item["id"]?.string
            return Row(
                key: key ?? "row \(index) of \(exchange)",
                title: dataset?.title ?? item["object_id"]?.string ?? "unreadable",
                name: dataset?.name ?? "",
                changed: isSearch ? nil : Dataset.date(item["timestamp"])
            )
        }
    }
}
