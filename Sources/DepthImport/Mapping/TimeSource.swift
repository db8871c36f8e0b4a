internal import FathomMapFiles

/// Where the time of a frame stands.
enum TimeSource: Sendable, Hashable {
  /// What the stars of the depth's pattern stand for.
  case fileName
  /// The column `time` of the poses.
  case poses
  /// A key of the frame's JSON.
  case json(String)
  /// A key of the recording's JSON: a list by the number of the frame.
  case recording(String)

  var jsonKey: String? {
    if case .json(let key) = self { return key }
    return nil
  }
}

extension TimeSource: Decodable {
  private enum CodingKeys: String, MappingKeys { case json, recording }

  init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      switch word {
      case "file-name": self = .fileName
      case "poses": self = .poses
      default:
        throw MappingFault(
          words: "'time' is '\(word)'; write file-name, poses, {json: KEY} or {recording: KEY}")
      }
      return
    }
    let keys = try StrictKeys(decoder, CodingKeys.self)
    if let key: String = try keys.optional(.recording) {
      self = .recording(key)
    } else {
      self = .json(try keys.required(.json))
    }
  }
}
