public import DepthCertification
import DepthCore
import DepthDataset
import DepthEvaluation
import FathomPlainText
import FathomStorage

/// Certifies the range errors of a depth sensor by flat walls at taped distances: what `fathom certify` does.
public struct CertifyJob: Sendable {
  /// Data sets, scenes and frames; a scene is a placement before the wall.
  public var data: DataSelection
  /// Taped, metres, in the order of the scenes; empty where none was taped, and then nothing can be certified.
  public var distances: [Double]
  /// What is declared about the measurement.
  public var declaration: WallTest.Declaration

  public init(_ data: DataSelection, distances: [Double], _ declaration: WallTest.Declaration) {
    (self.data, self.distances, self.declaration) = (data, distances, declaration)
  }

  /// Measures.
  /// - Throws: `FathomError` where data cannot be read or a scene has no wall, `OptionProblem` where there is not one distance for each scene.
  public func run(_ observe: JobObserver = { _ in }) async throws -> CertifyResult {
    let inputs = try RunInputs(data, rules: .fathom, observe)
    let scenes = inputs.allScenes.map(\.name)
    guard distances.isEmpty || distances.count == scenes.count else {
      throw OptionProblem(
        "distances",
        "\(counted(distances.count, "distance")) for \(counted(scenes.count, "scene")) (\(scenes.joined(separator: ", "))); give one for each, in this order"
      )
    }
    observe(
      .began(
        .measuring, steps: inputs.allScenes.reduce(0) { $0 + 2 * inputs.selection.range(of: $1.header).count }
      ))
    var placements: [WallPlacement] = []
    for file in inputs.files {
      for scene in file.scenes {
        placements.append(
          try Self.placement(
            scene.name, scene.header, file.source, inputs.selection.range(of: scene.header),
            tape: declaration.tape, observe))
      }
    }
    let test = WallTest(
      placements, distances: distances.isEmpty ? placements.map(\.distance) : distances, declaration)
    let devices = Set(inputs.allScenes.compactMap(\.header.device)).sorted()
    let certificate = Certificate(
      test, isTaped: !distances.isEmpty, devices: devices, inputs: try await inputs.manifest(),
      scenePattern: data.scenes.description)
    try inputs.requireUnchanged()
    return CertifyResult(name: inputs.name, placements: placements, certificate: certificate)
  }

  private static func placement(
    _ name: String, _ header: SceneHeader, _ source: some FrameSource, _ frames: Range<Int>,
    tape: TapeReading, _ observe: JobObserver
  ) throws -> WallPlacement {
    func fault(_ reason: Wording, _ advice: Wording) -> FathomError {
      FathomError(
        .badData, attempted: "certify the sensor", file: source.path, object: "scenes/\(name)",
        reason: reason, advice: advice)
    }
    guard let size = header.lidarSize else {
      throw fault("it has no depth of a sensor", "choose scenes with LiDAR depth by \(option: "scenes")")
    }
    guard let camera = header.intrinsics else {
      throw fault("it has no intrinsics, so the shape of a wall is not known", "add camera/intrinsics")
    }
    var mean = MeanDepth(size)
    for index in frames {
      mean.add(try source.frame(index, of: header, including: .lidar).lidar)
      observe(.advanced)
    }
    guard let wall = Wall(mean, camera, name: name) else {
      throw fault(
        "no plane takes a third of the pixels with depth",
        "record a flat wall that fills the picture, without things before it")
    }
    var placement = WallPlacement(name, wall, tape: tape)
    for index in frames {
      placement.add(try source.frame(index, of: header, including: .lidar).lidar)
      observe(.advanced)
    }
    return placement
  }
}

/// What a certification found.
public struct CertifyResult: Sendable {
  /// Name of the certificate: the data sets' names.
  public let name: String
  /// One for each scene, in their order.
  public let placements: [WallPlacement]
  /// `certificate.json`.
  public let certificate: Certificate
}
