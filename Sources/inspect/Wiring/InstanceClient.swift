import AsyncHTTPClient
import Foundation
import NIOCore
import Traffic

/// Speaks to a running instance over its API.
struct InstanceClient: Sendable {
    /// A replay may take as long as an upstream may: its connect, and its silence.
    private static let deadline = TimeAmount.minutes(3)
    private static let answerLimitBytes = 1 << 20

    /// An archive may be long, and the store's disk slow.
    private static let importDeadline = TimeAmount.hours(12)

    private let instance: InstanceFile

    init(_ instance: InstanceFile) { self.instance = instance }

    /// Has an exchange replayed; returns the number of the new one.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not.
    func replay(_ id: ExchangeID) async throws -> ExchangeID {
        struct Answer: Decodable {
            var id: ExchangeID?
            var error: String?
        }
        var request = HTTPClientRequest(url: "\(instance.page)/api/v1/exchanges/\(id)/replay")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(instance.token)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: "{}"))
        let body: ByteBuffer
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: Self.deadline)
            body = try await response.body.collect(upTo: Self.answerLimitBytes)
        } catch {
            throw InputError(
                "the running proxy (process \(instance.pid)) does not answer at \(instance.page): \(error)"
            )
        }
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
        guard let newID = answer?.id else {
            throw InputError(
                "exchange \(id) could not be replayed: \(answer?.error ?? "the running proxy gave no reason")"
            )
        }
        return newID
    }

    /// What the instance says of an archive that it took.
    struct Imported: Decodable {
        var kind: String?
        var imported: Int64
        var first: ExchangeID?
        var last: ExchangeID?
        var leftOut: Int
        var mended: Int
        var notes: [String]
        var broken: String?
    }

    /// Has the instance import an archive, sent while it is read.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not; what reading the file throws.
    func importArchive(_ file: ArchiveFile) async throws -> Imported {
        struct Refusal: Decodable { var error: String? }
        var components = URLComponents(string: "\(instance.page)/api/v1/import")
        components?.queryItems = [URLQueryItem(name: "name", value: file.name)]
        var request = HTTPClientRequest(url: components?.string ?? "\(instance.page)/api/v1/import")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(instance.token)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .stream(file, length: file.size.map { .known($0) } ?? .unknown)
        let body: ByteBuffer
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: Self.importDeadline)
            body = try await response.body.collect(upTo: Self.answerLimitBytes)
        } catch let error as InputError {
            throw error
        } catch {
            throw InputError(
                "the running proxy (process \(instance.pid)) broke the import off: \(error); 'inspect import' again imports all of it once more"
            )
        }
        if let imported = try? JSONDecoder().decode(Imported.self, from: Data(body.readableBytesView)) {
            return imported
        }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body.readableBytesView))
        throw InputError("\(file.name) could not be imported: \(refusal?.error ?? "the running proxy gave no reason")")
    }
}
