package import Foundation
package import Traffic

/// The lens of the meeting server of Virtual Meeting Finder.
package struct VirtualMeetingsLens: Lens {
    package let name = "meetings"
    package let title = "Virtual Meeting Finder"
    package var rules: [CheckRule] { MeetingRules.all }

    /// The zone of the app's user, by which views and checks place meetings; captures do not tell it.
    private let zone: TimeZone

    /// Makes a lens for users in a zone; without one, in the zone of the American east coast.
    package init(zone: TimeZone? = nil) {
        self.zone = zone ?? TimeZone(identifier: "America/New_York") ?? .gmt
    }

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host:
            switch exchange.host {
            case "meetings.recovrr.org": return true
            // These are web sites of the author, which have other pages too.
            case "vmf.littlegreenviper.com", "littlegreenviper.com": return exchange.pathEnds(with: ".php")
            default: return false
            }
        case .heads:
            guard exchange.pathEnds(with: ".php"), let query = exchange.query else { return false }
            let function = Self.function(query)
            // The server answers an unknown word with 418. Any script may be asked for `info`.
            return ["query", "update"].contains(function) && exchange.pathEnds(with: "/entrypoint.php")
                || exchange.exchange.code == 418 && !function.isEmpty && !function.utf8.contains(UInt8(ascii: "="))
        case .body(.response, let body):
            guard body.isObject else { return false }
            if body.holds(Self.version) && body.holds(Self.services) { return true }
            // Other APIs have meetings and data about them too, so the numbers or the function must be this server's.
            return body.holds(Self.meta) && body.holds(Self.meetings)
                && (body.holds(Self.index) || exchange.query.map(Self.function) == "query")
        case .body, .remainder: return false
        }
    }

    /// The word with which a query begins.
    private static func function(_ query: Substring) -> Substring { QueryString.parts(query).first ?? "" }

    private static let (meta, meetings) = (BodyMark(member: "meta"), BodyMark(member: "meetings"))
    private static let index = BodyMark(member: "starting_index")
    private static let (version, services) = (BodyMark(member: "server_version"), BodyMark(member: "services"))

    package func client(of exchange: ExchangeOutline) -> String? { "Virtual Meeting Finder" }

    package func view(_ capture: Capture) -> LensView { MeetingsView(capture, of: self, zone: zone).view }

    package func findings(_ capture: Capture) -> [CheckFinding] { MeetingCheck.findings(capture, zone: zone) }

    package func changes(from before: Capture, to after: Capture) -> [String] {
        guard case .list(let old) = MeetingsAnswer(before), case .list(let new) = MeetingsAnswer(after) else {
            return []
        }
        return MeetingChanges.sentences(from: old.meetings, to: new.meetings)
    }
}
