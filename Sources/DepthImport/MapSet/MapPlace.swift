/// Where a map lies: a file, and which of the maps in it, from 0.
struct MapPlace: Sendable, Hashable, Codable {
  var path: String
  var layer = 0
  /// Whether its file holds several maps.
  var isOfStack = false
}
