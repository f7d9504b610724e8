/// Where recorded exchanges are read one by one, the newest first.
package protocol CaptureWalk {
    /// Visits the exchanges that are selected now, each once.
    ///
    /// - Parameters:
    ///   - selection: which exchanges to visit; where the store has none of them, `give` is never called.
    ///   - give: looks at one; `false` ends the walk.
    /// - Throws: what reading and `give` throw, and `CancellationError` once nobody waits for the walk.
    func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws
}
