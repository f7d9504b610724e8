/// The open-data portal's refusals: CKAN's envelope with `success` false, in the words of each error class.
enum OpenDataErrors {
    /// The media type of every action's answer.
    static let type = "application/json;charset=utf-8"

    /// Parameters that will not do: 409, a sentence for each.
    static func validation(_ reasons: [JSON.Member], _ action: String, _ request: IncomingRequest) -> Answer {
        failure(409, .object(reasons + [.init(name: "__type", value: "Validation Error")]), action, request)
    }

    /// An unknown name, in CKAN's own words; Toronto's front server makes an HTML page of that refusal on `package_show`.
    static func notFound(_ action: String, _ request: IncomingRequest, _ message: String = "Not found") -> Answer {
        failure(404, ["__type": "Not Found Error", "message": .string(message)], action, request)
    }

    /// An action that this client may not do.
    static func authorization(_ action: String, _ request: IncomingRequest) -> Answer {
        let message = "Access denied: User \"\" not authorized to perform \(action)"
        return failure(403, ["__type": "Authorization Error", "message": .string(message)], action, request)
    }

    /// A search whose parameters make no query.
    static func search(
        _ action: String,
        _ request: IncomingRequest,
        _ reason: String = "Unknown parameter"
    ) -> Answer {
        let message = "Search Query is invalid: '\(reason)'"
        return failure(400, ["__type": "Search Query Error", "message": .string(message)], action, request)
    }

    /// A query that the search engine cannot parse.
    static func engine(_ action: String, _ request: IncomingRequest) -> Answer {
        let message = "Search error: 'SOLR returned an error running query: org.apache.solr.search.SyntaxError'"
        return failure(409, ["__type": "Search Error", "message": .string(message)], action, request)
    }

    /// An unknown action: a bare JSON string.
    static func unknownAction(_ action: String) -> Answer {
        .json(400, .string("Bad request: Action name not known: \(action)"), type: type)
    }

    /// The address of an action's help.
    static func help(_ action: String, _ request: IncomingRequest) -> JSON {
        .string("\(request.origin)/api/3/action/help_show?name=\(action)")
    }

    private static func failure(_ status: Int, _ error: JSON, _ action: String, _ request: IncomingRequest) -> Answer {
        .json(status, ["help": help(action, request), "success": false, "error": error], type: type)
    }
}
