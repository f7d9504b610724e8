/// The background process ended before it was ready, and said why.
struct DaemonEnded: Error {
    let status: Int32
}
