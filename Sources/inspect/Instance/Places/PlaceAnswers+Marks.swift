import Web

extension PlaceAnswers {
    /// Does the work with the marks of a place, and tells what is wrong with their file as the page's problem.
    static func marks<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as InputError {
            throw Problem(error.description, .absence)
        }
    }
}
