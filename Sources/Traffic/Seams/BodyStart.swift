/// The beginning of a body, enough to tell what kind of thing it is.
package enum BodyStart {
    /// Kept bytes that are looked at, before any content coding is undone: 4 KiB.
    package static let limitBytes = 4096
}
