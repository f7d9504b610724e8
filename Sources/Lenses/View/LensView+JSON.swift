package import Traffic

extension LensView {
    /// Writes the view as an object: `lens`, `title`, `request`, `response`, `failure` and `sections`, each with a `kind`.
    package func write(to json: inout JSONWriter, name: String? = nil) {
        json.object(name) { json in
            json.string("lens", lens)
            json.string("title", title)
            json.string("request", request)
            json.string("response", response)
            json.string("failure", failure)
            json.array("sections") { json in for section in sections { section.write(to: &json) } }
        }
    }
}

extension LensSection {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("title", title)
            switch content {
            case .fields(let fields):
                json.string("kind", "fields")
                json.array("fields") { json in
                    for field in fields {
                        json.object { json in
                            json.string("name", field.name)
                            field.value.write(to: &json, name: "value")
                        }
                    }
                }
            case .table(let table):
                json.string("kind", "table")
                json.array("columns") { json in for column in table.columns { json.string(nil, column) } }
                json.array("rows") { json in
                    for row in table.rows { json.array { json in for cell in row { cell.write(to: &json) } } }
                }
                json.integer("total", table.total)
            case .tree(let nodes):
                json.string("kind", "tree")
                json.array("nodes") { json in for node in nodes { node.write(to: &json) } }
            case .text(let text):
                json.string("kind", "text")
                json.string("text", text)
            case .advice(let advice):
                json.string("kind", "text")
                json.string("text", advice.sentence)
            }
        }
    }
}

extension LensNode {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            label.write(to: &json, name: "label")
            detail?.write(to: &json, name: "detail")
            json.array("children") { json in for child in children { child.write(to: &json) } }
        }
    }
}

extension LensText {
    fileprivate func write(to json: inout JSONWriter, name: String? = nil) {
        json.object(name) { json in
            json.string("text", text)
            json.string("tone", tone.rawValue)
        }
    }
}
