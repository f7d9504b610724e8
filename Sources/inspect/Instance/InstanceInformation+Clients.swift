import Trust
import Web

extension InstanceInformation.Client {
    /// What a page tells of a recipe: its variables without those that only `run` and `env` can set.
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
    /// Every client that variables alone tell of the proxy and the root.
    static var everyClient: [Client] { ClientRecipe.all.map { Client($0) }.filter { !$0.variables.isEmpty } }
}
