/// What happens to the recording while traffic goes on.
package enum RecordingNews: Sendable, Equatable {
    /// An exchange could not be written, the first after one that could be; why, as SQLite says it.
    case stopped(cause: String)
    /// Writing works again; what passed meanwhile.
    case resumed(CaptureGap)
}
