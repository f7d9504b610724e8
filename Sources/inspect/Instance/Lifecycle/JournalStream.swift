import Foundation

/// The journal of a service manager, which keeps what a service prints and shows it to more than its user.
enum JournalStream {
    /// Whether a descriptor leads to the journal: systemd names the stream by its device and inode (systemd.exec(5), `JOURNAL_STREAM`).
    static func isThis(_ descriptor: Int32, environment: [String: String]) -> Bool {
        var status = stat()
        guard let named = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else { return false }
        return named == "\(status.st_dev):\(status.st_ino)"
    }
}
