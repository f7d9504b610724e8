/// The decoder of one content coding: coded bytes in, decoded bytes out, in pieces.
protocol DecodingStage: AnyObject {
    /// Decodes the next coded bytes.
    ///
    /// - Parameters:
    ///   - input: any number of bytes.
    ///   - pass: takes the next decoded bytes, at most `DecodingBuffer.count`; false when no more are wanted.
    /// - Throws: when the bytes are damaged, or go on after the end.
    func decode(_ input: UnsafeRawBufferPointer, _ pass: (UnsafeRawBufferPointer) -> Bool) throws(DecodingProblem)

    /// Says that no more bytes come.
    ///
    /// - Throws: when the coded stream has begun and has not ended.
    func finish() throws(DecodingProblem)

    /// Bytes of memory that it holds between two calls: its window above all, which may grow with what it decodes.
    var heldBytes: Int { get }
}

/// What is wrong with coded bytes.
struct DecodingProblem: Error {
    /// What it is, without a full stop.
    private let fault: String
    /// Whether the coding was undone to its end all the same.
    let isBehindEnd: Bool

    private init(_ fault: String, isBehindEnd: Bool = false) {
        self.fault = fault
        self.isBehindEnd = isBehindEnd
    }

    /// One sentence for the user who sees what was decoded before.
    var sentence: String { isBehindEnd ? "\(fault); they are left out." : "\(fault); what came before is shown." }

    /// One sentence for the user who sees the bytes as they were, because nothing could be decoded.
    var sentenceAsSent: String { "\(fault) before anything could be decoded, so the body is shown with it." }

    static func damaged(_ coding: String, _ detail: String) -> DecodingProblem {
        DecodingProblem("The \(coding) coding is damaged (\(detail))")
    }

    static func cutShort(_ coding: String) -> DecodingProblem {
        DecodingProblem("The \(coding) coding ends early")
    }

    static func goesOn(_ coding: String, _ count: Int) -> DecodingProblem {
        DecodingProblem("Bytes follow the end of the \(coding) coding (\(count) or more)", isBehindEnd: true)
    }
}

/// The memory a stage decodes into, for the length of a call: a stream may wait for an hour for the next.
final class DecodingBuffer {
    /// Bytes.
    static let count = 64 * 1024

    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: DecodingBuffer.count, alignment: 16)

    deinit { bytes.deallocate() }
}

extension ContentCoding {
    /// A fresh decoder; `nil` when its library cannot give one, for lack of memory.
    func stage() -> (any DecodingStage)? {
        switch self {
        case .gzip: InflateStage(.gzip)
        case .deflate: InflateStage(.deflate)
        case .brotli: BrotliStage()
        case .zstd: ZstdStage()
        }
    }
}
