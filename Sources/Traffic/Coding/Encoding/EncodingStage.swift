/// The encoder of one content coding: bytes in, coded bytes out, in pieces.
///
/// It is fast rather than thorough, because it codes bodies while they pass.
protocol EncodingStage: AnyObject {
    /// Codes the next bytes, and appends what is ready.
    ///
    /// - Parameters:
    ///   - input: any number of bytes.
    ///   - end: what the coded bytes must hold; nothing may be written after `.end`.
    ///   - coded: gets the coded bytes.
    /// - Throws: when there is no memory.
    func encode(
        _ input: UnsafeRawBufferPointer,
        _ end: EncodingEnd,
        into coded: inout [UInt8]
    ) throws(EncodingProblem)
}
