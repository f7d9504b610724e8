/// Something done to every answer of a fault plan, by the word that asks for it.
package enum Spoiling: String, Sendable, CaseIterable {
    /// Every 404 is an HTML page.
    case html404
    /// Every body breaks off half way.
    case truncate
    /// Special schedules lose their dates.
    case nullspecial
    /// CKAN answers 200 with `"success":false`.
    case successFalse = "success-false"
    /// CloudKit answers 200, its first record an error.
    case recordError = "record-error"
    /// The meeting server finds nothing, and says so as it always does.
    case empty
    /// A JSON body ends in the middle, its length that of what is there.
    case badJSON = "bad-json"
}

extension FaultPlan {
    /// An honest answer with those spoilings that change its body and keep its status.
    func spoiled(_ answer: Answer, from family: APIFamily) -> Answer {
        guard answer.status == 200, let value = answer.value else { return answer }
        var spoiled = answer
        switch family {
        case .openData where spoilings.contains(.successFalse):
            spoiled = answer.replacing([
                "help": value["help"] ?? "", "success": false,
                "error": ["__type": "Search Error", "message": "The search index does not answer"],
            ])
        case .cloudKit where spoilings.contains(.recordError): spoiled = answer.replacing(Self.withRecordError(value))
        case .meetings where spoilings.contains(.empty) && value["meetings"] != nil:
            spoiled = answer.replacing(["meta": ["total": 0], "meetings": []])
        default: break
        }
        if spoilings.contains(.badJSON) { spoiled.body.removeLast(min(spoiled.body.count, 2)) }
        return spoiled
    }

    private static func withRecordError(_ value: JSON) -> JSON {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member in
                guard member.name == "records", let records = member.value.elements, let first = records.first else {
                    return member
                }
                let failed: JSON = [
                    "recordName": first["recordName"] ?? "", "reason": "the record could not be read",
                    "serverErrorCode": "INTERNAL_ERROR",
                ]
                return .init(name: member.name, value: .array([failed] + records.dropFirst()))
            }
        )
    }
}
