/// Where a map lies: a file, and which of the maps in it, from 0.
package struct MapPlace: Sendable, Hashable, Codable {
  package let path: String
  package let layer: Int
  /// Whether its file holds several maps.
  let isOfStack: Bool

  package init(path: String, layer: Int = 0, isOfStack: Bool = false) {
    (self.path, self.layer, self.isOfStack) = (path, layer, isOfStack)
  }
}
