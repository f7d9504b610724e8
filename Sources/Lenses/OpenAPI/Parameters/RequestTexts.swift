import Foundation
import Traffic

/// The texts of a request that parameters look up by name; each part is read once, however many parameters there are.
struct RequestTexts {
    /// The items of the query, in order.
    let query: [FormItem]
    private let path: [String: Substring]
    private let inQuery: [String: [FormItem]]
    private let inFields: [String: [String]]
    private let inCookies: [String: [(name: String, value: String)]]

    /// - Parameters:
    ///   - exchange: the exchange with the request.
    ///   - path: the values of the path's open parts.
    init(_ exchange: Exchange, path: [String: Substring]) {
        self.path = path
        query = FormItem.items(ofTarget: exchange.target)
        inQuery = Dictionary(grouping: query, by: \.name)
        inFields = exchange.request.fields.byName
        inCookies = Dictionary(grouping: RequestTexts.cookies(exchange.request.fields), by: \.name)
    }

    /// The values that were sent for a parameter, as they were sent; empty where there are none.
    func raw(_ parameter: OpenAPIParameter) -> [Substring] {
        switch parameter.location {
        case .path: path[parameter.name].map { [$0] } ?? []
        case .query: (inQuery[parameter.name] ?? []).map(\.raw)
        case .header: (inFields[ASCII.lower(parameter.name)] ?? []).map { $0[...] }
        case .cookie: (inCookies[parameter.name] ?? []).map { $0.value[...] }
        }
    }

    private static func cookies(_ fields: HeaderList) -> [(name: String, value: String)] {
        fields.values("Cookie").flatMap { $0.split(separator: ";") }.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0].trimmingCharacters(in: .whitespaces), parts.count > 1 ? String(parts[1]) : "")
        }
    }
}

extension HeaderList {
    /// The values by their names in lower case, in order.
    var byName: [String: [String]] {
        var values: [String: [String]] = [:]
        for field in self { values[ASCII.lower(field.name), default: []].append(ByteText.parted(field.value)) }
        return values
    }
}
