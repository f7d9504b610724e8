/// What a command was given cannot be used, as one sentence for the user.
struct InputError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
