internal import DepthCore
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomPlainText

extension SurveyReading {
  /// A mapping as YAML, and what is open in it.
  struct Mapping {
    var text: String, open: [String]
    /// Whether a user who says the unit, or the intrinsics, has said all.
    var isOpenInItsUnitAlone: Bool, isOpenInItsCameraAlone: Bool
  }

  /// nil where nothing can be depth.
  func mapping(named name: String) -> Mapping? {
    guard let depth = depths.first, let numbers = depth.numbers else { return nil }
    var (lines, open, assumed): ([String], [String], [(String, String)]) = ([], [], [])
    lines += ["name: surveyed", "title: \(Self.quoted("files of \(name)"))"]
    open += doubts(depth)
    let matching =
      depth.group.numbering == .times
      ? "{by: time, tolerance: \(FrameMatching.usualTolerance)}" : "{by: number-or-name}"
    lines += ["match: \(matching)", "depth:", "  files: [\(Self.quoted(depth.group.pattern))]"]
    let others = unaligned.isEmpty ? "" : "; not \(unaligned.joined(separator: ", ")), which is not aligned"
    assumed.append(("depth", "\(depth.group.pattern): \(depth.role?.why ?? "")\(others)"))
    for other in depths.dropFirst() {
      lines.append("  # or: files: [\(Self.quoted(other.group.pattern))]")
      open.append("\(other.group.pattern) can be depth as well as \(depth.group.pattern)")
    }
    let unit = units.first
    if areDisparities {
      let counts = numbers.areWhole ? " / 256" : ""
      lines += [
        "  unit: m",
        "  # BASELINE is the distance of the two cameras in metres"
          + (counts.isEmpty ? "" : ", 256 the counts of a pixel"),
        "  formula: fx * BASELINE / (v\(counts))",
      ]
      let pixels = numbers.areWhole ? " in pixels, whose counts are often 256 a pixel" : " in pixels"
      if !numbers.areWhole, (0.2...60).contains(1 / numbers.median) {
        let range =
          "\(DepthWords.significant(1 / numbers.maximum)) to \(DepthWords.significant(1 / numbers.minimum)) m"
        lines.append("  # or, if they are inverse metres, as phones store them (\(range)): formula: 1 / v")
        open.append(
          "whether they are inverse metres, as phones store them: then give the formula 1 / v (\(range))")
      }
      open.append(
        "the baseline: they are named as disparities, and depth is fx · baseline / disparity\(pixels)")
      if camera == nil, !hasCamera { open.append("the focal length fx") }
    } else if let unit, let evidence = unit.evidence {
      lines.append("  scale: \(unit.text)   # \(unit.name): \(unit.range(numbers))")
      assumed.append(("unit of the depth", "\(unit.text) m a count: \(evidence); \(unit.range(numbers))"))
    } else {
      lines.append("  scale: METRES   # nothing says it; metres of one count:")
      for unit in units { lines.append("  # \(unit.text) (\(unit.name)): \(unit.range(numbers))") }
      open.append(
        units.isEmpty
          ? "whether they are distances: they reach from \(DepthWords.significant(numbers.minimum)) to \(DepthWords.significant(numbers.maximum))"
          : (roles.values.contains(where: \.isOfModel)
            ? "the unit, which models with such cameras choose" : "the unit")
            + ": " + units.map { "\($0.text) (\($0.name)): \($0.range(numbers))" }.joined(separator: ", or "))
    }
    if let fill = numbers.fill {
      lines.append("  invalid: [\(fill)]")
      assumed.append(("missing depth", "\(DepthWords.number(fill)) means that nothing is there"))
    }
    if areRays {
      lines.append("  kind: distance")
      assumed.append(("kind of the depth", DepthKind.whyRays))
    }
    if let truth {
      lines += [
        "truth:", "  independence: unknown", "  depth:", "    files: [\(Self.quoted(truth.group.pattern))]",
      ]
      assumed.append(("truth", "\(truth.group.pattern), in the same unit; where it comes from is not known"))
      if let own = truth.numbers, own.areWhole != numbers.areWhole {
        open.append(
          "the unit of \(truth.group.pattern): its numbers are of another kind than those of the depth")
      }
    }
    if let confidence { lines += ["confidence:", "  files: [\(Self.quoted(confidence.group.pattern))]"] }
    if !realConfidence.isEmpty {
      let files = realConfidence.joined(separator: ", ")
      assumed.append(
        ("confidence", "\(files): not taken, because its numbers are not levels such as 0, 1, 2"))
    }
    if let colour, let (camera, words) = colourCameraLines(colour) {
      lines += camera
      assumed.append(("pictures", "\(colour.group.pattern): \(words)"))
    } else if let colour {
      let line = "colour: [\(Self.quoted(colour.group.pattern))]"
      lines.append(otherView == nil ? line : "# \(line)   # another view than the depth's")
      let words = otherView.map { "not taken, because they show another view: \($0)" } ?? colour.role?.why
      assumed.append(("pictures", "\(colour.group.pattern): \(words ?? "")"))
    }
    lines += cameraLines(&assumed) + poseLines(&assumed)
    if depth.group.numbering == .times { lines.append("time: file-name") }
    lines.append("assumed:")
    for (subject, words) in assumed { lines.append("  \(Self.quoted(subject)): \(Self.quoted(words))") }
    if camera == nil, !hasCamera, let unclear = sortedRoles.first(where: { !$0.value.unclear.isEmpty }) {
      let words =
        "nothing says which of these is the depth's camera: \(unclear.value.unclear.joined(separator: ", ")); give \(flag: "intrinsics") fx,fy,cx,cy,width,height"
      lines += ["absent:", "  \(Self.quoted("cameras of \(unclear.key)")): \(Self.quoted(words))"]
    }
    return Mapping(
      text: lines.joined(separator: "\n") + "\n", open: open,
      isOpenInItsUnitAlone: open.count == 1 && unit != nil && unit?.evidence == nil,
      isOpenInItsCameraAlone: open.count == 1 && lacksCamera)
  }

  func cameraLines(_ assumed: inout [(String, String)]) -> [String] {
    guard let camera
    else { return ["# intrinsics: {values: [fx, fy, cx, cy], counted-from: centre, image-size: colour}"] }
    let origin = roles[camera.pattern]?.origin ?? .centre
    assumed.append(
      (
        "intrinsics",
        "\(camera.pattern) is the camera of \(camera.size); counted from the \(origin.rawValue) of the first pixel"
      ))
    let pattern = Self.quoted(camera.pattern), role = roles[camera.pattern]
    var source = ["  \(camera.isOfFrames ? "files: [\(pattern)]" : "file: \(pattern)")", "  layout: counted"]
    // Of several cameras in a file, a reader of it takes the depth's.
    if depths.first?.isAligned == true, let role, !role.otherCameras.isEmpty, let own = role.camera {
      source = ["  values: [\(own.words.replacing(" ", with: ", "))]"]
    }
    return ["intrinsics:"] + source + [
      "  counted-from: \(origin.rawValue)   # centre or corner",
      "  image-size: [\(camera.size.width), \(camera.size.height)]",
    ]
  }

  func poseLines(_ assumed: inout [(String, String)]) -> [String] {
    for (pattern, role) in sortedRoles {
      let source: [String]
      var recording: [String] = []
      switch role.kinds.last {
      case .poses(let table)?:
        let columns =
          switch table {
          case .header: "header"
          case .inOrder(skippingFirst: true): "[skip, \(role.columns)]"
          case .byTime: "[time, \(role.columns)]"
          case .inOrder where role.isScalarFirst: "[\(role.columns)]"
          case .numbered where role.isScalarFirst: "[frame, \(role.columns)]"
          case .inOrder, .numbered, .log: "counted"
          }
        let layout = if case .log = table { "log" } else { "table" }
        source = ["  file: \(Self.quoted(pattern))", "  layout: \(layout)", "  columns: \(columns)"]
      case .poseList(let key)?:
        recording = ["recording-file: [\(Self.quoted(pattern))]"]
        source = ["  recording: \(Self.quoted(key))", "  layout: table"]
      case .posesOfFrames(let layout)?:
        source = ["  files: [\(Self.quoted(pattern))]", "  layout: \(layout.rawValue)"]
      default: continue
      }
      let isInverse = role.direction == .worldToCamera, isTested = camera != nil || hasCamera
      let words = isInverse ? "world to camera, by its name" : "camera to world"
      assumed.append(
        (
          "poses",
          "\(pattern): \(words), \(role.axes.axes)"
            + (isTested ? "; the diagnosis tests it" : "; without intrinsics, nothing tests it")
        ))
      return recording + ["poses:"] + source + [
        "  direction: \(role.direction.rawValue)   # or \(isInverse ? "camera-to-world" : "world-to-camera")",
        "  axes: \(role.axes.rawValue)   # opencv or arkit", "  up: unknown",
      ] + (role.isOfModel ? ["  unit: depth"] : [])
    }
    return []
  }

  private static func quoted(_ text: String) -> String { MappingProposal.quoted(text) }
}
