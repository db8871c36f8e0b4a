private import Foundation
private import Synchronization

/// Outputs of this process that have no name yet. Every ``AtomicFile`` and ``AtomicFolder`` registers itself, so that
/// an interrupted process can take them away.
public enum UnfinishedOutputs {
  private static let paths = Mutex<Set<String>>([])

  private static let keptPaths = Mutex<Set<String>>([])

  /// Finished work of this process in an output that has no name yet: it stays, however the process ends.
  public static var kept: String? { keptPaths.withLock { $0.min() } }

  /// From now on an unfinished output stays.
  public static func keep(_ path: String) {
    remove(path)
    keptPaths.withLock { _ = $0.insert(path) }
  }

  /// An output that stayed is finished, or gone.
  public static func forget(_ path: String) { keptPaths.withLock { _ = $0.remove(path) } }

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Gives an output its name; ``discard()`` waits for it, so that no output is taken apart halfway.
  static func name<Result>(_ path: String, _ body: () -> Result) -> Result {
    paths.withLock { paths in
      paths.remove(path)
      return body()
    }
  }

  /// Takes everything unfinished away; for a process that is about to end. Nothing can be finished afterwards.
  public static func discard() {
    paths.withLock { paths in
      for path in paths { FileTree.remove(ScratchFolder.withdrawn(path)) }
      paths.removeAll()
    }
  }
}
