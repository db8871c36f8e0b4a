import FathomPlainText
import DepthCore
import DepthDiagnosis
import DepthGraphics

/// Pictures of what findings rest on: the same points or maps as declared and as supported, side by side.
struct DiagnosisPictures {
  typealias File = (name: String, png: [UInt8])  // "room-01-pose-convention.png" and its bytes.
  private let diagnosis: SceneDiagnosis
  private let right: SceneSample  // The scene with every correction that the diagnosis calls for.
  private let declared: SceneSample, image: (Int) throws -> Raster<RGB>?

  /// - Parameter sample: As declared.
  /// - Parameter image: The camera's image of a frame; nil where the scene has none.
  init(_ diagnosis: SceneDiagnosis, of sample: SceneSample, image: @escaping (Int) throws -> Raster<RGB>?) {
    (self.diagnosis, declared, self.image) = (diagnosis, sample, image)
    right = diagnosis.corrected(sample)
  }

  /// Findings that contradict, and the poses in any case, beside the best of what they reject.
  func files() throws -> [File] {
    try diagnosis.findings.compactMap { finding in
      guard let pair = views(of: finding), let picture = try picture(of: finding, pair) else { return nil }
      let name = "\(diagnosis.scene)-\(finding.test)".map {
        $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_"
      }
      return (String(name) + ".png", try picture.png())
    }
  }

  /// Two samples that differ in one convention only.
  private struct Pair {
    var titles: [String]
    var hypotheses: [String?]  // Their ids.
    var samples: [SceneSample]
  }

  private func views(of finding: Finding) -> Pair? {
    if finding.verdict == .contradicted, finding.correction != nil {
      return Pair(
        titles: [
          "Declared: " + statement(finding.declared, in: finding),
          // Where several readings are possible, the correction is what they have in common.
          finding.supported == nil
            ? "Corrected: " + (finding.fix ?? finding.summary)
            : "Supported: " + statement(finding.supported, in: finding),
        ], hypotheses: [finding.declared, finding.supported],
        samples: [diagnosis.corrected(declared, except: finding.test), right])
    }
    guard finding.test == "pose-convention", finding.verdict == .confirmed,
      let rival = finding.readings.filter({ $0.hypothesis.id != finding.supported }).min(by: {
        $0.cost < $1.cost
      }), let correction = rival.hypothesis.correction
    else { return nil }
    var other = right
    correction.apply(to: &other)
    return Pair(
      titles: [
        "Rejected: " + rival.hypothesis.statement,
        "Declared and supported: " + statement(finding.supported, in: finding),
      ], hypotheses: [rival.hypothesis.id, finding.supported], samples: [other, right])
  }

  /// In words.
  private func statement(_ id: String?, in finding: Finding) -> String {
    finding.readings.first { $0.hypothesis.id == id }?.hypothesis.statement ?? id ?? "nothing"
  }

  private func picture(of finding: Finding, _ pair: Pair) throws -> EvidencePicture? {
    switch finding.test {
    case "relative-orientation": try maps(finding, pair) { $0.relative }
    case "truth-orientation": try maps(finding, pair) { $0.truth }
    case "pose-convention", "pose-unit", "depth-kind", "intrinsics", "depth-unit": try warps(pair)
    case "object-flips": try objects(pair)
    default: nil
    }
  }

  /// The first frame's map in bands under the LiDAR's contours.
  private func maps(_ finding: Finding, _ pair: Pair, _ map: (DepthFrame) -> DepthMap?) throws
    -> EvidencePicture?
  {
    guard let index = right.frames.firstIndex(where: { map($0) != nil }) else { return nil }
    let frame = right.frames[index]
    let panels = pair.samples.indices.compactMap { panel -> EvidencePicture.Panel? in
      guard let shown = map(pair.samples[panel].frames[index]) else { return nil }
      let reading = finding.readings.first { $0.hypothesis.id == pair.hypotheses[panel] }
      let correlation =
        reading.map { " Over all frames, |ρ| of ranks is \(Quantity.fixed(1 - $0.cost, 2))." } ?? ""
      return EvidencePicture.Panel(
        title: pair.titles[panel], background: .relative(shown, contours: frame.lidar),
        caption:
          "Frame \(frame.index), \(panel == 0 ? "read as declared" : "the map put upright"). Where the maps agree, "
          + "the LiDAR's contour lines follow the borders of the bands." + correlation)
    }
    return EvidencePicture(panels: panels, imageSize: frame.lidar.size, scale: .ranks())
  }

  /// One frame's returns carried into another one, coloured by how far they are from the depth there.
  private func warps(_ pair: Pair) throws -> EvidencePicture? {
    guard let (source, target) = CarriedPoints.mostTelling(wrong: pair.samples[0], right: pair.samples[1]),
      let size = right.frames[target].intrinsics?.imageSize
    else { return nil }
    let background = try background(of: target)
    let panels = zip(pair.titles, pair.samples).map { title, sample in
      let points = CarriedPoints(from: sample.frames[source], to: sample.frames[target], in: sample.header)
      return EvidencePicture.Panel(
        title: title, background: background, points: points.points,
        caption:
          "Returns of frame \(right.frames[source].index) carried into frame \(right.frames[target].index), of all pairs "
          + "the one that tells most: \(points.statement).")
    }
    return EvidencePicture(
      panels: panels, imageSize: size,
      scale: ColourScale(range: 0...CarriedPoints.largest, label: "difference of depth", unit: "%"))
  }

  private func background(of index: Int) throws -> EvidencePicture.Background {
    let frame = right.frames[index]
    return try image(frame.index).map { .image($0) } ?? .depth(frame.lidar)
  }

  /// The points of a frame's objects where the flips put them.
  private func objects(_ pair: Pair) throws -> EvidencePicture? {
    let counts = Dictionary(grouping: right.objects, by: \.frame).mapValues(\.count)
    guard
      let index = right.frames.indices.max(by: {
        (counts[right.frames[$0].index] ?? 0, $1) < (counts[right.frames[$1].index] ?? 0, $0)
      }), let size = right.frames[index].intrinsics?.imageSize
    else { return nil }
    let background = try background(of: index)
    let panels = zip(pair.titles, pair.samples).map { title, sample in
      let points = FlippedPoints(of: sample, frame: sample.frames[index]).points
      return EvidencePicture.Panel(
        title: title, background: background, points: points,
        caption: "Frame \(right.frames[index].index): \(points.count) LiDAR returns count as points of its "
          + "\(counts[right.frames[index].index] ?? 0) objects. Where boxes and masks are read rightly, they lie on the objects."
      )
    }
    return EvidencePicture(
      panels: panels, imageSize: size,
      scale: ColourScale(spanning: panels.flatMap { $0.points.map(\.value) }, label: "depth", unit: "m"))
  }
}
