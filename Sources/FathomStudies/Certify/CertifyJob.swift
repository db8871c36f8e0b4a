public import FathomRuns
public import DepthCertification
import DepthCore
import DepthDataset
import DepthEvaluation
import FathomPlainText
import FathomStorage

/// Certifies the range errors of a depth sensor by flat walls at taped distances, by two faces with a taped separation, or by a printed
/// board: what `fathom certify` does.
public struct CertifyJob: Sendable {
  /// Data sets, scenes and frames; a scene is a placement before the wall.
  public var data: DataSelection
  /// Taped, metres, in the order of the scenes; empty where none was taped, and then nothing can be certified.
  public var distances: [Double]
  /// What is declared about the measurement.
  public var declaration: WallTest.Declaration
  /// What every scene shows.
  public var target: WallTest.Target
  /// nil for walls.
  public var board: BoardRequest?

  public init(
    _ data: DataSelection, distances: [Double], _ declaration: WallTest.Declaration,
    target: WallTest.Target = .wall
  ) {
    (self.data, self.distances, self.declaration, self.target) = (data, distances, declaration, target)
  }

  /// Certifies by a board; scenes are recordings of it, still or moved.
  public init(_ data: DataSelection, _ board: BoardRequest, _ declaration: WallTest.Declaration) {
    self.init(data, distances: [], declaration, target: .board)
    self.board = board
  }

  /// Measures.
  /// - Throws: `FathomError` where data cannot be read or a scene has no wall, `OptionProblem` where there is not one distance for each scene.
  public func run(_ observe: JobObserver = { _ in }) async throws -> CertifyResult {
    let inputs = try RunInputs(data, rules: .fathom, observe)
    if let board { return try await run(board, inputs, observe) }
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
          try placement(
            scene.name, scene.header, file.source, inputs.selection.range(of: scene.header), observe))
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

  private func placement(
    _ name: String, _ header: SceneHeader, _ source: some FrameSource, _ frames: Range<Int>,
    _ observe: JobObserver
  ) throws -> WallPlacement {
    func fault(_ reason: Wording, _ advice: Wording) -> FathomError {
      self.fault(source.path, name, reason, advice)
    }
    guard let size = header.lidarSize else {
      throw fault("it has no depth of a sensor", "choose scenes with LiDAR depth by \(option: "scenes")")
    }
    guard let camera = header.intrinsics else {
      throw fault("it has no intrinsics, so the shape of a wall is not known", "add camera/intrinsics")
    }
    var mean = MeanDepth(size), seen = DistinctMaps()
    var copies: Set<Int> = []
    for index in frames {
      let frame = try source.frame(index, of: header, including: [.lidar, .confidence])
      if seen.insert(frame.lidar) {
        mean.add(frame.lidar, confidence: frame.confidence)
      } else {
        copies.insert(index)
      }
      observe(.advanced)
    }
    let faces =
      target == .wall
      ? [Wall(mean, camera, name: name)].compactMap(\.self) : Wall.faces(mean, camera, name: name)
    guard let wall = faces.first else {
      throw fault(
        "no plane takes a \(target == .wall ? "third" : "tenth") of the pixels with depth",
        "record \(target == .wall ? "a flat wall that fills" : "two parallel faces that fill") the picture, without things before it"
      )
    }
    guard target == .wall || faces.count == 2 else {
      throw fault(
        "one plane only: no second face parallel to the largest one takes a tenth of the pixels with depth",
        "turn the faces parallel, go nearer to the smaller one, or separate them by 5 % of their distance or more"
      )
    }
    var placement = WallPlacement(
      name, wall, face: faces.count == 2 ? faces[1] : nil, tape: declaration.tape,
      start: header.start(of: frames), copies: copies.count)
    for index in frames {
      if !copies.contains(index) {
        placement.add(try source.frame(index, of: header, including: .lidar).lidar)
      }
      observe(.advanced)
    }
    return placement
  }

  func fault(_ path: String, _ scene: String, _ reason: Wording, _ advice: Wording) -> FathomError {
    FathomError(
      .badData, attempted: "certify the sensor", file: path, object: "scenes/\(scene)", reason: reason,
      advice: advice)
  }
}

extension SceneHeader {
  /// Time stamp of the first of these frames, seconds.
  func start(of frames: Range<Int>) -> Double? {
    timestampsSeconds.flatMap { $0.isEmpty ? nil : $0[frames.lowerBound] }
  }
}

/// What a certification found.
public struct CertifyResult: Sendable {
  /// Name of the certificate: the data sets' names.
  public let name: String
  /// One for each scene, in their order; none with a board.
  public let placements: [WallPlacement]
  /// Of a board, in the order of their frames.
  public var poses: [BoardPose] = []
  /// What was found of the board in the pictures: `corners.json`.
  public var views: [CharucoBoard.View] = []
  /// `certificate.json`.
  public let certificate: Certificate
}
