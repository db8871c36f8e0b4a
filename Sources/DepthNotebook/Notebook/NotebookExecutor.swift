import Foundation
import FathomPlainText
import FathomRuns
public import FathomStorage

/// Runs a notebook from top to bottom in a fresh kernel and puts its outputs into it.
///
/// It needs a Python with nbclient, nbformat, ipykernel, pandas and matplotlib.
public struct NotebookExecutor: Sendable {
  private let program: PythonProgram
  /// The Python interpreter.
  public var python: String { program.python }

  /// - Parameter python: Path or name of an interpreter; nil for `python3`, which is looked for where a shell does.
  /// - Throws: `FathomError` where there is none.
  public init(python: String?) throws(FathomError) {
    program = try PythonProgram(
      "execute the notebook with", python: python,
      advice:
        "install what it needs (pip install nbclient nbformat ipykernel pandas matplotlib), name another interpreter with \(option: "python"), or leave out the outputs with \(option: "no-execute")"
    )
  }

  /// Executes a notebook in the folder that holds it. Equal tables and packages give equal bytes.
  /// - Parameter path: The notebook; it is replaced by itself with outputs.
  /// - Parameter began: Is given the id of the process, so that an interruption can end it.
  /// - Returns: Versions of the packages that made the outputs, by name.
  /// - Throws: `FathomError` where a package is missing, a cell fails or the program is not Python; the notebook is then unchanged.
  public func execute(
    _ path: String, began: (Int32) -> Void = { _ in }
  ) throws(FathomError) -> [String: String] {
    let (status, words) = try program.run(
      PackageResources.execute_py, [path], accepted: [0, Self.cellFailed], began: began)
    guard status == 0 else {
      throw program.error(
        .badData, words,
        advice: "evaluate again, or leave out the outputs with \(option: "no-execute") and look at that cell")
    }
    let versions = try? JSONDecoder().decode([String: String].self, from: Data(words.utf8))
    // Any program can end with 0; this one says what made the outputs.
    guard let versions, !versions.isEmpty else {
      throw program.error(
        .cannotCreate, "it did not run the notebook, so it is not a Python interpreter")
    }
    return versions
  }

  private static let cellFailed: Int32 = 4  // Exit code of `Resources/execute.py`.
}
