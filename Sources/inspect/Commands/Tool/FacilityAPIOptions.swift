import ArgumentParser
import FacilityAPI
import Foundation
import Traffic

/// Where the stand-in servers listen, what they hold, and what goes wrong with them.
struct FacilityAPIOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 picks one and prints it.", valueName: "n"))
    var port: Int = 0

    @Flag(help: "Speak HTTPS, with a certificate minted at start.")
    var tls = false

    @Option(
        help: ArgumentHelp("With --tls: write that certificate, PEM, to this file.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "What goes wrong: 500:0.05,429:0.1,slow:2s,html404,truncate,nullspecial, and more.",
            discussion: """
                Statuses 400 401 403 404 405 406 409 412 413 415 418 421 429 500 502 503 504 and CloudKit's codes, each with a probability; \
                and success-false (CKAN), record-error (CloudKit), empty and object-ids (meetings), swapped-place and twin-slugs (What's Open), bad-json.
                """,
            valueName: "faults"
        )
    )
    var fault: String?

    @Option(
        help: ArgumentHelp(
            "The servers' time at the start, such as 2026-09-18T12:00; it runs on from there.",
            valueName: "time"
        )
    )
    var now: String?

    @Option(help: ArgumentHelp("The version of What's Open's API: 2.1 or 2.2.", valueName: "version"))
    var apiVersion: String = FacilityAPIConfiguration.APIVersion.v2_2.rawValue

    @Option(help: ArgumentHelp("The seed of the faults' random numbers.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Change the data at the start, as JSON; may be repeated.",
            discussion: #"""
                {"facility":"late-slice","day":"friday","end":"20:00"}, {"alert":{"subject":"…"}}, {"remove-alert":11}, \
                {"remove-field":"phone_number"}, {"set-field":"note","value":"…"} or {"status":500,"path":"/whatsopen/v2/alerts/"}; \
                "after":N lets N requests pass first.
                """#,
            valueName: "change"
        )
    )
    var change: [String] = []

    @Option(help: ArgumentHelp("Requests that What's Open allows an anonymous client in a day.", valueName: "n"))
    var throttle: Int?

    @Option(
        help: ArgumentHelp(
            "The version of CKAN: 2.8, or 2.10, which lacks the activity actions.",
            valueName: "version"
        )
    )
    var ckan: String = "2.8"

    mutating func validate() throws {
        if !(0...65535).contains(port) { throw ValidationError("--port \(port): expected 0 to 65535") }
        if certificate != nil, !tls { throw ValidationError("--certificate goes with --tls") }
        do {
            _ = try settings()
        } catch {
            throw ValidationError(String(describing: error))
        }
    }

    /// The configuration these options ask for.
    ///
    /// - Throws: `InputError` or `FacilityAPIError` naming the option that cannot be used.
    func settings() throws -> FacilityAPIConfiguration {
        guard let version = FacilityAPIConfiguration.APIVersion(rawValue: apiVersion) else {
            throw InputError("--api-version \(apiVersion): expected 2.1 or 2.2")
        }
        guard ["2.8", "2.10"].contains(ckan) else { throw InputError("--ckan \(ckan): expected 2.8 or 2.10") }
        if let throttle, throttle < 0 { throw InputError("--throttle \(throttle): expected a number of requests") }
        let shift = try now.map { text in
            let start = Date()
            guard let wanted = Moment.parse(text, now: Moment.microseconds(start)) else {
                throw InputError("--now \(text): \(Moment.expectation)")
            }
            return Double(wanted) / 1_000_000 - start.timeIntervalSince1970
        }
        return FacilityAPIConfiguration(
            port: port,
            tls: tls,
            faults: try fault.map { try FaultPlan(parsing: $0) } ?? FaultPlan(),
            clock: { Date(timeIntervalSinceNow: shift ?? 0) },
            throttleLimit: throttle,
            apiVersion: version,
            seed: seed,
            changes: try change.flatMap { try FacilityChange.reading($0) },
            isCKANRecent: ckan == "2.10"
        )
    }
}
