import Traffic

/// What a lens may go by when it recognises an exchange, the surest first.
///
/// Every lens is asked about the host before any is asked about the heads, and so on.
package enum LensEvidence {
    /// The host is the API's own.
    case host
    /// The path, the query, the method or a field of the request or response is the API's.
    case heads
    /// The decoded beginning of a body is: the side and at most a few KiB that begin as JSON does.
    case body(MessageSide, BodyText)
    /// Nobody recognised it by anything surer, so a general lens may take it by its heads.
    case remainder
}
