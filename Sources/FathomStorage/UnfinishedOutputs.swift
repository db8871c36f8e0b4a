private import Foundation
private import Synchronization

/// Outputs of this process that have no name yet. Every ``AtomicFile`` and ``AtomicFolder`` registers itself, so that
/// an interrupted process can take them away.
public enum UnfinishedOutputs {
  private static let paths = Mutex<Set<String>>([]), keptPaths = Mutex<Set<String>>([])
  /// Finished work of this process in an output that has no name yet: it stays, however the process ends.
  public static var kept: String? { keptPaths.withLock { $0.min() } }

  /// From now on an unfinished output stays.
  public static func keep(_ path: String) {
    remove(path)
    keptPaths.withLock { _ = $0.insert(path) }
  }

  /// An output that stayed is finished, or gone.
  public static func forget(_ path: String) { keptPaths.withLock { _ = $0.remove(path) } }

  /// Makes an output; ``discard(andEnd:)`` waits for it, so that none is left behind unnoticed.
  /// - Parameter body: Where it throws, nothing was made.
  /// - Throws: What `body` throws.
  static func make<Made: ~Copyable & Sendable, Problem>(
    _ path: String, _ body: () throws(Problem) -> Made
  ) throws(Problem) -> Made {
    try paths.withLock { (paths) throws(Problem) in
      let made = try body()
      paths.insert(path)
      return made
    }
  }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Gives an output its name; ``discard(andEnd:)`` waits for it, so that no output is taken apart halfway.
  static func name<Result>(_ path: String, _ body: () -> Result) -> Result {
    paths.withLock { paths in
      paths.remove(path)
      return body()
    }
  }

  /// Takes everything unfinished away and ends the process: from here on, nothing can be made or finished.
  public static func discard(andEnd end: () -> Never) -> Never {
    paths.withLock { paths in
      for path in paths { FileTree.remove(ScratchFolder.withdrawn(path)) }
      paths.removeAll()
      end()
    }
  }
}
