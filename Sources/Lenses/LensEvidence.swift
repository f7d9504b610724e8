package import Traffic

/// A piece of evidence that a lens recognises an exchange by; the cases are in order, the surest first.
///
/// Every lens is asked about the host before any lens is asked about the heads, and so on.
package enum LensEvidence {
    /// The host is the API's own.
    case host
    /// The path, the query, the method or a field of the request or response is the API's.
    case heads
    /// The decoded beginning of a body is the API's: the side, and at most a few KiB that begin as JSON does.
    case body(MessageSide, BodyText)
    /// No lens recognised the exchange by anything surer, so a general lens may take it by its heads.
    case remainder
}
