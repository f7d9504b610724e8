import Foundation

extension Spool {
    /// A name of its own for a spool that the store cannot take over, by which it can be read as a store.
    struct Aside {
        /// The spool's path under that name.
        let path: String
        private let storePath: String

        /// - Parameters:
        ///   - storePath: the store's path, links followed.
        ///   - now: the time by which it is named; of two in one second, the later gets the next number.
        init(beside storePath: String, now: Date) {
            self.storePath = storePath
            var number = Int64(now.timeIntervalSince1970)
            var status = stat()
            while lstat("\(storePath).spool-\(number)", &status) == 0 { number += 1 }
            path = "\(storePath).spool-\(number)"
        }

        /// Gives it that name; its path by then, which is the old one where the system refuses.
        func move() -> String {
            guard rename("\(storePath)-spool", path) == 0 else { return "\(storePath)-spool" }
            for suffix in ["-wal", "-shm", "-journal"] { rename("\(storePath)-spool\(suffix)", path + suffix) }
            return path
        }
    }
}
