/// The process that was to run in the background ended before it was ready; it has said why.
struct DaemonEnded: Error {
    let status: Int32
}
