import Foundation

/// The link of a virtual meeting, and the address that opens it in the service's own app.
package struct MeetingLink: Hashable, Sendable {
    /// A service whose app can be opened.
    package enum Service: String, Sendable, CaseIterable {
        case zoom = "Zoom"
        case goToMeeting = "GoToMeeting"
        case skype = "Skype"
        case meet = "Google Meet"
        case discord = "Discord"
        case jitsi = "Jitsi"

        /// Finds the service of a host; `nil` for any other host.
        init?(host: String) {
            let hosts: [(String, Service)] = [
                ("zoom.us", .zoom), ("zoomgov.com", .zoom), ("gotomeeting.com", .goToMeeting),
                ("meet.goto.com", .goToMeeting),
                ("gotomeet.me", .goToMeeting), ("skype.com", .skype), ("meet.google.com", .meet),
                ("discord.gg", .discord),
                ("discord.com", .discord), ("meet.jit.si", .jitsi), ("8x8.vc", .jitsi),
            ]
            guard let found = hosts.first(where: { host == $0.0 || host.hasSuffix("." + $0.0) }) else { return nil }
            self = found.1
        }
    }

    /// The address that a browser opens.
    package let url: String
    /// The service whose app can open the link; `nil` for a link that only the browser opens.
    package let service: Service?
    /// The address that opens the app; `nil` where the link does not name the meeting.
    package let direct: String?

    /// Reads a link; `nil` for a text that is no web address.
    package init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.contains(where: \.isWhitespace), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = parts.host?.lowercased(), host.contains("."), !host.hasPrefix("."), !host.hasSuffix(".")
        else { return nil }
        url = text
        service = Service(host: host)
        direct = service.flatMap { MeetingLink.direct($0, host: host, parts) }
    }

    private static func direct(_ service: Service, host: String, _ parts: URLComponents) -> String? {
        let steps = parts.path.split(separator: "/").map(String.init)
        guard let last = steps.last else { return nil }
        switch service {
        case .zoom:
            // /j/ID, /w/ID and /s/ID name a meeting; /my/NAME a person's own room, whose number only Zoom knows.
            guard steps.count >= 2, ["j", "w", "s", "join"].contains(steps[steps.count - 2]),
                case let digits = last.filter(\.isNumber), digits.count >= 9, digits.count == last.count
            else { return nil }
            let password = parts.queryItems?.first { $0.name == "pwd" }?.value.map { "&pwd=\($0)" } ?? ""
            return "zoomus://\(host)/join?confno=\(digits)\(password)"
        case .goToMeeting:
            let digits = last.filter { $0 != "-" }
            guard digits.count >= 9, digits.allSatisfy(\.isNumber) else { return nil }
            return "gotomeeting://\(host)/join/\(digits)"
        case .skype:
            return host == "join.skype.com" ? "skype://join?url=https://\(host)/\(steps.joined(separator: "/"))" : nil
        case .meet: return "gmeet://meet.google.com/\(last)"
        case .discord:
            guard host == "discord.gg" || steps.first == "invite" || steps.first == "channels" else { return nil }
            return "discord://\(host)/\(steps.joined(separator: "/"))"
        case .jitsi: return "org.jitsi.meet://\(host)/\(steps.joined(separator: "/"))"
        }
    }
}
