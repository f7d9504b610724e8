import CBrotli
import CZlib
import CZstd

/// Makes coded bodies with other people's encoders, so that our decoders are not judged by their like.
enum Coded {
    /// A text that codes well and is longer than a decoder's 64 KiB buffer.
    static let text = Array((0..<6_000).map { "line \($0) of a body, Café\n" }.joined().utf8)

    /// With zlib, so many times over: `gzip`, `zlib` or `raw` (DEFLATE without a wrapper).
    static func zlib(_ format: String, _ bytes: [UInt8], times: Int = 1) throws -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        let windowBits: Int32 = format == "gzip" ? 15 + 16 : format == "zlib" ? 15 : -15
        let size = Int32(MemoryLayout<z_stream>.size)
        let isPrepared = deflateInit2_(stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard isPrepared == Z_OK else { throw Failed(reason: "zlib") }
        defer { deflateEnd(stream) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var coded: [UInt8] = []
        for time in 1...times {
            try bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                repeat {
                    let made = try buffer.withUnsafeMutableBufferPointer { output in
                        stream.pointee.next_out = output.baseAddress
                        stream.pointee.avail_out = UInt32(output.count)
                        let result = deflate(stream, time == times ? Z_FINISH : Z_NO_FLUSH)
                        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                            throw Failed(reason: "zlib")
                        }
                        return output.count - Int(stream.pointee.avail_out)
                    }
                    coded += buffer.prefix(made)
                } while stream.pointee.avail_out == 0
            }
        }
        return coded
    }

    /// With the Brotli library.
    static func brotli(_ bytes: [UInt8]) throws -> [UInt8] {
        var count = BrotliEncoderMaxCompressedSize(bytes.count)
        var coded = [UInt8](repeating: 0, count: count)
        let isDone = BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, bytes.count, bytes, &count, &coded)
        guard isDone != 0 else { throw Failed(reason: "brotli") }
        return Array(coded.prefix(count))
    }

    /// Zeros, so many times 64 KiB, with the Brotli library and never held whole.
    static func brotliZeros(times: Int) throws -> [UInt8] {
        guard let encoder = BrotliEncoderCreateInstance(nil, nil, nil) else { throw Failed(reason: "brotli") }
        defer { BrotliEncoderDestroyInstance(encoder) }
        BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, 5)
        let zeros = [UInt8](repeating: 0, count: 64 << 10)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var coded: [UInt8] = []
        for index in 0..<times {
            var available = zeros.count
            let operation = index + 1 == times ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS
            try zeros.withUnsafeBufferPointer { input in
                var next = input.baseAddress
                repeat {
                    var room = buffer.count
                    let made = try buffer.withUnsafeMutableBufferPointer { output in
                        var out = output.baseAddress
                        guard
                            BrotliEncoderCompressStream(encoder, operation, &available, &next, &room, &out, nil) != 0
                        else { throw Failed(reason: "brotli") }
                        return output.count - room
                    }
                    coded += buffer.prefix(made)
                } while available > 0 || BrotliEncoderHasMoreOutput(encoder) != 0
            }
        }
        return coded
    }

    /// Zeros, so many MiB, as gzip.
    static func gzipZeros(megabytes: Int) throws -> [UInt8] {
        try zlib("gzip", [UInt8](repeating: 0, count: 1 << 20), times: megabytes)
    }

    /// With the Zstandard library; `windowLog` asks for a window of that power of two.
    static func zstd(_ bytes: [UInt8], windowLog: Int32? = nil) throws -> [UInt8] {
        guard let context = ZSTD_createCCtx() else { throw Failed(reason: "zstd") }
        defer { ZSTD_freeCCtx(context) }
        if let windowLog {
            _ = ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
            _ = ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
        }
        var coded = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count) + 64)
        var output = ZSTD_outBuffer(dst: nil, size: coded.count, pos: 0)
        let result = coded.withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { source in
                output.dst = target.baseAddress
                var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
                return ZSTD_compressStream2(context, &output, &input, ZSTD_e_end)
            }
        }
        guard ZSTD_isError(result) == 0, result == 0 else { throw Failed(reason: "zstd") }
        return Array(coded.prefix(output.pos))
    }

    /// An encoder would not.
    struct Failed: Error {
        let reason: String
    }
}
