/// The API that a path belongs to.
enum APIFamily: Sendable {
    case whatsOpen
    case meetings
    case openData
    case notices
    case cloudKit
    /// The stand-in's own API, which changes its data.
    case administration
    case none

    /// Decides by path alone; CKAN's `/api/3/action/` lies inside What's Open's `/api/` and goes first.
    init(path: String) {
        if path.hasPrefix("/api/3/action/") || path.hasPrefix("/api/action/") {
            self = .openData
        } else if path == "/" || path == LoginPage.path
            || Self.whatsOpenBases.contains(where: { path == $0 || path.hasPrefix($0 + "/") })
        {
            self = .whatsOpen
        } else if Self.meetingEntrypoints.contains(path) {
            self = .meetings
        } else if path.hasPrefix("/nm/") {
            self = .notices
        } else if path.hasPrefix("/database/") {
            self = .cloudKit
        } else if path == AdministrationAPI.base || path.hasPrefix(AdministrationAPI.base + "/") {
            self = .administration
        } else {
            self = .none
        }
    }

    /// The prefixes What's Open is served under: as in production, and as Django itself sees them.
    static let whatsOpenBases = ["/whatsopen/v2", "/api"]

    private static let meetingEntrypoints = [
        "/entrypoint.php", "/meetings/index.php", "/LGV_MeetingServer/Tests/entrypoint.php",
    ]
}
