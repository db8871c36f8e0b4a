internal import DepthCore
internal import FathomMapFiles

extension SurveyReading {
  /// Lines of a mapping that bring pictures of another camera onto the depth, where the depth camera's file says the other K and what
  /// lies between the two; nil where it does not.
  func colourCameraLines(_ colour: SurveyedGroup) -> (lines: [String], words: String)? {
    let areListed = roles.values.contains { if case .poseList? = $0.kinds.last { true } else { false } }
    guard otherView != nil, !areListed, let camera, !camera.isOfFrames,
      let numbers = groups.first(where: { $0.group.pattern == camera.pattern })?.named,
      let (keys, isFromDepth, translation) = numbers.transformOfCameras,
      let other = numbers.cameras.first(where: {
        $0.camera != roles[camera.pattern]?.camera && ($0.camera.imageSize ?? colour.size) == colour.size
      })
    else { return nil }
    func list(_ keys: [String]) -> String {
      "[" + keys.map(MappingProposal.quoted).joined(separator: ", ") + "]"
    }
    // Cameras of one device are less than half a metre apart, and more than half a millimetre.
    let unit = (translation * translation).sum() < 0.25 ? "m" : "mm"
    let files = MappingProposal.quoted(colour.group.pattern)
    return (
      [
        "colour:", "  files: [\(files)]", "  camera:", "    intrinsics: \(list(other.names))",
        "    counted-from: centre", "    \(isFromDepth ? "from" : "to")-depth: \(list(keys))   # row by row",
        "    unit: \(unit)", "recording-file: [\(MappingProposal.quoted(camera.pattern))]",
      ],
      "brought onto the depth by \(keys.joined(separator: ", ")) of \(camera.pattern), row by row, in \(unit)"
    )
  }
}

extension NamedNumbers {
  /// What takes points of the depth camera to the colour camera, or back, by its name: 12 or 16 numbers, or a rotation and a translation.
  fileprivate var transformOfCameras: (keys: [String], isFromDepth: Bool, translation: SIMD3<Double>)? {
    let colours = ["color", "colour", "rgb"]
    for isFromDepth in [true, false] {
      let words = colours.flatMap { colour in
        let (from, to) = isFromDepth ? ("depth", colour) : (colour, "depth")
        return ["\(from)to\(to)", "\(from)2\(to)", "\(to)from\(from)"]
      }
      let named = entries.keys.sorted().filter { key in
        let name = key.lowercased().filter { $0.isLetter || $0.isNumber }
        return words.contains(where: name.contains)
      }
      func first(_ counts: Int...) -> String? { named.first { counts.contains(numbers($0)?.count ?? 0) } }
      let keys = first(12, 16).map { [$0] } ?? [first(9), first(3)].compactMap(\.self)
      guard let matrix = RigidTransform.numbers(keys.map(numbers)),
        let transform = try? RigidTransform.recorded(matrix: matrix)
      else { continue }
      return (keys, isFromDepth, transform.translation)
    }
    return nil
  }
}
