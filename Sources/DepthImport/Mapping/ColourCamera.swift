internal import DepthCore
internal import DepthDataset
internal import FathomMapFiles

/// The camera that took the pictures, where it is not the one that took the depth.
struct ColourCamera: Sendable, Hashable {
  /// Numbers of the mapping, or the names under which the recording says them.
  enum Numbers: Sendable, Hashable, Decodable {
    case given([Double])
    /// Several stand one after the other, such as a rotation and a translation.
    case named([String])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let numbers = try? value.decode([Double].self) {
        self = .given(numbers)
      } else if let name = try? value.decode(String.self) {
        self = .named([name])
      } else {
        self = .named(try value.decode([String].self))
      }
    }
  }

  var intrinsics: Numbers, origin: IntrinsicsSource.Origin
  var transform: Numbers
  /// Whether the transform takes points of the depth camera to the colour camera; else the other way round.
  var isFromDepth: Bool
  /// Metres of one unit of its translation.
  var metresPerUnit: Double
}

extension ColourCamera: Decodable {
  private enum CodingKeys: String, MappingKeys {
    case intrinsics, origin = "counted-from", fromDepth = "from-depth", toDepth = "to-depth", unit
  }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (intrinsics, origin) = (try keys.required(.intrinsics), try keys.requiredWord(.origin))
    let fromDepth = try keys.optional(.fromDepth, Numbers.self)
    let toDepth = try keys.optional(.toDepth, Numbers.self)
    guard let stated = fromDepth ?? toDepth, fromDepth == nil || toDepth == nil
    else { throw MappingFault(words: "'camera' needs either 'from-depth' or 'to-depth'") }
    (transform, isFromDepth) = (stated, fromDepth != nil)
    metresPerUnit = try keys.requiredWord(.unit, StoredUnit.self).metres
  }
}
