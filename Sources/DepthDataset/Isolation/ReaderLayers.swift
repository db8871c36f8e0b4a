internal import CFathomSandbox
import FathomPlainText
package import FathomStorage
import Synchronization

/// What keeps a process that reads other people's files from doing anything else. Which layers there are is the kernel's to say.
public enum ReaderLayers {
  private static let known: [(bit: Int32, name: String)] = [
    (FATHOM_LAYER_LIMITS, "limits"), (FATHOM_LAYER_LANDLOCK, "Landlock"), (FATHOM_LAYER_SECCOMP, "seccomp"),
  ]

  private struct State: Sendable {
    var areRequired = false
    var tell: (@Sendable ([String]) -> Void)?
  }
  private static let state = Mutex(State())

  /// Whether nothing is read where one of the layers is missing: opening data then throws `FathomError` `.inputOutput`. False at first.
  /// It holds for readers that are started from now on; where this process reads itself there are none.
  public static var areRequired: Bool {
    get { state.withLock { $0.areRequired } }
    set { state.withLock { $0.areRequired = newValue } }
  }

  /// Told once, before anything is read, which layers are missing.
  public static func whenMissing(_ tell: @escaping @Sendable ([String]) -> Void) {
    state.withLock { $0.tell = tell }
  }

  /// Names of the layers that readers have on this system, as `run.json` has them.
  public static var availableNames: [String] { names(available) }

  /// As bits of `FATHOM_LAYER_…`; all of them where no process can be started to find out: then no reader can, either.
  private static let available: Int32 = {
    let layers = fathom_reader_layers()
    return layers < 0 ? known.reduce(0) { $0 | $1.bit } : layers
  }()

  /// - Parameter layers: Bits of `FATHOM_LAYER_…`.
  package static func names(_ layers: Int32) -> [String] { known.filter { layers & $0.bit != 0 }.map(\.name) }

  /// Tells of missing layers, unless that was done before.
  package static func note(_ layers: Int32) {
    let missing = names(~layers)
    guard !missing.isEmpty else { return }
    let tell = state.withLock { state in
      defer { state.tell = nil }
      return state.tell
    }
    tell?(missing)
  }

  /// The same before anything is read, of the layers that the system has.
  package static func noteAvailable() { note(available) }
  /// Why a reader with these layers does not read; nil where it does.
  /// - Parameter noun: What it would read: "data set".
  package static func refusal(_ layers: Int32, _ areRequired: Bool, _ noun: String, _ path: String)
    -> FathomError?
  {
    let missing = names(~layers)
    guard areRequired, !missing.isEmpty else { return nil }
    return FathomError(
      .inputOutput, attempted: "read the \(noun)", file: path,
      reason:
        "this system lacks \(missing.joined(separator: " and ")), which \(option: "require-sandbox") demands",
      advice:
        "read it on another system (docs/reliability.md), or leave that option out if you trust the data")
  }
}
