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
