/// A piece of a body and the bytes before it, so that a reader that reads on does not count from the beginning each time.
///
/// The place holds as long as the body is there: pieces are only added, and the last alone grows.
struct BodyPlace: Sendable {
    /// A reader of a body, known by the byte it asks for next, so that several readers can be at different places.
    struct Reading: Hashable, Sendable {
        var body: BodyID
        var offset: Int64
    }

    /// The row of the piece.
    var chunk: Int64
    /// Bytes of the body before it.
    var start: Int64 = 0
}
