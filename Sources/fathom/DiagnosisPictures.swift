import DepthDiagnosis
import DepthFusion
import DepthGraphics
import DepthObjects

/// Pictures of what findings rest on: the same points or maps as declared and as supported, side by side.
struct DiagnosisPictures {
  /// "room-01-pose-convention.png" and its bytes.
  typealias File = (name: String, png: [UInt8])

  private let diagnosis: SceneDiagnosis
  /// The scene with every correction that the diagnosis calls for.
  private let right: SceneSample
  private let declared: SceneSample
  private let image: (Int) throws -> Raster<RGB>?

  /// - Parameters:
  ///   - sample: As declared.
  ///   - image: The camera's image of a frame; nil where the scene has none.
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
    var samples: [SceneSample]
  }

  private func views(of finding: Finding) -> Pair? {
    if finding.verdict == .contradicted, finding.correction != nil {
      return Pair(
        titles: [
          "declared: \(finding.declared ?? "nothing")", "supported: \(finding.supported ?? "corrected")",
        ],
        samples: [diagnosis.corrected(declared, except: finding.test), right])
    }
    guard finding.test == "pose-convention", finding.verdict == .confirmed,
      let rival = finding.readings.filter({ $0.hypothesis.id != finding.supported }).min(by: {
        $0.cost < $1.cost
      }),
      let correction = rival.hypothesis.correction
    else { return nil }
    var other = right
    correction.apply(to: &other)
    return Pair(
      titles: ["declared and supported: \(finding.supported ?? "")", "rejected: \(rival.hypothesis.id)"],
      samples: [right, other])
  }

  private func picture(of finding: Finding, _ pair: Pair) throws -> EvidencePicture? {
    switch finding.test {
    case "relative-orientation": try maps(pair) { $0.relative }
    case "truth-orientation": try maps(pair) { $0.truth }
    case "pose-convention", "pose-unit", "depth-kind", "intrinsics", "depth-unit": try warps(pair)
    case "object-flips": try objects(pair)
    default: nil
    }
  }

  /// The first frame's map in bands under the LiDAR's contours.
  private func maps(_ pair: Pair, _ map: (DepthFrame) -> DepthMap?) throws -> EvidencePicture? {
    guard let index = right.frames.firstIndex(where: { map($0) != nil }) else { return nil }
    let frame = right.frames[index]
    return EvidencePicture(
      panels: zip(pair.titles, pair.samples).compactMap { title, sample in
        map(sample.frames[index]).map {
          EvidencePicture.Panel(
            title: title, background: .relative($0, contours: frame.lidar),
            caption: "Frame \(frame.index). Where the maps agree, the LiDAR's contour lines follow the bands."
          )
        }
      }, imageSize: frame.lidar.size, scale: .ranks())
  }

  /// One frame's returns carried into another one, coloured by how far they are from the depth there.
  private func warps(_ pair: Pair) throws -> EvidencePicture? {
    guard let (source, target) = bestPair, let size = right.frames[target].intrinsics?.imageSize else {
      return nil
    }
    let background = try background(of: target)
    let panels = zip(pair.titles, pair.samples).map { title, sample in
      let points = CarriedPoints(from: sample.frames[source], to: sample.frames[target], in: sample.header)
        .points
      let agreeing = points.filter { $0.value <= CarriedPoints.agreement }.count
      let share = points.isEmpty ? "none lands" : "\(100 * agreeing / points.count) % agree within 5 %"
      return EvidencePicture.Panel(
        title: title, background: background, points: points,
        caption:
          "Returns of frame \(right.frames[source].index) carried into frame \(right.frames[target].index): "
          + "\(points.count) land, \(share) with the depth there.")
    }
    return EvidencePicture(
      panels: panels, imageSize: size,
      scale: ColourScale(range: 0...20, label: "difference of depth", unit: "%"))
  }

  /// Frames of which most returns meet.
  private var bestPair: (source: Int, target: Int)? {
    let frames = right.frames.indices
    let pairs = frames.flatMap { i in [i + 1, i + 2, i + 4].filter(frames.contains).map { (i, $0) } }
    return pairs.map { pair in
      let points = CarriedPoints(from: right.frames[pair.0], to: right.frames[pair.1], in: right.header)
        .points
      return (pair, points.filter { $0.value <= CarriedPoints.agreement }.count)
    }.max { $0.1 < $1.1 }.map { (source: $0.0.0, target: $0.0.1) }
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
        caption:
          "Frame \(right.frames[index].index): LiDAR returns that count as objects' points, at their depth.")
    }
    return EvidencePicture(
      panels: panels, imageSize: size,
      scale: ColourScale(spanning: panels.flatMap { $0.points.map(\.value) }, label: "depth", unit: "m"))
  }
}

/// Returns of one frame in the image of another, with the difference to the depth there in per cent.
private struct CarriedPoints {
  /// Per cent.
  static let agreement = 5.0
  /// At most this many columns of returns are shown.
  private static let columns = 96
  var points: [EvidencePicture.ProjectedPoint] = []

  init(from source: DepthFrame, to target: DepthFrame, in scene: SceneHeader) {
    guard let from = PosedCamera(of: source, in: scene), let to = PosedCamera(of: target, in: scene) else {
      return
    }
    let (lidar, there) = (source.lidar, target.lidar)
    let (size, other) = (from.intrinsics.imageSize, to.intrinsics.imageSize)
    let step = max(1, lidar.width / Self.columns)
    for row in stride(from: step / 2, to: lidar.height, by: step) {
      for column in stride(from: step / 2, to: lidar.width, by: step) {
        let depth = Double(lidar[row, column])
        guard depth > 0, depth.isFinite else { continue }
        let u = (Double(column) + 0.5) * Double(size.width) / Double(lidar.width)
        let v = (Double(row) + 0.5) * Double(size.height) / Double(lidar.height)
        guard let seen = to.project(from.point(u: u, v: v, depth: depth)),
          seen.u >= 0, seen.v >= 0, seen.u < Double(other.width), seen.v < Double(other.height)
        else { continue }
        let found = Double(
          there[
            Int(seen.v / Double(other.height) * Double(there.height)),
            Int(seen.u / Double(other.width) * Double(there.width))])
        guard found > 0, found.isFinite else { continue }
        points.append(.init(u: seen.u, v: seen.v, value: 100 * abs(seen.depth / found - 1)))
      }
    }
  }
}

/// The points that the flips of a sample's conventions give its objects in one frame, in the image.
private struct FlippedPoints {
  var points: [EvidencePicture.ProjectedPoint] = []

  init(of sample: SceneSample, frame: DepthFrame) {
    guard let intrinsics = frame.intrinsics else { return }
    // Where a point is seen does not depend on the pose.
    let camera = PosedCamera(intrinsics, .identity, .opencv)
    for object in sample.objects where object.frame == frame.index {
      let found = try? ObjectPoints(of: object, in: frame, camera: camera, conventions: sample.conventions)
      for point in found?.points ?? [] {
        guard let seen = camera.project(point) else { continue }
        points.append(.init(u: seen.u, v: seen.v, value: seen.depth))
      }
    }
  }
}
