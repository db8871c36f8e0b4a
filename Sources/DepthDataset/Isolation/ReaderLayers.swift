internal import CSandbox

/// What keeps a reader from doing anything else, as `run.json` names it.
package enum ReaderLayers {
  /// - Parameter layers: Bits of `FATHOM_LAYER_…`.
  package static func names(_ layers: Int32) -> [String] {
    [
      (FATHOM_LAYER_LIMITS, "limits"), (FATHOM_LAYER_LANDLOCK, "Landlock"), (FATHOM_LAYER_SECCOMP, "seccomp"),
    ].filter { layers & $0.0 != 0 }.map(\.1)
  }
}
