/// An error of an answer whose asker was watched: what follows the request was read, so the connection takes no further request.
struct LateFailure: Error {
    let error: any Error
}
