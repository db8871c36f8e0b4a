/// An error that a user is shown as it is: one line that says what, where, why, and what to do.
public protocol UserFacingError: Error, CustomStringConvertible {
  /// Whose fault it is, and with it the exit code of a command.
  var kind: FathomError.Kind { get }
}

extension FathomError: UserFacingError {}
