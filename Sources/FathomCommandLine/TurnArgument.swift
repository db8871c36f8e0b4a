import ArgumentParser
package import DepthCore

/// The value of `--turn`.
package struct TurnArgument: ExpressibleByArgument {
  package let turn: ImageTurn

  package init?(argument: String) {
    guard let turn = ImageTurn(rawValue: argument) else { return nil }
    self.turn = turn
  }

  package static let allValueStrings = ImageTurn.allCases.map(\.rawValue)
}
