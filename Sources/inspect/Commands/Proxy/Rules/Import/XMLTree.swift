import Foundation
import Traffic

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML file with what stands in it.
struct XMLTree {
    let name: String
    let attributes: [String: String]
    fileprivate(set) var children: [XMLTree] = []
    /// Its own text, without that of its children.
    fileprivate(set) var text = ""

    /// Attributes of an element: the parser compares each with all before it.
    private static let attributeLimit = 1_000

    fileprivate init(name: String, attributes: [String: String]) { (self.name, self.attributes) = (name, attributes) }

    /// Reads a file; one that declares its own entities is refused, so that none names another file or grows.
    ///
    /// - Parameters:
    ///   - text: the file, whose encoding is settled: what it says of that is passed over.
    ///   - path: its name, for messages.
    /// - Returns: the outermost element.
    /// - Throws: `RuleProblem` when it is no XML, or more than a rules file is.
    static func reading(_ text: String, path: String) throws(RuleProblem) -> XMLTree {
        let whole = Array(text.utf8)
        func refusal(_ place: Int, _ sentence: String) -> RuleProblem {
            let line = whole[..<place].count { $0 == ASCII.lineFeed } + 1
            return RuleProblem(path: path, line: line, column: 1, sentence: sentence)
        }
        // In another encoding the parser would find what is looked for here in vain.
        if let place = whole.firstIndex(of: 0) { throw refusal(place, "the file holds signs that are no text") }
        let bytes: ArraySlice<UInt8>
        do { bytes = try withoutDeclaration(whole[...]) } catch { throw refusal(0, error.sentence) }
        let pieces = bytes.split(separator: UInt8(ascii: "<"))
        guard pieces.allSatisfy({ attributeCount($0) <= attributeLimit }) else {
            throw refusal(0, "an element has too many attributes")
        }
        if let type = bytes.firstRange(of: "<!DOCTYPE".utf8) {
            throw refusal(type.lowerBound, "rules have no document type of their own")
        }
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        let reader = XMLTreeReader(path)
        parser.delegate = reader
        // On Linux the parser goes on behind a mistake, and then says that it was right.
        let isRead = parser.parse()
        if let problem = reader.problem { throw problem }
        guard isRead, let root = reader.root else {
            throw RuleProblem(path: path, line: 1, column: 1, sentence: "the file holds no XML")
        }
        return root
    }

    /// A file without its XML declaration, so that the parser reads UTF-8.
    ///
    /// - Throws: `Gap` where that names another encoding, does not end, or is followed by a second one, which the parser would obey.
    private static func withoutDeclaration(
        _ bytes: ArraySlice<UInt8>
    ) throws(ImportedRule.Gap) -> ArraySlice<UInt8> {
        guard beginsDeclaration(bytes) else { return bytes }
        guard let end = bytes.firstRange(of: "?>".utf8) else {
            throw ImportedRule.Gap("the XML declaration does not end")
        }
        let rest = bytes[end.upperBound...]
        guard !beginsDeclaration(rest) else { throw ImportedRule.Gap("the file has two XML declarations") }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let encoding = text.firstMatch(of: /encoding\s*=\s*["']?([^"'\s]*)/).map { ASCII.lower($0.1) }
        guard let encoding, !["utf-8", "us-ascii"].contains(encoding) else { return rest }
        throw ImportedRule.Gap("the encoding '\(encoding)' is not read; save the file as UTF-8")
    }

    /// Whether an XML declaration stands at the beginning.
    private static func beginsDeclaration(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "<?xml".utf8) && bytes.dropFirst(5).first.map { $0 <= 0x20 } != false
    }

    /// How many attributes an element may have: the signs '=' outside quotes, up to its end.
    private static func attributeCount(_ tag: ArraySlice<UInt8>) -> Int {
        var (count, quote): (Int, UInt8?) = (0, nil)
        for byte in tag {
            switch byte {
            case quote: quote = nil
            case _ where quote != nil: break
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "="): count += 1
            case UInt8(ascii: ">"): return count
            default: break
            }
        }
        return count
    }

    /// The first child of a name.
    func child(_ name: String) -> XMLTree? { children.first { $0.name == name } }

    /// The text of the first child of a name, without blanks round it; empty where there is none.
    func value(_ name: String) -> String { child(name)?.text.trimmingBlanks ?? "" }

    /// Whether the first child of a name says `true`; `default` where there is none.
    func flag(_ name: String, default: Bool = false) -> Bool {
        child(name) == nil ? `default` : ASCII.lower(value(name)) == "true"
    }

    /// The elements of a name at any depth, in the order of the file; within one of them none is looked for.
    func all(_ name: String) -> [XMLTree] { all { $0.name == name } }

    /// The elements that fulfil a condition, likewise.
    func all(where isWanted: (XMLTree) -> Bool) -> [XMLTree] {
        isWanted(self) ? [self] : children.flatMap { $0.all(where: isWanted) }
    }
}

/// Makes a tree of what Foundation's parser finds, up to a first mistake.
private final class XMLTreeReader: NSObject, XMLParserDelegate {
    /// Elements within elements.
    private static let depthLimit = 32
    /// Elements of a file.
    private static let limit = 200_000

    private let path: String
    /// The elements that have begun, the innermost last.
    private var open: [XMLTree] = []
    private var count = 0
    private(set) var root: XMLTree?
    private(set) var problem: RuleProblem?

    init(_ path: String) { self.path = path }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        count += 1
        open.append(XMLTree(name: name, attributes: attributes))
        if open.count > XMLTreeReader.depthLimit {
            end(parser, "elements lie more than \(XMLTreeReader.depthLimit) deep in one another")
        } else if count > XMLTreeReader.limit {
            end(parser, "the file holds more than \(XMLTreeReader.limit) elements")
        }
    }

    func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
        guard problem == nil, let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    func parser(_ parser: XMLParser, foundCDATA bytes: Data) {
        self.parser(parser, foundCharacters: String(decoding: bytes, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        end(parser, "the XML cannot be read beyond this place")
    }

    private func end(_ parser: XMLParser, _ sentence: String) {
        guard problem == nil else { return }
        let (line, column) = (max(1, parser.lineNumber), max(1, parser.columnNumber))
        problem = RuleProblem(path: path, line: line, column: column, sentence: sentence)
        parser.abortParsing()
    }
}
