import Foundation
import FathomTestSupport
import Testing

/// The interpreter of `make setup`, where it has h5py.
enum Python {
  struct Failure: Error { let status: Int32, output: String }

  /// `$FATHOM_PYTHON`, or `.venv/bin/python3` in the package; nil where that has no h5py.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment["FATHOM_PYTHON"]
    let path = environment ?? PackageFiles.root.appending(path: ".venv/bin/python3").path
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    return (try? run(["-c", "import h5py"], interpreter: path)) == nil ? nil : path
  }()

  static let comment: Comment = "no Python with h5py: run `make setup`, or set FATHOM_PYTHON"

  /// Runs a script and gives what it prints.
  @discardableResult
  static func run(_ arguments: [String], interpreter: String? = nil, folder: URL? = nil) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: try #require(interpreter ?? path))
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder }
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
    }
    return data
  }

  static func script(_ name: String) -> String {
    PackageFiles.root.appending(path: "Tests/Interop/" + name).path
  }
}
