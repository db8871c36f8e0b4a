import FathomRuns
import DepthCertification
import DepthCore
import DepthDataset
import DepthEvaluation
import FathomPlainText
import FathomStorage

extension CertifyJob {
  /// Measures against a board.
  func run(_ request: BoardRequest, _ inputs: RunInputs, _ observe: JobObserver) async throws -> CertifyResult
  {
    let views = try views(request, inputs, observe)
    let byFrame = Dictionary(views.map { ([$0.scene, "\($0.frame)"], $0) }) { first, _ in first }
    var (poses, skipped): ([BoardPose], Int) = ([], 0)
    var starts: [String: Double] = [:]
    for file in inputs.files {
      for scene in file.scenes {
        let header = scene.header
        guard header.lidarSize != nil, header.intrinsics != nil else {
          throw fault(
            file.source.path, scene.name, "it has no depth of a sensor, or no intrinsics",
            "choose scenes with both by \(option: "scenes")")
        }
        let frames = inputs.selection.range(of: header)
        starts[scene.name] = header.start(of: frames)
        for index in frames {
          guard let view = byFrame[[scene.name, "\(index)"]] else { continue }
          let frame = try file.source.frame(index, of: header, including: [.lidar, .camera, .confidence])
          guard let camera = frame.intrinsics ?? header.intrinsics else { continue }
          let picture = camera.scaled(to: header.colourSize ?? camera.imageSize)
          if let pose = BoardPose(
            frame.lidar, view, request.board, picture, confidence: frame.confidence)
          {
            poses.append(pose)
          } else {
            skipped += 1
          }
        }
      }
    }
    guard !poses.isEmpty else {
      throw fault(
        inputs.files.first?.source.path ?? "", inputs.allScenes.first?.name ?? "",
        "none of \(counted(skipped, "picture")) shows \(BoardPose.fewestCorners) corners of the board and depth on it",
        "check \(option: "board") against the print, and the word legacy; light it well, and hold it still and whole in the picture"
      )
    }
    let certificate = Certificate(
      BoardTest(poses, request.board, declaration, starts: starts), skipped: skipped,
      devices: Set(inputs.allScenes.compactMap(\.header.device)).sorted(),
      inputs: try await inputs.manifest(),
      scenePattern: data.scenes.description)
    try inputs.requireUnchanged()
    return CertifyResult(
      name: inputs.name, placements: [], poses: poses, views: views, certificate: certificate)
  }

  /// By the file of corners, or by OpenCV.
  private func views(
    _ request: BoardRequest, _ inputs: RunInputs, _ observe: JobObserver
  ) throws -> [CharucoBoard.View] {
    if let path = request.corners { return try request.storedViews(path) }
    var finder = try BoardFinder(request)
    func pictures(_ header: SceneHeader) -> [Int] {
      guard header.colourSize != nil else { return [] }
      let frames = inputs.selection.range(of: header)
      return header.imageFrames?.filter(frames.contains) ?? Array(frames)
    }
    observe(.began(.measuring, steps: inputs.allScenes.reduce(0) { $0 + pictures($1.header).count }))
    for file in inputs.files {
      for scene in file.scenes {
        for index in pictures(scene.header) {
          if let image = try file.source.frame(index, of: scene.header, including: .image).image {
            try finder.add(image, scene.name, index)
          }
          observe(.advanced)
        }
      }
    }
    try finder.find()
    return finder.views
  }
}
