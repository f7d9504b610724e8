import Traffic

extension HARMender {
    /// Repairs a request.
    mutating func request(_ value: JSONValue) -> JSONValue {
        var request = value
        twice(request, "request")
        string("method", of: &request, at: "request.", else: "GET", breaks: ["Chrome", "mitmproxy", "har-schema"])
        string(
            "url",
            of: &request,
            at: "request.",
            else: "http://unreadable.invalid/",
            breaks: ["Chrome", "mitmproxy", "har-schema"]
        )
        if let url = request["url"]?.string, let mark = url.firstIndex(of: "#") {
            add("request.url", "has a fragment", HARMender.schema, "loses it")
            request.set("url", .string(String(url[..<mark])))
        }
        version(of: &request, at: "request.")
        pairs("cookies", of: &request, at: "request.")
        pairs("headers", of: &request, at: "request.", breaks: ["Chrome", "mitmproxy", "Proxyman", "har-schema"])
        pairs("queryString", of: &request, at: "request.")
        size("headersSize", of: &request, at: "request.")
        size("bodySize", of: &request, at: "request.")
        if let posted = request["postData"] { postData(posted, of: &request) }
        return request
    }

    /// Repairs a response.
    mutating func response(_ value: JSONValue) -> JSONValue {
        var response = value
        twice(response, "response")
        number("status", of: &response, at: "response.", least: 0, else: 0, isWhole: true)
        string("statusText", of: &response, at: "response.", else: "", breaks: ["mitmproxy", "har-schema"])
        version(of: &response, at: "response.")
        pairs("cookies", of: &response, at: "response.")
        pairs("headers", of: &response, at: "response.", breaks: ["Chrome", "mitmproxy", "Proxyman", "har-schema"])
        object("content", of: &response, at: "response.", breaks: ["Chrome", "mitmproxy", "haralyzer", "har-schema"])
        content(of: &response)
        string("redirectURL", of: &response, at: "response.", else: "", breaks: ["haralyzer", "har-schema"])
        size("headersSize", of: &response, at: "response.")
        size("bodySize", of: &response, at: "response.")
        return response
    }

    private mutating func size(_ name: String, of object: inout JSONValue, at path: String) {
        number(name, of: &object, at: path, least: -1, else: -1, isWhole: true)
    }

    private mutating func version(of object: inout JSONValue, at path: String) {
        string("httpVersion", of: &object, at: path, else: "unknown", breaks: ["Chrome", "mitmproxy", "har-schema"])
        let mended: String
        switch object["httpVersion"]?.string?.lowercased() {
        case "h2", "http2": mended = "HTTP/2"
        case "h3", "http3", "h3-29": mended = "HTTP/3"
        default: return
        }
        let text = object["httpVersion"]?.string ?? ""
        add("\(path)httpVersion", "is \(text), which is no HTTP version", ["mitmproxy"], "becomes \(mended)")
        object.set("httpVersion", .string(mended))
    }

    private mutating func content(of response: inout JSONValue) {
        guard var content = response["content"] else { return }
        twice(content, "response.content")
        text("response.content.", of: &content)
        let length = content["text"]?.string?.utf8.count ?? 0
        number("size", of: &content, at: "response.content.", least: 0, else: Double(length), isWhole: true)
        string(
            "mimeType",
            of: &content,
            at: "response.content.",
            else: "x-unknown",
            breaks: ["haralyzer", "har-schema"]
        )
        if let value = content["compression"], value.integer == nil {
            add("response.content.compression", "is no whole number", HARMender.schema, "is dropped")
            content.remove("compression")
        }
        response.set("content", content)
    }

    private mutating func postData(_ value: JSONValue, of request: inout JSONValue) {
        guard value.isObject else {
            // Many write null where nothing was posted.
            add("request.postData", "is \(value.kind), no object", ["mitmproxy", "har-schema"], "is dropped")
            return request.remove("postData")
        }
        var posted = value
        let type = request["headers"]?.elements?.first { $0["name"]?.string?.lowercased() == "content-type" }
        string(
            "mimeType",
            of: &posted,
            at: "request.postData.",
            else: type?["value"]?.string ?? "application/octet-stream"
        )
        text("request.postData.", of: &posted)
        if let params = posted["params"], params.elements == nil {
            add("request.postData.params", "is \(params.kind), no list", HARMender.schema, "is dropped")
            posted.remove("params")
        }
        if posted["text"] == nil {
            let items = (posted["params"]?.elements ?? []).filter(\.isObject)
            let text = HARMender.posted(items, as: MediaType(posted["mimeType"]?.string))
            let problem = posted["params"] == nil ? "is missing" : "is missing beside params"
            add("request.postData.text", problem, ["mitmproxy"], "is made from params")
            posted.set("text", .string(text))
        }
        request.set("postData", posted)
    }

    /// Makes the posted body from its parts: a multipart body with the type's boundary, or else a form.
    private static func posted(_ items: [JSONValue], as type: MediaType?) -> String {
        guard type?.type == "multipart",
            let boundary = type?.parameters.first(where: { $0.name == "boundary" })?.value, !boundary.isEmpty
        else {
            return items.map { "\(formText($0["name"]))=\(formText($0["value"]))" }.joined(separator: "&")
        }
        // RFC 7578 §4.2; quotes and line ends of names as in every browser (WHATWG HTML, "multipart form data").
        func quoted(_ text: String) -> String {
            let escapes: [UInt8: String] = [0x0A: "%0A", 0x0D: "%0D", 0x22: "%22"]
            return String(
                decoding: text.utf8.flatMap { escapes[$0].map { Array($0.utf8) } ?? [$0] },
                as: UTF8.self
            )
        }
        let parts = items.map { item in
            var head = "Content-Disposition: form-data; name=\"\(quoted(item["name"]?.string ?? ""))\""
            if let name = item["fileName"]?.string { head += "; filename=\"\(quoted(name))\"" }
            if let type = item["contentType"]?.string, !type.isEmpty {
                head += "\r\nContent-Type: \(ArchiveFields.line(type))"
            }
            return "--\(boundary)\r\n\(head)\r\n\r\n\(item["value"]?.string ?? "")\r\n"
        }
        return parts.joined() + "--\(boundary)--\r\n"
    }

    /// Repairs `text` and `encoding` of a body.
    private mutating func text(_ path: String, of object: inout JSONValue) {
        if let text = object["text"], text.string == nil {
            add("\(path)text", "is \(text.kind), no string", ["Chrome", "mitmproxy", "har-schema"], "is dropped")
            object.remove("text")
        }
        guard let encoding = object["encoding"] else { return }
        guard encoding.string?.lowercased() == "base64" else {
            if encoding.string == "" { return }
            add("\(path)encoding", "is not base64", ["Chrome", "mitmproxy"], "is dropped")
            return object.remove("encoding")
        }
        guard let text = object["text"]?.string, Base64Decoder.bytes(text) == nil else { return }
        add("\(path)text", "is no base64", ["Chrome", "mitmproxy"], "is taken as text")
        object.remove("encoding")
    }

    /// Repairs a list of names and values.
    private mutating func pairs(
        _ name: String,
        of object: inout JSONValue,
        at path: String,
        breaks: [String] = HARMender.schema
    ) {
        guard let elements = object[name]?.elements else {
            let problem = object[name].map { $0.isNull ? "is null" : "is \($0.kind), no list" } ?? "is missing"
            add(path + name, problem, breaks, "becomes empty")
            return object.set(name, .array([]))
        }
        var isChanged = false
        var mended: [JSONValue] = []
        mended.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            var pair = element
            let place = "\(path)\(name)[\(index)]"
            let before = changes
            if let two = element.elements, two.count == 2, let name = two[0].string {
                add(place, "is a list, no object", ["Chrome", "har-schema"], "becomes an object")
                pair = .object([(name: "name", value: .string(name)), (name: "value", value: two[1])])
            }
            guard pair.isObject else {
                add(place, "is \(pair.kind), no object", breaks, "is left out")
                isChanged = true
                continue
            }
            string("name", of: &pair, at: place + ".", else: "", breaks: breaks)
            string("value", of: &pair, at: place + ".", else: "", breaks: breaks)
            if name == "cookies" { cookie(&pair, place) }
            isChanged = isChanged || changes > before
            mended.append(pair)
        }
        if isChanged { object.set(name, .array(mended)) }
    }

    private mutating func cookie(_ cookie: inout JSONValue, _ path: String) {
        if let expires = cookie["expires"], !expires.isNull, expires.string.flatMap(Timestamp.microseconds) == nil {
            add("\(path).expires", "is no date", HARMender.schema, "is dropped")
            cookie.remove("expires")
        }
        for name in ["httpOnly", "secure"] {
            guard let flag = cookie[name], flag.boolean == nil else { continue }
            add("\(path).\(name)", "is \(flag.kind), neither true nor false", HARMender.schema, "is dropped")
            cookie.remove(name)
        }
    }

    /// Repairs messages: Chrome skips, without a word, those that lack one of its four members.
    mutating func messages(of entry: inout JSONValue) {
        guard let list = entry["_webSocketMessages"] else { return }
        guard let elements = list.elements else {
            add("_webSocketMessages", "is \(list.kind), no list", HARMender.chrome, "is dropped")
            return entry.remove("_webSocketMessages")
        }
        var mended: [JSONValue] = []
        let before = changes
        // An entry may have as many members as messages.
        let started = entry["startedDateTime"]?.string.flatMap(Timestamp.microseconds) ?? 0
        for (index, element) in elements.enumerated() {
            let path = "_webSocketMessages[\(index)]."
            guard element.isObject else {
                add("_webSocketMessages[\(index)]", "is \(element.kind), no object", HARMender.chrome, "is left out")
                continue
            }
            var message = element
            if message["type"]?.string != "send", message["type"]?.string != "receive" {
                add("\(path)type", "is neither send nor receive", HARMender.chrome, "becomes receive")
                message.set("type", .string("receive"))
            }
            number("time", of: &message, at: path, least: 0, else: Double(started) / 1e6, breaks: HARMender.chrome)
            number("opcode", of: &message, at: path, least: 0, else: 1, isWhole: true, breaks: HARMender.chrome)
            string("data", of: &message, at: path, else: "", breaks: HARMender.chrome)
            mended.append(message)
        }
        if changes > before { entry.set("_webSocketMessages", .array(mended)) }
    }

    /// A parameter's name or value as a form has it.
    private static func formText(_ value: JSONValue?) -> String {
        PercentCoding.form(value?.string ?? value?.integer.map(String.init) ?? "")
    }
}
