internal import FathomMapFiles

/// Files of true boxes in the world.
struct BoxFiles: Sendable, Hashable, Decodable {
  enum Layout: String, CaseIterable, Sendable {
    /// ARKitScenes' annotation: centroid, full lengths and axes in a world whose z points up.
    case arkitscenes
  }

  var files: [FilePattern], layout: Layout

  private enum CodingKeys: String, MappingKeys { case files, layout }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (files, layout) = (try keys.required(.files), try keys.requiredWord(.layout))
  }
}
