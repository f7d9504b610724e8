import GRDB

extension TemporaryStore {
    /// Asks the file itself, as another program would.
    func number(_ sql: String) throws -> Int? { try asked { try Int.fetchOne($0, sql: sql) } }

    /// Asks the file itself for a text.
    func text(_ sql: String) throws -> String? { try asked { try String.fetchOne($0, sql: sql) } }

    private func asked<Value: Sendable>(_ question: @Sendable (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read(question)
    }
}
