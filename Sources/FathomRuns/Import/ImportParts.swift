import Foundation
import FathomStorage

/// Finished parts of an import, in a folder beside the data set to be. They are there as long as the import is not finished: one that
/// was interrupted goes on behind them.
struct ImportParts {
  let folder: String  // "OUT.h5.parts"
  static let frames = 500  // Frames of a part. Scenes that have no more are written at once.
  init(beside output: String) { folder = output + ".parts" }

  /// The ranges of a scene that become parts of their own.
  static func ranges(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: frames).map { $0..<min($0 + frames, count) }
  }

  /// The file of a part.
  /// - Parameter fingerprint: Of what it is made from: a part of other files or options has another name.
  /// - Throws: `FathomError` `.cannotCreate` where the folder cannot be made.
  func path(_ fingerprint: String) throws(FathomError) -> String {
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw .cannotCreate(folder, String(cString: strerror(errno)), "choose another name")
    }
    return "\(folder)/part-\(fingerprint.prefix(32)).h5"
  }

  func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a name is that of a part, or of one that was not finished; anything else in the folder is somebody else's.
  private static func isPart(_ name: String) -> Bool {
    name.wholeMatch(of: /part-[0-9a-f]{32}\.h5(\.partial)?/) != nil
  }

  /// Takes the parts away, those of an import with other options, too.
  func remove() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where Self.isPart(name) { unlink(folder + "/" + name) }
    rmdir(folder)
    UnfinishedOutputs.forget(folder)
  }
}
