import Lenses
import Store
import Traffic

/// What `inspect show --decoded` shows: what the lens of an exchange reads.
struct DecodedReport: Report {
    /// Lines that a part takes beside heads and bodies; alone it takes as many as it has.
    private static let partLines = 40

    /// What the lens reads, with advice in the words of the command line; `nil` where no lens reads the exchange.
    let view: LensView?
    private let record: ExchangeRecord

    /// Reads both bodies of an exchange, decoded up to a limit each, at least that of captures.
    ///
    /// - Throws: what the store says.
    init(_ record: ExchangeRecord, store: TrafficStore, limitBytes: Int, lenses: LensSet = .standard) throws {
        self.record = record
        let limit = max(limitBytes, CapturedBody.limitBytes)
        view = lenses.view(of: try Capture(record, limitBytes: limit, source: store.body))?.withCommands
    }

    /// The part of an exchange's report, without what the bodies in it say too; none where no lens reads it.
    func section(in layout: Layout) -> [String] {
        guard var view else { return [] }
        view.sections.removeAll(where: \.isInBody)
        return [""]
            + LensLines(layout: layout).lines(view, lineLimit: DecodedReport.partLines)
    }

    /// Writes it as the member `decoded`; null where no lens reads the exchange.
    func writeMember(to json: inout JSONWriter) {
        guard let view else { return json.null("decoded") }
        view.write(to: &json, name: "decoded")
    }

    /// Writes the view by itself.
    ///
    /// - Throws: `InputError` where no lens reads the exchange.
    func write(to json: inout JSONWriter) throws { try read().write(to: &json) }

    /// Every line of the view.
    ///
    /// - Throws: `InputError` where no lens reads the exchange.
    func lines(in layout: Layout) throws -> [String] {
        LensLines(layout: layout).lines(try read())
    }

    private func read() throws -> LensView {
        guard let view else {
            throw InputError(
                "no lens reads exchange \(record.exchange.id); inspect show \(record.exchange.id) shows it as it came"
            )
        }
        return view
    }
}
