import Store
import Traffic
import Web

extension RuleBench {
    /// Rules as the commands make them.
    static var commands: RuleBench {
        RuleBench { id, form, store in
            try refusing {
                let record = try ExchangeReader(store).record(id)
                return try RuleSketch(Capture(record, source: store.body), as: form.sketched).text
            }
        } attempt: { trial, store in
            try BenchTrial(trial).json(store)
        }
    }

    /// Tells a command's sentence as the page's.
    private static func refusing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as InputError { throw Refusal(error.description) }
    }
}

extension RuleBench.Form {
    fileprivate var sketched: RuleSketch.Form {
        switch self {
        case .stub: .stub
        case .edit: .edit
        }
    }
}
