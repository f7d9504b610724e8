import ArgumentParser
import Foundation
import NIOCore
import NIOPosix

/// `inspect-bench loopback`: the client and the upstream of `recording`, in a process of their own, so that what the proxy uses can be told.
///
/// It prints the port of its origin, then answers every line `PORT COUNT CONNECTIONS` with `done` once so many requests through the proxy at that port are answered.
struct LoopbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loopback",
        abstract: "Serve and ask for 'recording'.",
        shouldDisplay: false
    )

    func run() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let origin = try ServerBootstrap(group: group).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Origin()) }
        }.bind(host: "127.0.0.1", port: 0).wait()
        let port = origin.localAddress?.port ?? 0
        LoopbackCommand.say("\(port)")
        while let line = readLine() {
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            guard numbers.count == 3 else { throw ValidationError("three numbers are asked for") }
            let (count, connections) = (numbers[1], max(1, numbers[2]))
            let clients = try (0..<connections).map { number in
                let share = count / connections + (number < count % connections ? 1 : 0)
                return try ClientBootstrap(group: group).channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Client(origin: port, left: share))
                    }
                }.connect(host: "127.0.0.1", port: numbers[0]).wait()
            }
            for client in clients { try client.closeFuture.wait() }
            LoopbackCommand.say("done")
        }
    }

    /// Prints a line at once, also into a pipe.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Answers every request with JSON of 1 KB of its own; every answer has the same length.
    private final class Origin: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private static let rows = String(repeating: #"{"slug":"hall","start_day":0,"end_day":6},"#, count: 22)
            .dropLast()
        private var number = UInt64.random(in: 1 << 62...UInt64.max >> 1)

        /// The answer with a number of 19 digits.
        static func answer(_ number: UInt64) -> ByteBuffer {
            let body = #"{"request":\#(number),"rows":[\#(rows)]}"#
            return ByteBuffer(
                string:
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nServer: bench\r\n\r\n\(body)"
            )
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // A client that waits for each answer sends one small head at a time, and it comes in one piece.
            number += 1
            context.writeAndFlush(wrapOutboundOut(Origin.answer(number)), promise: nil)
        }
    }

    /// Sends a request, waits for its answer, sends the next.
    private final class Client: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let request: ByteBuffer
        private let answerBytes = Origin.answer(1 << 62).readableBytes
        private var left: Int
        private var cameBytes = 0

        init(origin port: Int, left: Int) {
            self.left = left
            request = ByteBuffer(
                string:
                    "GET http://127.0.0.1:\(port)/v2/facilities/?page=1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUser-Agent: bench/1\r\nAccept: application/json\r\n\r\n"
            )
        }

        func channelActive(context: ChannelHandlerContext) { ask(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            cameBytes += unwrapInboundIn(data).readableBytes
            guard cameBytes >= answerBytes else { return }
            cameBytes = 0
            left -= 1
            ask(context)
        }

        private func ask(_ context: ChannelHandlerContext) {
            guard left > 0 else { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        }
    }
}
