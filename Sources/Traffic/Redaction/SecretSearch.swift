/// Finds the secrets of a text and of the texts inside it, as far as their escapes can be undone.
enum SecretSearch {
    /// All secrets, in order and without overlaps; a text that `isPlaceholder` knows was masked already.
    ///
    /// A stretch of base64 whose text has a secret is one, since no part of it can be masked alone. Base64 within base64 is not decoded.
    static func findings(
        in text: [UInt8],
        form: SecretScanner.Form = .text,
        window: SearchWindow = .standard,
        limit: Int = Redactor.findingLimit,
        isPlaceholder: @escaping ([UInt8]) -> Bool = { _ in false }
    ) -> [SecretScanner.Finding] {
        var scanner = SecretScanner(text, form: form, limit: limit, isPlaceholder: isPlaceholder)
        var findings = scanner.run()
        var inside: [SecretScanner.Finding] = []
        // Behind this all is masked.
        var end = text.count
        Base64Text.each(in: text, form: form, window: window) { piece in
            findings += shown(in: piece, limit: limit, isPlaceholder: isPlaceholder)
        } _: { range, inner in
            guard range.lowerBound < end,
                let first = shown(in: inner, window: window, limit: limit, isPlaceholder: isPlaceholder).first
            else { return }
            guard inside.count < limit else {
                end = range.lowerBound
                return
            }
            inside.append(
                SecretScanner.Finding(range: range, kind: first.kind, place: "base64 \(first.place)", isLocal: true)
            )
        }
        if end < text.count {
            let place = "all behind too many others"
            inside.append(SecretScanner.Finding(range: end..<text.count, kind: .secret, place: place, isLocal: true))
        }
        return joined(findings + inside)
    }

    /// All secrets outside of base64.
    private static func shown(
        in text: [UInt8],
        window: SearchWindow,
        limit: Int,
        isPlaceholder: @escaping ([UInt8]) -> Bool
    ) -> [SecretScanner.Finding] {
        var scanner = SecretScanner(text, form: .text, limit: limit, isPlaceholder: isPlaceholder)
        var findings = scanner.run()
        DecodedPiece.each(in: text, form: .text, window: window) { piece in
            findings += shown(in: piece, limit: limit, isPlaceholder: isPlaceholder)
        }
        return findings
    }

    /// The secrets of a piece, at their places in the whole text.
    private static func shown(
        in piece: DecodedPiece,
        limit: Int,
        isPlaceholder: @escaping ([UInt8]) -> Bool
    ) -> [SecretScanner.Finding] {
        var scanner = SecretScanner(
            piece.bytes,
            isContinued: piece.isContinued,
            limit: limit,
            isPlaceholder: isPlaceholder
        )
        return scanner.run().map { finding in
            var finding = finding
            finding.range = piece.place(finding.range)
            finding.quote = piece.quote(finding.quote)
            return finding
        }
    }

    /// Joins findings that overlap into one under the name of the first; it keeps the findings that it was joined from.
    static func joined(_ findings: [SecretScanner.Finding]) -> [SecretScanner.Finding] {
        var joined: [SecretScanner.Finding] = []
        let ordered = findings.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        for finding in ordered where !finding.range.isEmpty {
            guard let last = joined.indices.last, finding.range.lowerBound < joined[last].range.upperBound else {
                joined.append(finding)
                continue
            }
            if joined[last].range != finding.range || !finding.parts.isEmpty {
                if joined[last].parts.isEmpty { joined[last].parts = [SecretSearch.part(joined[last])] }
                joined[last].parts += finding.parts + [SecretSearch.part(finding)]
            }
            let end = max(joined[last].range.upperBound, finding.range.upperBound)
            joined[last].range = joined[last].range.lowerBound..<end
            if joined[last].range == finding.range {
                joined[last].isLocal = joined[last].isLocal && finding.isLocal
                if joined[last].quote.isEmpty { joined[last].quote = finding.quote }
            }
        }
        return joined
    }

    private static func part(_ finding: SecretScanner.Finding) -> SecretScanner.Part {
        SecretScanner.Part(range: finding.range, kind: finding.kind, isLocal: finding.isLocal)
    }
}
