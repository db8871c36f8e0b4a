/// A unit of stored lengths: `units` of a depth array, `unit` of a mapping.
package enum StoredUnit: String, CaseIterable, Sendable {
  case m, cm, mm

  package var metres: Double {
    switch self {
    case .m: 1
    case .cm: 0.01
    case .mm: 0.001
    }
  }
}
