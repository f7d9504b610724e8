import Trust
import Web

extension InstanceInformation.Client {
    /// A recipe for the page: its variables without those that only `run` and `env` can set.
    init(_ recipe: ClientRecipe) {
        let variables = recipe.variables.compactMap { variable -> InstanceInformation.Variable? in
            switch variable.content {
            case .proxy: InstanceInformation.Variable(variable.name, .proxy)
            case .bundle: InstanceInformation.Variable(variable.name, .bundle)
            case .root: InstanceInformation.Variable(variable.name, .root)
            case .text(let text): InstanceInformation.Variable(variable.name, .text(text))
            case .nodePreload, .javaOptions, .wgetFile: nil
            }
        }
        self.init(name: recipe.name, variables: variables)
    }
}

extension InstanceInformation {
    /// Every client that needs variables alone to use the proxy and trust the root.
    static var everyClient: [Client] { ClientRecipe.all.map { Client($0) }.filter { !$0.variables.isEmpty } }
}
