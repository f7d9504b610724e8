import CBrotli
import CZstd
import Support

/// Makes coded bodies with other people's encoders, so that our decoders are not judged by their like.
enum Coded {
    /// A text that codes well and is longer than a decoder's 64 KiB buffer.
    static let text = Array((0..<6_000).map { "line \($0) of a body, Café\n" }.joined().utf8)

    /// With Python's zlib and gzip: `gzip`, `zlib` or `raw` (DEFLATE without a wrapper).
    static func python(_ format: String, _ bytes: [UInt8]) async throws -> [UInt8] {
        let program = """
            import sys, zlib, gzip
            data = sys.stdin.buffer.read()
            if sys.argv[1] == "gzip": out = gzip.compress(data)
            elif sys.argv[1] == "zlib": out = zlib.compress(data)
            else:
                coder = zlib.compressobj(wbits=-15)
                out = coder.compress(data) + coder.flush()
            sys.stdout.buffer.write(out)
            """
        let result = try await CommandLineTool.run("python3", ["-c", program, format], input: bytes)
        guard result.status == 0 else { throw Failed(reason: result.errors) }
        return result.outputBytes
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

    /// Zeros, so many MiB, as gzip with Python, then gzipped again so many times.
    static func gzipZeros(megabytes: Int, again: Int) async throws -> [UInt8] {
        let program = """
            import sys, zlib
            data = [bytes(1 << 20)] * int(sys.argv[1])
            for _ in range(1 + int(sys.argv[2])):
                coder = zlib.compressobj(9, wbits=31)
                data = [coder.compress(piece) for piece in data] + [coder.flush()]
            sys.stdout.buffer.write(b"".join(data))
            """
        let result = try await CommandLineTool.run("python3", ["-c", program, "\(megabytes)", "\(again)"])
        guard result.status == 0 else { throw Failed(reason: result.errors) }
        return result.outputBytes
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
