/// A service of Apple's whose clients accept no certificate but Apple's own.
enum PinnedService: Sendable, Equatable {
    case cloudKit, cloudContent, account, appStore, iCloud, other

    /// The endings of all such hosts: every exchange is asked about, and most are told apart here.
    private static let endings = ["apple.com", "icloud.com", "icloud-content.com", "mzstatic.com", "icloud.com.cn"]

    /// The service that a host is of; `nil` where it is none of Apple's pinned ones.
    init?(host: String) {
        guard Self.endings.contains(where: host.hasSuffix) else { return nil }
        let host = host.hasSuffix(".icloud.com.cn") ? String(host.dropLast(3)) : host
        func isUnder(_ domain: String) -> Bool { host == domain || host.hasSuffix(".\(domain)") }
        let first = host.prefix { $0 != "." }
        if isUnder("icloud.com"),
            first == "gateway" || ["-gateway", "-ckdatabase", "-ckdevice"].contains(where: first.hasSuffix)
        {
            self = .cloudKit
        } else if isUnder("icloud-content.com") {
            self = .cloudContent
        } else if ["gsa.apple.com", "idmsa.apple.com", "appleid.apple.com"].contains(where: isUnder) {
            self = .account
        } else if ["itunes.apple.com", "apps.apple.com", "mzstatic.com"].contains(where: isUnder) {
            self = .appStore
        } else if isUnder("icloud.com") {
            self = .iCloud
        } else if isUnder("apple.com") || isUnder("cdn-apple.com") {
            self = .other
        } else {
            return nil
        }
    }

    /// The service's name.
    var title: String {
        switch self {
        case .cloudKit: "CloudKit, native"
        case .cloudContent: "The files of iCloud and CloudKit"
        case .account: "Signing in to an Apple account"
        case .appStore: "The App Store and Apple's media stores"
        case .iCloud: "iCloud"
        case .other: "A service of Apple's system"
        }
    }

    /// The program on the device that talks to the service.
    var speaker: String {
        switch self {
        case .cloudKit, .cloudContent: "cloudd, the system's CloudKit daemon"
        case .account: "the system's account daemon"
        case .appStore: "the App Store"
        case .iCloud, .other: "the system"
        }
    }

    /// The apps that may be behind the connection, as far as the outside tells; `nil` where it does not.
    var apps: String? {
        switch self {
        case .cloudKit, .cloudContent:
            "any app on the device that keeps something in CloudKit, Bruin Life among them; the connection does not say which"
        case .account, .appStore, .iCloud, .other: nil
        }
    }
}
