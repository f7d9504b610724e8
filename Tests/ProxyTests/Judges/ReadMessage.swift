import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import Proxy

/// The first message in some bytes, as a parser reads it.
struct ReadMessage: Equatable {
    /// Method and target, or the status code; bytes that are not UTF-8 as U+FFFD.
    var startLine: String
    var fieldCount: Int
    var bodyBytes = 0
    var isComplete = false

    /// As our codec reads it; `nil` when it refuses.
    static func byUs(_ bytes: [UInt8], isRequest: Bool) throws -> ReadMessage? {
        let codec = HTTP1Codec(role: isRequest ? .requests : .responses, limits: HeadLimits())
        if !isRequest { codec.expectResponse(to: "GET") }
        let channel = EmbeddedChannel(handler: codec)
        var read: ReadMessage?
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch is MalformedMessage { return nil }
        while let part = try channel.readInbound(as: MessagePart.self), read?.isComplete != true {
            switch part {
            case .request(let head):
                let target = head.raw.viewBytes(at: head.target.lowerBound, length: head.target.count).map {
                    String(decoding: $0, as: UTF8.self)
                }
                read = ReadMessage(startLine: "\(head.method) \(target ?? "")", fieldCount: head.fields.count)
            case .response(let head): read = ReadMessage(startLine: "\(head.code)", fieldCount: head.fields.count)
            case .body(let bytes): read?.bodyBytes += bytes.readableBytes
            case .end: read?.isComplete = true
            }
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        return read
    }

    /// As llhttp reads it in NIO's hands; throws what it refuses with.
    static func byLLHTTP(_ bytes: [UInt8], isRequest: Bool) throws -> ReadMessage? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        var read: ReadMessage?
        if isRequest {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
            )
        } else {
            try channel.pipeline.syncOperations.addHandler(
                ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
            )
            try channel.writeOutbound(
                HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
            )
        }
        var refusal: (any Error)?
        do { try channel.writeInbound(ByteBuffer(bytes: bytes)) } catch { refusal = error }
        func add(_ count: Int) { read?.bodyBytes += count }
        if isRequest {
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self), read?.isComplete != true {
                switch part {
                case .head(let head):
                    read = ReadMessage(startLine: "\(head.method.rawValue) \(head.uri)", fieldCount: head.headers.count)
                case .body(let bytes): add(bytes.readableBytes)
                case .end: read?.isComplete = true
                }
            }
        } else {
            while let part = try channel.readInbound(as: HTTPClientResponsePart.self), read?.isComplete != true {
                switch part {
                case .head(let head):
                    read = ReadMessage(startLine: "\(head.status.code)", fieldCount: head.headers.count)
                case .body(let bytes): add(bytes.readableBytes)
                case .end: read?.isComplete = true
                }
            }
        }
        // What is wrong behind the first message is another message's trouble.
        if let refusal, read?.isComplete != true { throw refusal }
        return read
    }
}
