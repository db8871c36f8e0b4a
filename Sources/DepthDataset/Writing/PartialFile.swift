private import Glibc

/// The file beside the output that is removed again unless it is finished.
struct PartialFile: ~Copyable {
  /// "OUT.h5.partial".
  let path: String
  /// "OUT.h5".
  let target: String
  private let mayReplace: Bool
  private var isFinished = false

  /// Checks that the output may be created; creates nothing.
  ///
  /// - Throws: `DatasetError` `.cannotCreate`.
  static func check(_ target: String, mayReplace: Bool) throws(DatasetError) {
    var status = stat()
    if stat(target, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw refusal(target, "it is a folder", "name a file in it")
      }
      if !mayReplace { throw refusal(target, "it exists", "choose another name, or ask to overwrite it") }
    }
    let folder =
      target.lastIndex(of: "/").map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal(target, "there is no folder '\(folder)'", "create the folder first")
    }
    guard access(folder, W_OK) == 0 else {
      throw refusal(target, "the folder '\(folder)' is not writable", "choose a folder that is")
    }
    let partial = open(target + ".partial", O_RDWR | O_CLOEXEC)  // creating it would empty a running writer's
    if partial >= 0 {
      defer { close(partial) }
      if flock(partial, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
        throw refusal(target, "another program is writing it", "wait for it, or choose another name")
      }
    }
  }

  /// Takes charge of a partial file that is about to be created.
  init(of target: String, mayReplace: Bool) {
    (path, self.target, self.mayReplace) = (target + ".partial", target, mayReplace)
  }

  /// Gives the file its name.
  ///
  /// - Throws: `DatasetError` `.cannotCreate` where the output has come to exist and may not be replaced,
  ///   `.inputOutput` if renaming fails.
  consuming func finish() throws(DatasetError) {
    if !mayReplace { try Self.check(target, mayReplace: false) }
    guard rename(path, target) == 0 else {
      throw DatasetError(
        .inputOutput, attempted: "finish the data set", file: target,
        reason: String(cString: strerror(errno)),
        advice: "check the disk")
    }
    isFinished = true
  }

  deinit {
    if !isFinished { unlink(path) }
  }

  private static func refusal(_ target: String, _ reason: String, _ advice: String) -> DatasetError {
    DatasetError(
      .cannotCreate, attempted: "create the data set", file: target, reason: reason, advice: advice)
  }
}
