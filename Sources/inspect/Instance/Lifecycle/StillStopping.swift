/// A process that was asked to end has not ended in time.
struct StillStopping: Error, CustomStringConvertible {
    let pid: Int32
    let limit: Duration

    var description: String {
        "process \(pid) is still stopping after \(limit.components.seconds) s; 'kill -9 \(pid)' ends it, and the next start closes what was open"
    }
}
