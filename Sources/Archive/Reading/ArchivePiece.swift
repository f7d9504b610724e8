import Traffic

/// A piece of an archive once it is read.
///
/// The bytes of an entry are freed before its exchange is made, which takes as much memory again.
enum ArchivePiece {
    /// A value of the list, numbered from 1.
    case entry(Int, JSONValue)
    /// A value that cannot be read, and why, as the end of a sentence.
    case unreadable(Int, String)
    /// A member beside the list.
    case member(String, [UInt8])

    /// The members whose strings become bytes of heads, bodies and messages; all others are compared.
    private static let exactNames: Set = [
        "value", "text", "data", "head", "sentHead", "ownResponse", "trailers", "trailersText", "line", "statusText",
    ]

    /// - Parameters:
    ///   - piece: the piece as the splitter found it.
    ///   - valuesLimit: an entry with more JSON values cannot be read.
    init(_ piece: ArchiveSplitter.Piece, valuesLimit: Int) {
        switch piece {
        case .entry(let number, let bytes):
            do throws(JSONReader.Problem) {
                let value = try JSONReader.value(
                    bytes,
                    valuesLimit: valuesLimit,
                    isMeasured: true,
                    exactNames: ArchivePiece.exactNames
                )
                self = .entry(number, value)
            } catch {
                self = .unreadable(number, error.description)
            }
        case .oversize(let number, let length):
            self = .unreadable(number, "is \(length) bytes long, more than is read")
        case .longText(let number, let length):
            self = .unreadable(number, "has a text of \(length) bytes, more than is read")
        case .member(let name, let bytes): self = .member(name, bytes)
        }
    }
}
