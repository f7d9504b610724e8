import Foundation
import Traffic

/// An exchange with the portal: its request, and its answer.
struct CKANReading {
    /// The words for what the app shows in place of an answer that it cannot use.
    static let noData = "the app shows No Data"

    let request: CKANRequest
    let answer: CKANAnswer
    /// Whether the envelope names an address with help.
    let hasHelp: Bool
    let code: Int?
    /// When the server answered; ages count back from this moment.
    let moment: Date

    init(_ capture: Capture) {
        request = CKANRequest(capture)
        (answer, hasHelp) = CKANAnswer.read(capture.response)
        code = capture.exchange.code
        moment = capture.moment
    }

    /// Whether the app accepts the answer, which it judges by the status alone.
    var isAccepted: Bool { code.map { (200..<300).contains($0) } ?? false }

    /// The packages of the answer, each with its pointer.
    var packages: [(package: JSONValue, pointer: String)] {
        guard let result = answer.result else { return [] }
        switch request.action {
        case "package_show": return [(result, "/result")]
        case "package_search":
            return (result["results"]?.elements ?? []).enumerated().map { ($1, "/result/results/\($0)") }
        case "recently_changed_packages_activity_list", "package_activity_list":
            return (result.elements ?? []).enumerated().compactMap { index, activity in
                (activity["data"]?["package"]).map { ($0, "/result/\(index)/data/package") }
            }
        default:
            return result["resources"] != nil && result["name"] != nil ? [(result, "/result")] : []
        }
    }

    /// The packages that can be read.
    var datasets: [Dataset] { packages.compactMap { Dataset($0.package) } }

    /// The answer in words, one line; `nil` where there is none.
    var response: String? {
        guard let code else { return nil }
        guard request.isCall else { return "\(code), no answer to a call" }
        guard let result = answer.result else { return "\(code): \(answer.failure ?? "no body")" }
        return isAccepted ? summary(of: result) : "\(code), with a result: \(summary(of: result))"
    }

    /// Why an answer that the app accepts is a failure; `nil` where it is none.
    var failure: String? {
        guard isAccepted, request.isCall else { return nil }
        switch answer {
        case .result(let result): return emptied(result)
        case .refused(let refusal): return "success is false: \(refusal.sentence); \(CKANReading.noData)"
        default: return "the body is not the portal's: \(answer.failure ?? ""); \(CKANReading.noData)"
        }
    }

    /// The mistake in the request that leaves nothing to show; `nil` where there is none.
    private func emptied(_ result: JSONValue) -> String? {
        guard request.action == "package_search", result["count"]?.integer == 0 else { return nil }
        if let order = request.misplacedOrder {
            return "nothing was found because “\(order)” stands inside fq, where it is searched for (C1)"
        }
        if let tag = request.unquotedTag {
            return "nothing was found because the tag “\(tag)” stands without quotes (C2)"
        }
        return nil
    }

    private func summary(of result: JSONValue) -> String {
        switch request.action {
        case "package_search":
            let shown = result["results"]?.elements?.count ?? 0
            let count = result["count"]?.integer.map { String($0) } ?? "?"
            return "\(count) dataset\(count == "1" ? "" : "s") found, \(shown) here"
        case "package_show": return "the dataset “\(Dataset(result)?.title ?? "without a name")”"
        case "datastore_search":
            let records = result["records"]?.elements ?? []
            let total = result["total"]?.integer.map { " of \($0)" } ?? ""
            let geometry = RecordGeometry(records: records)
            return "\(records.count.counted("record"))\(total)\(geometry.isMap ? ": " + geometry.sentence : "")"
        case "tag_list": return (result.elements?.count ?? 0).counted("tag")
        case "package_list": return (result.elements?.count ?? 0).counted("name")
        case "user_list": return (result.elements?.count ?? 0).counted("admin")
        case "vocabulary_list": return (result.elements?.count ?? 0).counted("vocabulary", "vocabularies")
        case "package_autocomplete": return (result.elements?.count ?? 0).counted("suggestion")
        case "recently_changed_packages_activity_list", "package_activity_list":
            return (result.elements?.count ?? 0).counted("change")
        default:
            return result.string.map { "“\($0.prefix(80))”" } ?? result.elements.map { $0.count.counted("element") }
                ?? result.kind
        }
    }
}
