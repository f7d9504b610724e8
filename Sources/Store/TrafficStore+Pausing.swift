import Traffic

extension TrafficStore {
    /// Whether somebody paused recording; false in a store that is only read.
    package var isPaused: Bool { writer?.isPaused ?? false }

    /// Pauses or resumes recording: exchanges that begin while it is paused pass unrecorded, and are counted as a gap of kind `pause`.
    ///
    /// An exchange that began before goes on being recorded; an exchange that began in a pause is passed over to its end.
    ///
    /// - Parameters:
    ///   - isPaused: whether to pause.
    ///   - now: the time: microseconds since 1970.
    /// - Throws: `StoreError`; nothing was changed then.
    package func setPaused(_ isPaused: Bool, now: Int64) throws {
        guard let writer else { throw readOnly }
        do {
            if isPaused { try writer.pause(now: now) } else { try writer.resume(now: now) }
        } catch {
            throw StoreError(error, reading: path)
        }
    }
}
