internal import DepthCore
internal import FathomMapFiles

/// A mapping for files without a header, such as a camera's `.raw`, whose number of bytes is that of a map with the shape of the pictures.
struct RawProposal {
  let mapping: String
  /// What stays to be confirmed.
  let open: String

  /// - Returns: nil where no group has such files, or no size fits.
  init?(_ reading: SurveyReading, in folder: RecordingFolder) {
    let groups = reading.groups
    let pictures = groups.compactMap { group -> RasterSize? in
      if case .picture(let size) = group.content { size } else { nil }
    }
    func size(_ pixels: Int) -> RasterSize? {
      if let own = pictures.first(where: { $0.count == pixels }) { return own }
      return pictures.lazy.compactMap { picture -> RasterSize? in
        let height = (Double(pixels * picture.height) / Double(picture.width)).squareRoot().rounded()
        guard height >= 16, pixels % Int(height) == 0 else { return nil }
        let own = RasterSize(width: pixels / Int(height), height: Int(height))
        return own.width * picture.height == own.height * picture.width ? own : nil
      }.first
    }
    for group in groups {
      guard case .unknown = group.content,
        let bytes = try? FileBytes.Ends(folder.path(of: group.group.names[0])).fileSize,
        let (type, bits, size) = [("u2", 16), ("f4", 32)].lazy.compactMap({ type, bits in
          size(bytes * 8 / bits).map { (type, bits, $0) }
        }).first
      else { continue }
      let pattern = MappingProposal.quoted(group.group.pattern)
      var lines = [
        "name: surveyed", "match: {by: number-or-name}", "depth:", "  files: [\(pattern)]",
        "  raw: {type: \(type), sizes: [[\(size.width), \(size.height)]]}   # \(bytes) bytes a file",
        "  scale: \(bits == 16 ? "0.001   # millimetres" : "1   # metres"), unless the camera says otherwise",
      ]
      let colour = groups.first { $0.role?.kind == .colour }
      if let colour { lines.append("colour: [\(MappingProposal.quoted(colour.group.pattern))]") }
      var assumed: [(String, String)] = []
      lines += reading.cameraLines(&assumed) + reading.poseLines(&assumed)
      mapping = lines.joined(separator: "\n") + "\n"
      open =
        "whether \(group.group.pattern) holds \(size) numbers of \(bits) bits without a header, as its \(bytes) bytes allow, and their unit"
      return
    }
    return nil
  }
}
