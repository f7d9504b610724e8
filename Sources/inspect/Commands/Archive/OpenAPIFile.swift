import Foundation
import Lenses
import Traffic
import Web
import Yams

/// OpenAPI documents in files: JSON or YAML.
enum OpenAPIFile {
    /// Bytes of a document.
    private static let limitBytes = 64 << 20

    /// Reads a document.
    ///
    /// - Throws: `InputError` in one line: what is wrong, and where.
    static func document(at path: String) throws -> OpenAPIDocument {
        let name = URL(fileURLWithPath: path).lastPathComponent
        do {
            return try OpenAPIDocument(value(try bytes(at: path), name))
        } catch let problem as OpenAPIProblem {
            throw InputError("\(name): \(problem)")
        }
    }

    /// The text of a document as YAML, with its members in order.
    static func yaml(_ value: JSONValue) throws -> String {
        try Yams.serialize(node: YAMLNode.node(of: value), width: -1, allowUnicode: true)
    }

    private static func bytes(at path: String) throws -> [UInt8] {
        let file = try ArchiveFile(path, progress: Progress())
        var bytes: [UInt8] = []
        while true {
            let piece = try file.next()
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limitBytes else { throw InputError("\(file.name): a document has at most 64 MiB") }
        }
    }

    private static func value(_ bytes: [UInt8], _ name: String) throws -> JSONValue {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if text.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            do {
                return try ExactJSON.value(text)
            } catch {
                throw InputError("\(name) \(error)")
            }
        }
        guard let yaml = String(validating: text, as: UTF8.self) else { throw InputError("\(name) is no UTF-8 text") }
        do {
            guard let node = try YAMLNode.compose(yaml) else { throw InputError("\(name) is empty") }
            var reader = YAMLReader(textBytes: text.count, longNumbers: .marked)
            return try reader.value(of: node)
        } catch let error as YamlError {
            throw InputError("\(name) is no YAML: \(YAMLNode.sentence(error))")
        } catch let error as YAMLReader.Problem {
            throw InputError("\(name): \(error)")
        }
    }
}
