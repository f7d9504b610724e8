import Traffic

/// Whether a connection to an upstream, or a stream of one, can be given a request.
enum UpstreamReadiness {
    case ready
    /// Its connection has yet to say what it takes; the function calls back when it has, or is not going to.
    case unsettled(whenSettled: (@escaping () -> Void) -> Void)
    /// It cannot, which is the upstream's doing; the message follows its address, and the code is for the client where the failure does not say it.
    case unfit(Cause, String, code: Int? = nil)
    /// It cannot, which is the client's doing.
    case refused(Cause, String)
}
