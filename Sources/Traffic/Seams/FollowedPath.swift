package import Foundation

/// The path that a name leads to, with each link on the way followed, up to the first link that another user laid there.
package struct FollowedPath: Sendable {
    /// The path without links; from `foreignLink` on, where there is one, it stays as it was named.
    package let path: String
    /// The first link on the way that another user laid into a directory where anybody may put one; `nil` where there is none.
    package let foreignLink: String?

    /// Links that are followed (Linux follows as many, path_resolution(7)).
    private static let linkLimit = 40

    /// Follows a name; a part of it that does not exist yet stays as it is.
    ///
    /// - Parameters:
    ///   - path: the name.
    ///   - user: the number of the user who follows it.
    package init(_ path: String, user: uid_t = geteuid()) {
        var rest = FollowedPath.names(URL(fileURLWithPath: path).path)
        var (folder, count) = ("", 0)
        var foreignLink: String?
        while let name = rest.popLast() {
            guard name != ".." else {
                folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
                continue
            }
            let place = "\(folder)/\(name)"
            guard count < FollowedPath.linkLimit,
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place)
            else {
                folder = place
                continue
            }
            guard FollowedPath.isOurs(place, in: folder.isEmpty ? "/" : folder, user) else {
                foreignLink = place
                folder = ([place] + rest.reversed()).joined(separator: "/")
                break
            }
            count += 1
            if target.hasPrefix("/") { folder = "" }
            rest += FollowedPath.names(target)
        }
        self.path = FollowedPath.usual(folder.isEmpty ? "/" : folder)
        self.foreignLink = foreignLink.map(FollowedPath.usual)
    }

    /// The usual name: macOS leaves out `/private`, in which it keeps some of its folders.
    private static func usual(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    /// The names of a path, the last one first.
    private static func names(_ path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }

    private static func isOurs(_ path: String, in folder: String, _ user: uid_t) -> Bool {
        var (link, place) = (stat(), stat())
        return lstat(path, &link) == 0 && stat(folder, &place) == 0
            && FileOwnership.isOurs(link, in: place, user: user)
    }
}
