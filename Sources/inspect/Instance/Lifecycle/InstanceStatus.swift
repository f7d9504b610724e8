import Foundation
import Store
import Traffic

/// The state of the proxy that records into a store, by its instance file, its own numbers and the store.
struct InstanceStatus {
    /// The store's path.
    let path: String
    /// The proxy; `nil` where none runs.
    let instance: InstanceFile?
    /// The proxy's numbers, by name with labels; empty where it does not answer.
    let numbers: [String: Double]
    /// The proxy's rules; `nil` where it has none, or does not tell.
    let rules: RunningRuleList.List?
    /// The store's state; `nil` where there is none yet.
    let report: StoreReport?
    /// Microseconds since the start; `nil` where none runs.
    let uptime: Int64?

    /// Whether the proxy runs and answers.
    var isAnswering: Bool { instance != nil && !numbers.isEmpty }

    /// Reads the state.
    ///
    /// - Throws: `InputError` when the instance file cannot be read, `StoreError` when the store cannot.
    static func read(_ store: StoreOptions, now: Date) async throws -> InstanceStatus {
        let instance = try InstanceFile.readWriting(for: store.path)
        var numbers: [String: Double] = [:]
        if let instance, instance.isStopping != true, let text = try? await InstanceClient(instance).text("metrics") {
            numbers = Self.numbers(text)
        }
        var rules: RunningRuleList.List?
        if let instance, numbers["inspect_rules"] ?? 0 > 0 { rules = try? await RunningRuleList(of: instance).list() }
        let isThere = FileManager.default.fileExists(atPath: store.path)
        return InstanceStatus(
            path: store.path,
            instance: instance,
            numbers: numbers,
            rules: rules,
            report: isThere ? try store.openForReading().report(isChecked: false) : nil,
            uptime: instance?.started.map { max(0, Moment.microseconds(now) - $0) }
        )
    }

    /// A number that the instance measures.
    func number(_ name: String) -> Int64? { numbers[name].flatMap { Int64(exactly: $0.rounded()) } }

    /// The samples of a text in Prometheus' format: a name with its labels, a blank, a number.
    static func numbers(_ text: String) -> [String: Double] {
        var numbers: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let blank = line.lastIndex(of: " "), let value = Double(line[line.index(after: blank)...]) else {
                continue
            }
            numbers[String(line[..<blank])] = value
        }
        return numbers
    }
}
