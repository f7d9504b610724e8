import Traffic

/// Whether a connection to an upstream, or a stream of one, can be given a request.
enum UpstreamReadiness {
    case ready
    /// Unknown, since the settings of its connection have not come; the function calls back when they have, or are not waited for any longer.
    case unsettled(whenSettled: (@escaping () -> Void) -> Void)
    /// It cannot, because of the upstream; the message follows its address, and the code is the client's where the failure alone does not give one.
    case unfit(Cause, String, code: Int? = nil)
    /// It cannot, because of the client's request.
    case refused(Cause, String)
}
