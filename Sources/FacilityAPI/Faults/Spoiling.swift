/// A way to spoil every answer of a fault plan, by the word that asks for it.
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
    /// The meeting server's `server_ids` are an object, as where PHP's `asort` moved them and kept their keys.
    case objectIDs = "object-ids"
    /// What's Open tells the first place of an answer latitude first.
    case swappedPlace = "swapped-place"
    /// What's Open gives the last facility of a list the slug of the first.
    case twinSlugs = "twin-slugs"
}

extension FaultPlan {
    /// An honest answer with the spoilings that change its body and keep its status.
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
        case .meetings where spoilings.contains(.objectIDs):
            spoiled = answer.replacing(value.replacing("server_ids") { $0.keyedAsUnsorted })
        case .whatsOpen:
            var value = value
            if spoilings.contains(.swappedPlace) { value = value.replacingFirst { $0.withSwappedPlace } }
            if spoilings.contains(.twinSlugs) { value = value.withTwinSlugs }
            if value != answer.value { spoiled = answer.replacing(value) }
        default: break
        }
        if spoilings.contains(.badJSON) { spoiled.body.removeLast(min(spoiled.body.count, 2)) }
        return spoiled
    }

    private static func withRecordError(_ value: JSON) -> JSON {
        value.replacing("records") { records in
            records.replacingFirst { first in
                [
                    "recordName": first["recordName"] ?? "", "reason": "the record could not be read",
                    "serverErrorCode": "INTERNAL_ERROR",
                ]
            }
        }
    }
}

extension JSON {
    /// An object with a member changed, where it has one of that name.
    fileprivate func replacing(_ name: String, _ change: (JSON) -> JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == name ? .init(name: name, value: change($0.value)) : $0 })
    }

    /// A list with its first element changed; anything else changed itself.
    fileprivate func replacingFirst(_ change: (JSON) -> JSON) -> JSON {
        guard let elements else { return change(self) }
        guard let first = elements.first else { return self }
        return .array([change(first)] + elements.dropFirst())
    }

    /// A sorted list as an object, the keys those that its elements had the other way round.
    fileprivate var keyedAsUnsorted: JSON {
        guard let elements else { return self }
        return .object(
            elements.enumerated().map { .init(name: String(elements.count - 1 - $0.offset), value: $0.element) }
        )
    }

    /// A location, or a facility with one, its coordinates the other way round.
    fileprivate var withSwappedPlace: JSON {
        replacing("facility_location") { $0.withSwappedPlace }.replacing("coordinate_location") { place in
            place.replacing("coordinates") { $0.elements.map { .array($0.reversed()) } ?? $0 }
        }
    }

    /// A list of facilities, the last of which has the slug of the first.
    fileprivate var withTwinSlugs: JSON {
        guard let elements, elements.count > 1, let slug = elements.first?["slug"], let last = elements.last else {
            return self
        }
        return .array(elements.dropLast() + [last.replacing("slug") { _ in slug }])
    }
}
