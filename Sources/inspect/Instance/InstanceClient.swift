import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Traffic

/// Speaks to a running instance over its API.
struct InstanceClient: Sendable {
    /// What takes no time at all where it works.
    private static let lookDeadline = TimeAmount.seconds(5)
    /// Deleting from a large store, or writing it anew, may take longer.
    private static let changeDeadline = TimeAmount.minutes(30)
    /// The rules are the longest answer: 10,000 of them at most.
    private static let answerLimitBytes = 16 << 20

    /// An archive may be long, and the store's disk slow.
    private static let importDeadline = TimeAmount.hours(12)

    private let instance: InstanceFile
    /// What is quick.
    private let deadline: TimeAmount

    /// - Parameters:
    ///   - instance: the instance that is asked.
    ///   - deadline: how long an answer may take that is quick.
    init(_ instance: InstanceFile, within deadline: TimeAmount = .minutes(3)) {
        (self.instance, self.deadline) = (instance, deadline)
    }

    /// Nothing to say beside the address.
    private struct Nothing: Codable {}

    /// What stands at an address of the API.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not say.
    func get<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        do {
            return try await send(.GET, path, Nothing(), within: deadline, as: type)
        } catch let refusal as Refusal {
            throw InputError(refusal.reason)
        }
    }

    /// Has something done that an address of the API names.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not.
    func post<Answer: Decodable>(_ path: String, as type: Answer.Type) async throws -> Answer {
        try await post(path, Nothing(), as: type)
    }

    /// Has something done that an address of the API and a JSON body name.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not.
    func post<Answer: Decodable>(_ path: String, _ body: some Encodable, as type: Answer.Type) async throws -> Answer {
        do {
            return try await send(.POST, path, body, within: Self.changeDeadline, as: type)
        } catch let refusal as Refusal {
            throw InputError(refusal.reason)
        }
    }

    /// Has taken away what an address of the API names.
    ///
    /// - Throws: `InputError` with the instance's own words when it will not.
    func delete(_ path: String) async throws {
        do {
            _ = try await send(.DELETE, path, Nothing(), within: deadline, as: Nothing.self)
        } catch let refusal as Refusal {
            throw InputError(refusal.reason)
        }
    }

    /// The text of an address of the page.
    ///
    /// - Throws: `InputError` when it does not answer, or not with a text.
    func text(_ path: String) async throws -> String {
        var request = HTTPClientRequest(url: "\(instance.page)/\(path)")
        request.headers.add(name: "Authorization", value: "Bearer \(instance.token)")
        let response = try await HTTPClient.shared.execute(request, timeout: Self.lookDeadline)
        guard response.status == .ok else { throw InputError("\(instance.page)/\(path) answers \(response.status)") }
        return String(buffer: try await response.body.collect(upTo: Self.answerLimitBytes))
    }

    /// The instance said no.
    private struct Refusal: Error, Decodable {
        var error: String?
        /// What it answered in place of a reason.
        var status = ""
        var reason: String { error ?? "the running proxy answered \(status) and gave no reason" }

        private enum CodingKeys: String, CodingKey { case error }
    }

    private func send<Answer: Decodable>(
        _ method: HTTPMethod,
        _ path: String,
        _ content: some Encodable,
        within limit: TimeAmount,
        as type: Answer.Type
    ) async throws -> Answer {
        let request = try request(path, content, method)
        let body: ByteBuffer
        let status: HTTPResponseStatus
        do {
            // The shared client takes a silence of 90 seconds for a fault, and a large store is silent for longer.
            (status, body) = try await HTTPClient.withHTTPClient(configuration: Self.silence(limit)) { client in
                let response = try await client.execute(request, timeout: limit)
                return (response.status, try await response.body.collect(upTo: Self.answerLimitBytes))
            }
        } catch {
            throw InputError(
                "the running proxy (process \(instance.pid)) does not answer at \(instance.page): \(error)"
            )
        }
        guard status == .ok, let answer = try? JSONDecoder().decode(type, from: Data(body.readableBytesView)) else {
            throw (try? JSONDecoder().decode(Refusal.self, from: Data(body.readableBytesView)))
                ?? Refusal(status: "\(status)")
        }
        return answer
    }

    /// What takes a longer silence for a fault: the time that a request is given ends with the head of its answer.
    static func silence(_ limit: TimeAmount) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.timeout.read = limit
        return configuration
    }

    /// A request for an address of the API, with a JSON body where it is none to read.
    func request(_ path: String, _ content: some Encodable, _ method: HTTPMethod = .POST) throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(instance.page)/api/v1/\(path)")
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(instance.token)")
        guard method != .GET else { return request }
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(content)))
        return request
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
    func importArchive(_ file: ArchiveFile, session: String?) async throws -> Imported {
        struct Refusal: Decodable { var error: String? }
        var components = URLComponents(string: "\(instance.page)/api/v1/import")
        components?.queryItems = [URLQueryItem(name: "name", value: file.name)]
        if let session { components?.queryItems?.append(URLQueryItem(name: "session", value: session)) }
        // A plus sign would be read as a blank.
        let query = components?.percentEncodedQuery?.replacing("+", with: "%2B")
        components?.percentEncodedQuery = query
        var request = HTTPClientRequest(url: components?.string ?? "\(instance.page)/api/v1/import")
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(instance.token)")
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .stream(file, length: file.size.map { .known($0) } ?? .unknown)
        let body: ByteBuffer
        do {
            body = try await HTTPClient.withHTTPClient(configuration: Self.silence(Self.importDeadline)) { client in
                let response = try await client.execute(request, timeout: Self.importDeadline)
                return try await response.body.collect(upTo: Self.answerLimitBytes)
            }
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
