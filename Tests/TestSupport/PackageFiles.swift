public import Foundation

/// Where the tests find files of the repository and beside it.
public enum PackageFiles {
  /// Folder of Package.swift.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The real recordings, which are not part of the repository: `$FATHOM_REAL_DATA`, or `../shared/data`.
  /// nil where they are absent.
  public static var realData: URL? {
    let named = ProcessInfo.processInfo.environment["FATHOM_REAL_DATA"].map { URL(fileURLWithPath: $0) }
    let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared/data")
    return FileManager.default.fileExists(atPath: folder.appendingPathComponent("real-indoor.h5").path)
      ? folder : nil
  }

  /// Said by a test that is skipped because they are absent.
  public static let noRealData = "the real recordings are absent; set FATHOM_REAL_DATA to their folder"

  /// Path of one of them, "sources/tum"; a test that asks is skipped where they are absent.
  public static func realDataPath(_ name: String) -> String { (realData?.path ?? "absent") + "/" + name }

  /// The Python of the test environment that `make setup` makes; nil where it is absent.
  public static var python: URL? {
    let named = ProcessInfo.processInfo.environment["FATHOM_PYTHON"].map { URL(fileURLWithPath: $0) }
    let interpreter = named ?? root.appendingPathComponent(".venv/bin/python3")
    return FileManager.default.isExecutableFile(atPath: interpreter.path) ? interpreter : nil
  }

  /// Said by a test that is skipped because it is absent.
  public static let noPython = "the Python environment is absent; run make setup"
}
