/// News of the recording while traffic goes on.
package enum RecordingNews: Sendable, Equatable {
    /// Recording stopped: an exchange could not be written. The cause is SQLite's text.
    case stopped(cause: String)
    /// Recording works again; the gap says how many exchanges passed meanwhile.
    case resumed(CaptureGap)
    /// The store cannot take over what was recorded while it was compacted; it is in this file.
    case setAside(path: String)
}
