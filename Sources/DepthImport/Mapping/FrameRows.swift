internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomStorage

/// Tables with a line for each frame, whose first lines name the columns. What a frame's lines say is then as a JSON file of the frame.
struct FrameRows: Sendable, Hashable, Decodable {
  var files: [String]
  /// The column that holds the frame's number.
  var frame: String
  /// Only lines with these numbers count: {cameraID: 0}.
  var chosen: [String: Double]

  private enum CodingKeys: String, MappingKeys { case files, frame, chosen = "where" }

  init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (files, frame) = (try keys.required(.files), try keys.optional(.frame) ?? "frame")
    chosen = try keys.optional(.chosen) ?? [:]
  }

  /// Adds what a table says, by the numbers of the frames.
  /// - Throws: `PictureFault` where it lacks a column.
  func add(_ table: NumberTable, to frames: inout [Int: [String: JSONValue]]) throws(PictureFault) {
    for name in [frame] + chosen.keys.sorted() where !table.header.contains(name) {
      throw PictureFault("its first line names no column '\(name)'")
    }
    for row in table.rows where row.count == table.header.count {
      let named = Dictionary(zip(table.header, row)) { first, _ in first }
      guard let number = named[frame].flatMap(Int.init(exactly:)),
        chosen.allSatisfy({ named[$0.key] == $0.value })
      else { continue }
      frames[number, default: [:]].merge(named.mapValues { .number($0) }) { first, _ in first }
    }
  }
}
