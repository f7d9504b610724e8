import Foundation
package import Traffic

/// A request to What's Open.
package struct WhatsOpenRequest: Sendable {
    /// The resource that is asked for; `nil` where the path is not the API's.
    package let resource: WhatsOpenResource?
    /// The slug or id of the single element that is asked for; `nil` for a list.
    package let key: String?
    package let method: String
    private let path: String
    private let items: [QueryString.Item]

    package init(_ exchange: Exchange) {
        let outline = ExchangeOutline(exchange)
        let place = WhatsOpenResource.place(outline.parts)
        resource = place?.resource
        key = place?.key.map { key in String(key.hasSuffix(".json") ? key.dropLast(5) : key) }
        isSurelyOurs =
            outline.host == "api.srct.gmu.edu" || outline.parts.first == "whatsopen"
            || outline.userAgent?.hasPrefix("WhatsOpen/") == true
        method = exchange.method
        path = String(outline.path)
        items = QueryString.items(exchange.target)
    }

    /// Whether the request is surely the API's, judged by its host, its path or its app.
    ///
    /// A path such as `/api/alerts` alone does not tell: other APIs have it too.
    package let isSurelyOurs: Bool

    /// Whether the query has a flag or parameter, with or without a value.
    package func has(_ name: String) -> Bool { items.contains { $0.name == name } }

    /// Whether the whole list was asked for: no parameter selects from it.
    package var isWhole: Bool {
        key == nil && items.allSatisfy { ["format", "ordering", "all_alerts"].contains($0.name) }
    }

    /// Whether an answer may be held against the API: the request was for a resource of the API, and the answer is not another API's.
    func isOfUs(_ answer: WhatsOpenAnswer) -> Bool {
        if case .foreign = answer { return isSurelyOurs && resource != nil }
        return resource != nil
    }

    /// The request in words, one line.
    package var words: String {
        guard let resource else { return "\(method) \(path)" }
        switch method.uppercased() {
        case "GET": return subject(resource)
        case "HEAD": return "is the API there? asks for \(subject(resource)), without the body"
        case "OPTIONS": return "what may be done with \(target(resource))"
        case "POST": return "add \(resource == .alerts ? "an" : "a") \(resource.single)"
        case "PUT": return "replace \(target(resource))"
        case "PATCH": return "change \(target(resource))"
        case "DELETE": return "delete \(target(resource))"
        default: return "\(method) \(target(resource))"
        }
    }

    private func target(_ resource: WhatsOpenResource) -> String {
        key.map { "\(resource.single) \($0)" } ?? resource.rawValue
    }

    private func subject(_ resource: WhatsOpenResource) -> String {
        var words =
            key.map { "\(resource.single) \($0)" }
            ?? (resource == .alerts && !has("all_alerts") ? "active alerts" : "all \(resource.rawValue)")
        if resource == .alerts, has("all_alerts") { words += ", past and coming ones too" }
        var format = path.hasSuffix(".json") ? " as JSON" : ""
        var clauses: [String] = []
        for item in items {
            switch item.name {
            case "format": format = item.value == "json" ? " as JSON" : " as “\(item.value)”"
            case "open_now": clauses.append("only those open now")
            case "closed_now": clauses.append("only those closed now")
            case "all_alerts": break
            case "search": clauses.append("matching “\(item.value)”")
            case "ordering": clauses.append("by " + Self.order(item.value))
            default: clauses.append(Self.field(item.name) + " = " + (item.value.isEmpty ? "(nothing)" : item.value))
            }
        }
        return words + format + clauses.map { ", " + $0 }.joined()
    }

    private static func order(_ text: String) -> String {
        text.split(separator: ",").map {
            $0.hasPrefix("-") ? "\(field(String($0.dropFirst()))), last first" : field(String($0))
        }
        .joined(separator: ", then ")
    }

    /// `facility_location__campus_region` → `location campus region`.
    private static func field(_ name: String) -> String {
        let plain = name.hasPrefix("facility_") ? String(name.dropFirst(9)) : name
        return plain.replacingOccurrences(of: "__", with: " ").replacingOccurrences(of: "_", with: " ")
    }
}
