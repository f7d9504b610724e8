import Testing

@testable import inspect

@Suite("The command that a command line names", .timeLimit(.minutes(15)))
struct CommandPathTests {
    @Test("A command that has a default stands for it, with the words behind it")
    func fallback() {
        let path = CommandPath(["menus", "--day", "today"])
        #expect(path.names == ["menus"] && path.command == MenuListCommand.self && path.rest == ["--day", "today"])
        let food = CommandPath(["menus", "food", "x"])
        #expect(food.names == ["menus", "food"] && food.command == FoodCommand.self && food.rest == ["x"])
        #expect(CommandPath(["ls"]).command == ListCommand.self && CommandPath(["x"]).command == nil)
    }
}
