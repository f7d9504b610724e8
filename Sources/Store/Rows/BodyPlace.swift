/// A piece of a body and what comes before it, so that a body that is read on is not counted through from its beginning each time.
///
/// It stays true as long as the body is there: pieces are only added, and the last alone grows.
struct BodyPlace: Sendable {
    /// A reader of a body, known by the byte it asks for next, so that several can read one body at different places.
    struct Reading: Hashable, Sendable {
        var body: BodyID
        var offset: Int64
    }

    /// The row of the piece.
    var chunk: Int64
    /// Bytes of the body before it.
    var start: Int64 = 0
}
