import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Traffic

extension InstanceClient {
    /// Bytes of one line of the answer, at most.
    private static var lineLimitBytes: Int { 1 << 20 }
    /// A slow rate is silent for long.
    private static var replayDeadline: TimeAmount { .hours(24 * 7) }

    /// The running instance of a store.
    ///
    /// - Throws: `InputError` when none runs.
    static func running(on store: StoreOptions) throws -> InstanceClient {
        guard let instance = try InstanceFile.read(for: store.path) else {
            throw InputError(
                "no proxy is running on \(store.path); start one with 'inspect start' and the same --store"
            )
        }
        return InstanceClient(instance)
    }

    /// Has exchanges sent again, and gives each line of the answer as it comes.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not, or breaks off; what `give` throws.
    func replay(_ plan: ReplayPlan, _ give: (ReplayLine) throws -> Void) async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.silence(Self.replayDeadline))
        do {
            try await replay(plan, by: client, give)
        } catch {
            try? await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    private func replay(_ plan: ReplayPlan, by client: HTTPClient, _ give: (ReplayLine) throws -> Void) async throws {
        var isDone = false
        do {
            let response = try await client.execute(try request("replay", plan), timeout: Self.replayDeadline)
            guard response.status == .ok else {
                struct Refusal: Decodable { var error: String? }
                let body = try await response.body.collect(upTo: Self.lineLimitBytes)
                let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body.readableBytesView))
                throw InputError("nothing could be replayed: \(refusal?.error ?? "the running proxy gave no reason")")
            }
            var held = ByteBuffer()
            for try await piece in response.body {
                held.writeImmutableBuffer(piece)
                while let end = held.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
                    let line = held.readBytes(length: end + 1 - held.readerIndex)
                {
                    let read = try JSONDecoder().decode(ReplayLine.self, from: Data(line))
                    if read.summary != nil { isDone = true }
                    try give(read)
                }
                held.discardReadBytes()
                guard held.readableBytes <= Self.lineLimitBytes else { break }
            }
        } catch let error as HTTPClientError {
            throw InputError("the running proxy broke the replays off: \(error)")
        } catch let error as DecodingError {
            throw InputError("the running proxy said something that is no replay: \(error)")
        }
        guard isDone else { throw InputError("the running proxy broke the replays off; what was sent is recorded") }
    }
}
