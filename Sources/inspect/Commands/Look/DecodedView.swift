import Lenses
import Store
import Traffic

/// What the lens of a recorded exchange makes of it.
struct DecodedView {
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

    /// The part of an exchange's page; none where no lens reads it.
    func section(_ style: Style, width: Int?) -> [String] {
        guard let view else { return [] }
        return [""] + LensViewPrinter(style: style, width: width).lines(view, lineLimit: DecodedView.partLines)
    }

    /// The decoded exchange by itself.
    ///
    /// - Throws: `InputError` where no lens reads it.
    func printAlone(_ console: Console, json asJSON: Bool) throws {
        guard let view else {
            throw InputError(
                "no lens reads exchange \(record.exchange.id); inspect show \(record.exchange.id) shows it as it came"
            )
        }
        guard asJSON else {
            for line in LensViewPrinter(console).lines(view) { try console.line(line) }
            return
        }
        var json = JSONWriter(isIndented: console.isTerminal)
        view.write(to: &json)
        json.newline()
        try console.write(json.take())
    }

    /// It as the member `decoded`; null where no lens reads the exchange.
    func write(to json: inout JSONWriter) {
        guard let view else { return json.null("decoded") }
        view.write(to: &json, name: "decoded")
    }
}
