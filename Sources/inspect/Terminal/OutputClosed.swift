/// Nobody reads our output any more (`inspect ls | head`): the command ends quietly.
struct OutputClosed: Error {}
