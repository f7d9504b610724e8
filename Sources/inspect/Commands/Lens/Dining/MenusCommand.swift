import ArgumentParser

/// `inspect menus`: the dining menus of captured CloudKit answers, one food of them, and the swipes that are left.
struct MenusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menus",
        abstract: "Show captured dining menus, one food, or swipes left.",
        discussion: """
            'inspect help menus list' has the options of the menus.

            Examples:
              inspect menus --day today --meal dinner --type vegan
              inspect menus food 059101 --servings 3
              inspect menus swipes --plan BP19 --week 3 --day wed --meal lunch
            """,
        subcommands: [MenuListCommand.self, FoodCommand.self, SwipesCommand.self],
        defaultSubcommand: MenuListCommand.self
    )
}
