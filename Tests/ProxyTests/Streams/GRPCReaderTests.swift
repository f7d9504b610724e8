import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("gRPC messages read from a copy of the bytes", .timeLimit(.minutes(15)))
struct GRPCReaderTests {
    /// A message with its prefix.
    static func message(_ payload: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        [flags] + (0..<4).map { UInt8(truncatingIfNeeded: payload.count >> (24 - $0 * 8)) } + payload
    }

    private static func read(_ bytes: [UInt8], _ reader: inout GRPCReader, step: Int = .max) -> [StreamMessage] {
        var messages: [StreamMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(step)).withUnsafeBytes { reader.read($0, time: 3) { messages.append($0) } }
            rest = rest.dropFirst(step)
        }
        reader.finish(time: 3) { messages.append($0) }
        return messages
    }

    @Test("However the bytes are split, the same messages come out", arguments: [1, 2, 4, 5, 6, 1_000, Int.max])
    func splits(step: Int) async throws {
        let plain = Array("a protocol buffer, a protocol buffer, a protocol buffer".utf8)
        let coded = try await CommandLineTool.run("gzip", ["-c"], input: plain).outputBytes
        var reader = GRPCReader(side: .request, coding: "gzip", limits: MessageLimits())
        let stream = Self.message([1, 2, 3]) + Self.message([]) + Self.message(coded, flags: 1) + Self.message([4])
        let messages = Self.read(stream, &reader, step: step)
        #expect(messages.map(\.bytes) == [[1, 2, 3], [], plain, [4]])
        #expect(messages.map(\.wireBytes) == [8, 5, Int64(coded.count) + 5, 6])
        #expect(messages.map(\.isCompressed) == [false, false, true, false])
        #expect(messages.allSatisfy { $0.kind == .grpc && $0.side == .request && $0.problem == nil })
        #expect(reader.warnings.isEmpty)
    }

    @Test("A long message is measured whole and kept in part; a bomb is cut")
    func bounds() async throws {
        var reader = GRPCReader(
            side: .response,
            coding: "gzip",
            limits: MessageLimits(keptBytes: 10, decodedBytes: 100_000)
        )
        let bomb = try await CommandLineTool.run("gzip", ["-c"], input: [UInt8](repeating: 0, count: 5_000_000))
            .outputBytes
        let stream =
            Self.message([UInt8](repeating: 7, count: 300_000)) + Self.message(bomb, flags: 1) + Self.message([9])
        let messages = Self.read(stream, &reader, step: 5_000)
        #expect(messages.map(\.size) == [300_000, 100_000, 1])
        #expect(messages.map(\.payload.readableBytes) == [10, 10, 1])
        #expect(messages[1].problem?.contains("100000") == true)
    }

    @Test("What comes at one go is decompressed up to a bound, however many messages share it")
    func burst() async throws {
        let zeros = [UInt8](repeating: 0, count: 3 << 20)
        let bomb = try await CommandLineTool.run("gzip", ["-c"], input: zeros).outputBytes
        let stream = (0..<6).flatMap { _ in Self.message(bomb, flags: 1) }
        let bound = Int64(LoopAllowance.burstBytes)
        var reader = GRPCReader(side: .response, coding: "gzip", limits: MessageLimits(keptBytes: 10))
        let messages = Self.read(stream, &reader)
        #expect(messages.count == 6 && messages.map(\.wireBytes).allSatisfy { $0 == Int64(bomb.count + 5) })
        #expect(messages.map(\.size).reduce(0, +) <= bound + 64 << 10 + 3 * Int64(bomb.count))
        #expect(messages[1].problem == nil && messages[2].problem?.contains("far more") == true)
        #expect(messages[3].size == Int64(bomb.count) && messages[3].problem?.contains("as sent") == true)
        // With every turn of the loop there is room again.
        let loop = LoopAllowance()
        var patient = GRPCReader(
            side: .response,
            coding: "gzip",
            limits: MessageLimits(keptBytes: 10),
            allowance: DecompressionAllowance(loop)
        )
        var sizes: [Int64] = []
        for _ in 1...6 {
            loop.endTurn()
            Self.message(bomb, flags: 1).withUnsafeBytes { patient.read($0, time: 3) { sizes.append($0.size) } }
        }
        #expect(sizes == Array(repeating: 3 << 20, count: 6))
    }

    @Test("gRPC-Web's trailers are told with the status")
    func webTrailers() {
        var reader = GRPCReader(side: .response, coding: nil, limits: MessageLimits())
        let trailers = Array("grpc-status: 5\r\ngrpc-message: not found\r\n".utf8)
        let messages = Self.read(Self.message([1]) + Self.message(trailers, flags: 0x80), &reader)
        #expect(messages.map(\.label) == ["message", "trailers"] && messages.map(\.status) == [nil, 5])
        #expect(messages[1].text == "grpc-status: 5\r\ngrpc-message: not found\r\n")
    }

    @Test("What is no gRPC ends the reading; what is cut says so; an unnamed compression says so")
    func odd() {
        var other = GRPCReader(side: .response, coding: nil, limits: MessageLimits())
        #expect(Self.read(Self.message([1]) + Array("<html>".utf8), &other).count == 1)
        #expect(other.warnings.count == 1 && other.warnings[0].contains("no gRPC"))
        var cut = GRPCReader(side: .response, coding: nil, limits: MessageLimits())
        #expect(Self.read(Self.message([1, 2, 3]).dropLast(), &cut).first?.problem?.contains("ended within") == true)
        var prefix = GRPCReader(side: .request, coding: nil, limits: MessageLimits())
        #expect(Self.read([0, 0, 0], &prefix).isEmpty && prefix.warnings.count == 1)
        var unnamed = GRPCReader(side: .request, coding: nil, limits: MessageLimits())
        #expect(Self.read(Self.message([1], flags: 1), &unnamed).first?.problem?.contains("not named") == true)
    }

    @Test("Random bytes never trap")
    func random() {
        var random = SeededGenerator(seed: 5)
        for round in 0..<3_000 {
            var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if round % 2 == 0 {
                bytes = Self.message(Array(bytes.prefix(20)), flags: UInt8(round % 4 / 2)) + [0, 0, 0, 0] + bytes
            }
            let coding = [nil, "gzip", "deflate", "br", "zstd", "snappy"].randomElement(using: &random) ?? nil
            var reader = GRPCReader(
                side: .response,
                coding: coding,
                limits: MessageLimits(keptBytes: 50, decodedBytes: 1_000)
            )
            let messages = Self.read(bytes, &reader, step: Int.random(in: 1...40, using: &random))
            #expect(messages.allSatisfy { $0.payload.readableBytes <= 50 })
        }
    }
}
