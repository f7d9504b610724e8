import Traffic

/// The apps whose traffic is understood, told by where their requests go.
///
/// A host decides where it is the app's own; else the path does, so that a local server and a replay are known too.
package struct KnownClients: ExchangeClassifier {
    package init() {}

    package func clientName(of exchange: Exchange) -> String? {
        switch exchange.host {
        case "api.srct.gmu.edu": return Self.whatsOpen
        case "meetings.recovrr.org", "vmf.littlegreenviper.com", "littlegreenviper.com": return Self.meetings
        case "ckan0.cf.opendata.inter.prod-toronto.ca", "app.toronto.ca": return Self.toronto
        default: break
        }
        let path = exchange.target.prefix { $0 != "?" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        if exchange.host == "api.apple-cloudkit.com" || path.hasPrefix("/database/1/") {
            return parts.dropFirst(2).first == "iCloud.BruinLife.MatthewDeCoste" ? Self.bruinLife : nil
        }
        if path.hasPrefix("/api/3/action/") || path.hasPrefix("/api/action/") || path.hasPrefix("/nm/") {
            return Self.toronto
        }
        if path.hasSuffix(".php") {
            let query = exchange.target.dropFirst(path.count + 1).prefix { $0 != "&" }
            return ["query", "info", "update"].contains(query) ? Self.meetings : nil
        }
        let resource: Substring? =
            if parts.count >= 3, parts[0] == "whatsopen", parts[1].hasPrefix("v") {
                parts[2]
            } else if parts.count >= 2, parts[0] == "api" { parts[1] } else { nil }
        return resource.map { Self.resources.contains($0) } == true ? Self.whatsOpen : nil
    }

    private static let whatsOpen = "What's Open"
    private static let meetings = "Virtual Meeting Finder"
    private static let toronto = "Toronto Open Data"
    private static let bruinLife = "Bruin Life"
    private static let resources: Set<Substring> = ["facilities", "alerts", "locations", "categories", "schedules"]
}
