import Foundation
package import Hummingbird
import Logging

/// The responder to every request: reads it whole, draws its fault, and asks the API that it belongs to.
package struct FacilityResponder: HTTPResponder {
    package typealias Context = FacilityRequestContext

    private let configuration: FacilityAPIConfiguration
    private let dice: FaultDice
    private let apis: StandInAPIs

    /// A responder with data of its own, made for the instant its clock shows now.
    package init(configuration: FacilityAPIConfiguration) throws {
        self.configuration = configuration
        dice = FaultDice(seed: configuration.seed)
        apis = try StandInAPIs(configuration: configuration)
    }

    /// Applies the configuration's changes, before the first request.
    ///
    /// - Throws: ``FacilityAPIError`` when a change applies to nothing.
    package func prepare() async throws {
        let now = configuration.clock()
        for change in configuration.changes { _ = try await apis.desk.take(change, at: now, isOriginal: true) }
    }

    /// The response to one request; only a connection that breaks while the body arrives throws.
    package func respond(to request: Request, context: Context) async throws -> Response {
        var body: [UInt8] = []
        for try await part in request.body {
            guard body.count + part.readableBytes <= IncomingRequest.bodyLimitBytes else {
                return response(to: request, FaultAnswers.page(413, "Request Entity Too Large"), isTruncated: false)
            }
            body.append(contentsOf: part.readableBytesView)
        }
        if request.asksForOtherProtocol { try await context.stopReading() }
        var headers = request.headers.map { (name: $0.name.rawName, value: $0.value) }
        if let authority = request.head.authority { headers.append(("Host", authority)) }
        let incoming = IncomingRequest(
            method: request.method.rawValue,
            target: request.head.path ?? "",
            headers: headers,
            body: body,
            remoteAddress: context.remoteAddress,
            isSecure: configuration.tls,
            now: configuration.clock()
        )
        guard let incoming else {
            return response(to: request, FaultAnswers.page(400, "Bad Request"), isTruncated: false)
        }
        let (answer, isTruncated) = try await answer(to: incoming)
        context.logger.debug(
            "answered",
            metadata: [
                "method": "\(incoming.method)", "path": "\(incoming.path)", "status": "\(answer.status)",
            ]
        )
        return response(to: request, answer, isTruncated: isTruncated)
    }

    private func answer(to incoming: IncomingRequest) async throws -> (Answer, isTruncated: Bool) {
        var faults = configuration.faults
        if let wish = incoming.header("X-Fault") {
            do throws(FacilityAPIError) {
                faults = try FaultPlan(parsing: wish)
            } catch {
                return (.text(400, "X-Fault: \(error)\n", type: "text/plain; charset=utf-8"), false)
            }
        }
        let family = APIFamily(path: incoming.path)
        if faults.delay > .zero { try await Task.sleep(for: faults.delay) }
        // Administration is not traffic: no fault hits it, no change waits for it.
        guard family != .administration else { return (await apis.answer(to: incoming, family: family), false) }
        let alterations = await apis.desk.requestCame(at: incoming.now)
        var answer: Answer
        if let fault = await dice.draw(faults) {
            answer = FaultAnswers.answer(for: fault, from: family, to: incoming)
        } else if let code = alterations.status(of: incoming.path) {
            answer = FaultAnswers.answer(for: .status(code), from: family, to: incoming)
        } else {
            var incoming = incoming
            incoming.servesNullSpecials = faults.servesNullSpecials
            incoming.alterations = alterations
            answer = await apis.answer(to: incoming, family: family)
            answer = faults.spoiled(answer, from: family)
        }
        if answer.status == 404, faults.answersNotFoundAsHTML {
            answer = FaultAnswers.page(404, "Not Found")
        }
        return (answer, faults.truncatesBodies)
    }

    /// Makes Hummingbird's response of ours: HEAD keeps the length and drops the body, a truncated one breaks off.
    private func response(to request: Request, _ answer: Answer, isTruncated: Bool) -> Response {
        var fields = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPFields.Element.Name(name) { fields.append(.init(name: name, value: value)) }
        }
        let status = HTTPResponse.Status(code: answer.status)
        let bytes = ByteBuffer(bytes: answer.body)
        if answer.status != 304, answer.status != 204 { fields[.contentLength] = String(answer.body.count) }
        if request.method == .head || answer.body.isEmpty {
            return Response(status: status, headers: fields, body: ResponseBody())
        }
        guard isTruncated else {
            return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: bytes))
        }
        let half = bytes.getSlice(at: 0, length: bytes.readableBytes / 2) ?? ByteBuffer()
        return Response(
            status: status,
            headers: fields,
            body: ResponseBody(contentLength: bytes.readableBytes) { writer in
                try await writer.write(half)
                throw FacilityAPIError("the fault plan breaks this body off")
            }
        )
    }
}
