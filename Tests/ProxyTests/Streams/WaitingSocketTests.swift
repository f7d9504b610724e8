import Foundation
import NIOCore
import Testing
import Traffic

@testable import Proxy

/// A WebSocket that may be compressed and waits for another turn of its loop, since others have made enough in this one.
@Suite(.timeLimit(.minutes(15)))
struct WaitingSocketTests {
    private let loop = LoopAllowance()

    /// Nobody who may have to wait reads anything more in this turn.
    private func makeEnough() { _ = DecompressionAllowance(loop).make(LoopAllowance.turnBytes + 1) }

    private func socket() -> MessageCapture {
        var capture = MessageCapture(limits: MessageLimits(), totalBytes: 1 << 20)
        capture.beginWebSocket(WebSocketCompression("permessage-deflate"), loop)
        return capture
    }

    @Test("Bytes that are no WebSocket do not wait once that is known")
    func stopped() {
        var capture = socket()
        capture.read(.response, ByteBuffer(string: "this is no WebSocket"), time: 1) { _ in }
        #expect(capture.isUnread)
        makeEnough()
        capture.read(.response, ByteBuffer(string: "nor is this"), time: 1) { _ in }
        #expect(!capture.isWaiting)
        capture.finish(nil, time: 2) { _ in }
        #expect(capture.takeWarnings().count == 1)
    }

    @Test("However many messages have come to wait, a turn tells so many of them, and in the end all are told")
    func many() {
        var capture = socket()
        makeEnough()
        let pongs = Array(repeating: Frames.frame(10, []), count: 20_000).flatMap { $0 }
        var toldCount = 0
        capture.read(.response, ByteBuffer(bytes: pongs), time: 1) { _ in toldCount += 1 }
        #expect(toldCount == 0)
        for turn in 1...4 {
            loop.endTurn()
            capture.readOn(time: 2) { _ in toldCount += 1 }
            // The last piece that is begun is read to its end.
            #expect(toldCount <= turn * (LoopAllowance.messageLimitCount + 1_024) && toldCount > 0)
        }
        #expect(toldCount == 20_000 && !capture.isWaiting)
    }

    @Test("A close frame is found in what waits, in whatever pieces it comes", arguments: [1, 2, 3, 7, 1_000])
    func found(size: Int) {
        var capture = socket()
        // The frame that is being read begins before the others wait.
        capture.read(.request, ByteBuffer(bytes: [0x81]), time: 1) { _ in }
        makeEnough()
        let mask: [UInt8] = [1, 2, 3, 4]
        let begun = Frames.frame(1, Array("hello".utf8), mask: mask)
        let others = [
            Frames.frame(9, [8, 8], mask: mask), Frames.frame(8, [0x0F, 0xA1], mask: mask),
            Frames.frame(8, [0x03, 0xE8], mask: mask),
        ]
        let frames = begun.dropFirst() + others.flatMap { $0 }
        for start in stride(from: 0, to: frames.count, by: size) {
            #expect(capture.closeCode(.request) == nil || start > 20)
            let piece = frames.dropFirst(start).prefix(size)
            capture.read(.request, ByteBuffer(bytes: piece), time: 1) { _ in }
        }
        #expect(capture.isWaiting && capture.closeCode(.request) == 4_001)
        loop.endTurn()
        capture.readOn(time: 2) { _ in }
        #expect(!capture.isWaiting && capture.closeCode(.request) == 4_001 && capture.counts.request == 4)
    }

    @Test("Whether a message was cut is known of bytes that wait: of frames, fragments, and what follows a close frame")
    func cut() {
        let begun = Frames.frame(1, [0x61], isFinal: false)
        let parts: [(bytes: [UInt8], isCut: Bool)] = [
            ([], false), (Frames.frame(1, [0x61]), false), (Frames.frame(1, [0x61]).dropLast(), true), (begun, true),
            (begun + Frames.frame(9, []), true), (begun + Frames.frame(0, [0x62]), false), ([0x88], true),
            (Frames.frame(8, [3, 0xE8]) + [0x81], false), ([0x03, 0x61], false),
        ].map { (Array($0.0), $0.1) }
        for (bytes, isCut) in parts {
            // All of it waits, or all but the first byte.
            for readCount in [0, 1] {
                loop.endTurn()
                var capture = socket()
                capture.read(.response, ByteBuffer(bytes: bytes.prefix(readCount)), time: 1) { _ in }
                makeEnough()
                capture.read(.response, ByteBuffer(bytes: bytes.dropFirst(readCount)), time: 1) { _ in }
                #expect(capture.isWithinMessage(.response) == isCut, "\(bytes) \(readCount)")
            }
        }
        // The close frame is read, and what comes behind it waits.
        loop.endTurn()
        var capture = socket()
        capture.read(.response, ByteBuffer(bytes: begun + Frames.frame(8, [3, 0xE8])), time: 1) { _ in }
        makeEnough()
        capture.read(.response, ByteBuffer(bytes: [0x81]), time: 1) { _ in }
        #expect(capture.isWaiting && !capture.isWithinMessage(.response))
    }

    @Test("To know of a close frame costs no more, however much waits before it")
    func cost() {
        let frame = Frames.frame(1, [0x61], mask: [1, 2, 3, 4])
        let costs = [100, 6_400].map { count in
            var capture = socket()
            makeEnough()
            var isFound = false
            let began = threadTime()
            for _ in 1...count {
                capture.read(.request, ByteBuffer(bytes: frame), time: 1) { _ in }
                if capture.closeCode(.request) != nil { isFound = true }
            }
            let cost = threadTime() - began
            #expect(capture.isWaiting && !isFound)
            return cost
        }
        // There are 64 times as many, and each is looked at once.
        #expect(costs[1] < 4 * 64 * costs[0], "\(costs)")
    }

    private func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
