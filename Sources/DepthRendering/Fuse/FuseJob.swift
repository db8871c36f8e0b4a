import DepthCore
import DepthDataset
import DepthEvaluation
public import DepthFusion
import FathomPlainText
public import FathomRunFolders
public import FathomRuns
import FathomStorage

/// Fuses the frames of a data set by one method, and writes the maps with the standard deviation of each pixel: what `fathom fuse` does.
///
/// No truth is read. Memory does not grow with the number of frames, and the files do not depend on the number of jobs.
public struct FuseJob: Sendable {
  /// The data set or recording, its scenes and frames.
  public var data: DataSelection
  public var method: MethodSelection
  public var options = FusionOptions()
  /// Seed of methods that draw at random.
  public var seed: UInt64 = 0
  /// The calibration file whose content the options hold.
  public var calibration: RunManifest.Input?
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores
  /// Whether what is there is replaced.
  public var overwrite = false

  public init(_ path: String, by method: MethodSelection = .auto) {
    (data, self.method) = (DataSelection([path]), method)
  }

  /// Fuses, and writes a file or a folder.
  /// - Parameter path: Where the file, or the folder of frames, will be.
  /// - Throws: `OptionProblem` where the options do not fit the data, `FathomError` where data cannot be read or the output cannot be
  ///   written.
  public func run(
    to path: String, as format: FusedFormat, _ observe: @escaping JobObserver = { _ in }
  ) async throws -> FuseManifest {
    guard method.role != .oracle, method.role != .stored else {
      throw OptionProblem(
        "method",
        "\(method) \(method.role == .oracle ? "is fitted to the truth" : "is a map that the data hold, and nothing is fused"); name another, such as auto"
      )
    }
    if let problem = options.firstProblem { throw problem }
    let inputs = try RunInputs(data, rules: .fathom, observe)
    guard let file = inputs.files.first else { throw OptionProblem("scenes", "no scene is left") }
    let frames = file.scenes.map { data.frames?.frames(of: $0.header) ?? 0..<$0.header.frameCount }
    let scenes = zip(file.scenes, frames).filter { !$0.1.isEmpty }
    if scenes.isEmpty {
      throw OptionProblem("frames", "no scene has a frame in \(data.frames?.description ?? "the data")")
    }
    let hasDeviation = method.method(for: .unknown).givesDeviation
    let layers = FusedLayer.allCases.filter { $0 == .depth || hasDeviation }
    var manifest = FuseManifest(
      inputs: try await inputs.manifest().map { input in
        var input = input
        // Of this machine, not of the maps.
        input.protections = nil
        return input
      }, method: method.description, options: options, seed: seed, calibration: calibration, format: format,
      metres: Dictionary(uniqueKeysWithValues: layers.map { ($0.rawValue, format.metres(of: $0)) }))
    var kinds: [SceneContext] = []
    for (scene, _) in scenes {
      var context = scene
      try context.resolveKind { (index) throws(FathomError) in
        try file.source.frame(index, of: scene.header, including: [.lidar, .confidence, .relative])
      }
      kinds.append(context)
    }
    let places = kinds.map { FrameFolder.fileName($0.header.name) }
    let parts = try zip(kinds, scenes).enumerated().map { number, part in
      let (context, scene) = part
      // Names that differ only in what a file name may not hold.
      let isShared = places.count { $0 == places[number] } > 1
      return FusedScene(
        header: context.header, frames: scene.1, size: try size(of: context.header, in: file.source.path),
        hasDeviation: hasDeviation,
        folder: scenes.count > 1 ? places[number] + (isShared ? "-\(number + 1)/" : "/") : "")
    }
    observe(.began(.fusing, steps: parts.reduce(0) { $0 + $1.frames.count }))
    if format == .h5 {
      let writer = try FusedMapsWriter(
        creating: path, attributes: try manifest.attributes(), overwrite: overwrite)
      for (context, part) in zip(kinds, parts) {
        manifest.scenes.append(
          try await fuse(context, part, format, from: file.source, into: writer, observe))
      }
      try inputs.requireUnchanged()
      try writer.commit()
    } else {
      let sink = FusedFolder(
        folder: try AtomicFolder(path, kind: .fused, overwrite: overwrite), format: format)
      for (context, part) in zip(kinds, parts) {
        manifest.scenes.append(try await fuse(context, part, format, from: file.source, into: sink, observe))
      }
      try inputs.requireUnchanged()
      try sink.finish(manifest: try CanonicalJSON.text(manifest))
    }
    return manifest
  }

  /// Size of a scene's maps: that of the map which the method changes.
  /// - Throws: `FathomError` where the scene has nothing to fuse.
  private func size(of scene: SceneHeader, in path: String) throws(FathomError) -> RasterSize {
    let isSensor = method.role == .sensor
    let sensor =
      (isSensor && method.method(for: .unknown).needsImage ? scene.colourSize : nil) ?? scene.lidarSize
    guard scene.lidarSize != nil, let size = isSensor ? sensor : scene.relativeSize ?? sensor else {
      throw FathomError(
        .badData, attempted: "fuse by \(method)", file: path, object: "scenes/\(scene.name)",
        reason: "the scene has no LiDAR", advice: "choose other scenes with \(option: "scenes")")
    }
    return size
  }

  private func fuse(
    _ context: SceneContext, _ scene: FusedScene, _ format: FusedFormat, from source: any FrameSource,
    into sink: borrowing some FusedSink & ~Copyable, _ observe: JobObserver
  ) async throws -> FuseManifest.Scene {
    let plan = EvaluationPlan(methods: [method], options: options, seed: seed)
    let arrays: FrameArrays =
      plan.needsImage
      ? [.lidar, .confidence, .relative, .camera, .image] : [.lidar, .confidence, .relative, .camera]
    var history = FrameHistory(length: plan.historyLength)
    var rows: [(status: String, reason: String)] = []
    var result = FuseManifest.Scene(
      name: scene.header.name, folder: String(scene.folder.dropLast()), width: scene.size.width,
      height: scene.size.height, relativeKind: context.relativeKind.rawValue, frames: scene.frames.count)
    var failure: (any Error)?
    try sink.begin(scene)
    try await FrameStream(scene.frames, jobs: jobs).run { (index) throws(FathomError) in
      try history.frame(index) { (earlier) throws(FathomError) in
        try source.frame(earlier, of: scene.header, including: [.lidar, .confidence, .camera])
      } read: { (index) throws(FathomError) in
        try source.frame(index, of: scene.header, including: arrays)
      }
    } work: { input -> FusedFrame? in
      plan.fuse(input.frame, of: context, history: input.before, deviation: scene.hasDeviation).first
        .map { FusedFrame($0.fusion, scene, format) }
    } take: { index, fused in
      observe(.advanced)
      guard failure == nil, let fused else { return }
      do { try sink.write(fused, of: scene, at: index) } catch { failure = error }
      rows.append((fused.status, fused.reason))
      if fused.isFused { result.fused += 1 }
      if !fused.isFused, result.firstReason == nil {
        result.firstReason = "frame \(scene.header.frameID(index)): \(fused.reason)"
      }
    }
    if let failure { throw failure }
    try sink.end(scene, rows)
    observe(.finished(scene: scene.header.name, frames: scene.frames.count))
    return result
  }
}

extension FusedFrame {
  var isFused: Bool { status == FusionStatus.ok.rawValue }  // Whether there is a map.

  fileprivate init(_ fusion: FusionResult, _ scene: FusedScene, _ format: FusedFormat) {
    depth = (fusion.prediction?.depth).read(at: scene.size)
    deviation = scene.hasDeviation ? fusion.deviation.read(at: scene.size) : nil
    (status, reason) = (
      fusion.status.rawValue,
      [fusion.reason, fusion.deviationParts?.words].compactMap(\.self).joined(separator: "; ")
    )
    guard format != .h5 else { return }
    let maps = [(FusedLayer.depth, depth)] + (deviation.map { [(.deviation, $0)] } ?? [])
    files = try? maps.map { ($0, try format.encode($1, $0)) }
  }
}

extension DepthMap? {
  /// The map at a size; NaN everywhere where there is none.
  fileprivate func read(at size: RasterSize) -> DepthMap {
    guard let self else { return DepthMap(width: size.width, height: size.height, filledWith: .nan) }
    guard self.size != size else { return self }
    var result = DepthMap(width: size.width, height: size.height, filledWith: .nan)
    BilinearSampler(source: size, target: self.size).forEachSample(of: self) { result.values[$0] = Float($1) }
    return result
  }
}
