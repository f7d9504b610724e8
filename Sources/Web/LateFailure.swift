/// An error after what follows the request was read in search of the asker: the connection takes no further one.
struct LateFailure: Error {
    let error: any Error
}
