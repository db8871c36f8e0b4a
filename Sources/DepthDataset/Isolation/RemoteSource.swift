public import DepthCore
import Foundation
import Glibc
internal import FathomHDF5
public import FathomStorage
import Synchronization

/// A data set that another process reads: what that process says is checked, and its end is an error like any other.
public final class RemoteSource: FrameSource {
  public let path: String, scenes: [SceneHeader], issues: [SchemaIssue], sources: SourceFiles
  public let protections: [String]?
  private let process: ReaderConnection
  /// Starts another one for the same file.
  private let another: () throws(FathomError) -> ReaderConnection
  /// Those that help where many frames are wanted at once.
  private var helpers: [ReaderConnection] = []
  private var pixels = 0  // That were wanted so.
  private let positions: [String: Int]

  /// - Parameter threads: That will wait for many frames at once.
  /// - Parameter longFile: Bytes of a file from which on two processes start for them at once.
  /// - Throws: `FathomError` as `DatasetReader`, and where the reader ends or does not answer.
  init(
    _ path: String, executable: String, validation: ValidationMode, external: ExternalFolders,
    threads: Int = 1, longFile: Int = 32 << 20
  ) throws(FathomError) {
    let files = try SourceFiles(ofFile: path, attempted: "open the data set")
    another = { () throws(FathomError) in
      try Self.process(
        files, executable,
        ReaderOptions(path: path, isLenient: validation == .lenient, external: external))
    }
    process = try another()
    // It is ready by the time that it is needed.
    if threads > 1, files.byteCount > longFile, let helper = try? another() { helpers = [helper] }
    let places = external.places(besides: path)
    let opened: OpenedDataset = try process.ask(.open) { (wire) throws(MalformedMessage) in
      let opened: OpenedDataset = try wire.json()
      guard opened.scenes.count <= SchemaLimits.scenes, opened.scenes.allSatisfy(\.isSensible),
        opened.externalNames.count == opened.externalPaths.count,
        opened.externalPaths.allSatisfy({ ExternalFolders.holds(places, $0) })
      else { throw MalformedMessage() }
      return opened
    }
    self.path = path
    (scenes, issues) = (opened.scenes, opened.issues)
    positions = Dictionary(
      opened.scenes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    sources = try files.leading(
      to: zip(opened.externalNames, opened.externalPaths).map { ($0, $1) })
    protections = ReaderLayers.names(opened.layers)
    ReaderLayers.note(opened.layers)
  }

  private static func process(
    _ files: SourceFiles, _ executable: String, _ options: ReaderOptions
  ) throws(FathomError) -> ReaderConnection {
    ReaderLayers.noteAvailable()
    let path = options.path
    return try ReaderConnection(
      ReaderConnection.Start(
        path: path, noun: "data set", executable: executable, subcommand: ReaderProcess.subcommand,
        argument: options, seconds: ReaderProcess.patience(files.byteCount)
      ) { () throws(FathomError) in
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file >= 0, files.isOf(descriptor: file) { return file }
        guard file >= 0 else { throw .cannotOpen(path, noun: "data set", errno) }
        close(file)
        throw FathomError(
          .badData, attempted: "open the data set", file: path, reason: "it was replaced while it was opened",
          advice: "try again when nothing writes it")
      })
  }

  /// Everything that can be said about a file, found by another process.
  static func inspection(
    of path: String, executable: String, external: ExternalFolders
  ) throws(FathomError) -> DatasetInspection {
    let files = try SourceFiles(ofFile: path, attempted: "open the data set")
    let process = try Self.process(
      files, executable, ReaderOptions(path: path, isLenient: true, external: external))
    var inspection: DatasetInspection = try process.ask(.inspect) { (wire) throws(MalformedMessage) in
      try wire.json()
    }
    (inspection.path, inspection.byteCount) = (path, files.byteCount)
    try files.requireUnchanged()
    return inspection
  }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    let known = try position(of: scene)
    return try Self.frame(FrameRequest(index, arrays), at: known, of: scenes[known], from: process)
  }

  private static func frame(
    _ wanted: FrameRequest, at position: Int, of scene: SceneHeader, from process: ReaderConnection
  ) throws(FathomError) -> DepthFrame {
    try process.ask(.frame, position, wanted.index, wanted.arrays.rawValue) {
      (wire) throws(MalformedMessage) in
      try wire.frame(wanted.index, of: scene, including: wanted.arrays)
    }
  }

  public func frames(
    _ wanted: [FrameRequest], of scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [DepthFrame] {
    let known = try position(of: scene), header = scenes[known]
    pixels += Self.pixels(wanted, of: header)
    while helpers.count + 1 < min(threads, 1 + pixels / Self.worthAnother, ReaderProcess.most),
      let helper = try? another()
    {
      helpers.append(helper)
    }
    return try shared(wanted.count, threads) { (position, process) throws(FathomError) in
      try Self.frame(wanted[position], at: known, of: header, from: process)
    }
  }

  public func masks(
    ofObjects indices: [Int], in scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [Raster<Float>?] {
    let known = try position(of: scene)
    return try shared(indices.count, threads) { (position, process) throws(FathomError) in
      try Self.mask(indices[position], at: known, from: process)
    }
  }

  private static func mask(
    _ index: Int, at position: Int, from process: ReaderConnection
  ) throws(FathomError) -> Raster<Float>? {
    try process.ask(.mask, position, index) { (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in try wire.mask() }
    }
  }

  public func batch(jobs: Int) -> Int { max(1, min(ReaderProcess.most, (jobs + 3) / Self.jobsOfReader)) }

  /// Frames that are worked on while one process reads: it takes a sixth of all processor time at most.
  private static let jobsOfReader = 4

  /// Answers to several questions, from the helpers, too, where there are any: while one process inflates, others do as well.
  /// - Throws: What the first question led to that failed.
  private func shared<Answer: Sendable>(
    _ count: Int, _ threads: Int, _ ask: @Sendable (Int, ReaderConnection) throws(FathomError) -> Answer
  ) throws(FathomError) -> [Answer] {
    let processes = [process] + helpers.prefix(threads - 1)
    let idle = Mutex(processes)
    let results = concurrentMap(count, threads: processes.count) { position in
      // There are as many as threads.
      let process = idle.withLock { $0.popLast() } ?? processes[0]
      defer { idle.withLock { $0.append(process) } }
      return Result { () throws(FathomError) in try ask(position, process) }
    }
    var answers: [Answer] = []
    for result in results { answers.append(try result.get()) }
    return answers
  }

  private static func pixels(_ wanted: [FrameRequest], of scene: SceneHeader) -> Int {
    wanted.reduce(0) { sum, request in
      let maps: [(FrameArrays, RasterSize?)] = [
        (.lidar, scene.lidarSize), (.relative, scene.relativeSize), (.truth, scene.truthSize),
        (.image, scene.colourSize),
      ]
      return maps.reduce(sum) { $0 + (request.arrays.contains($1.0) ? $1.1?.count ?? 0 : 0) }
    }
  }

  /// Pixels that take one process about as long to read as another one to start.
  private static let worthAnother = 5_000_000

  public func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects? {
    let known = try position(of: scene)
    return try process.ask(.objects, known, 0, includingMasks ? 1 : 0) {
      [scenes] (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in try wire.objects(of: scenes[known]) }
    }
  }

  public func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>? {
    try Self.mask(index, at: try position(of: scene), from: process)
  }

  public func detectorOutput(frame index: Int, of scene: SceneHeader) throws(FathomError) -> DetectorOutput? {
    let known = try position(of: scene)
    return try process.ask(.detectorOutput, known, index) { [scenes] (wire) throws(MalformedMessage) in
      try wire.optional { (wire) throws(MalformedMessage) in
        let (predictions, prototypes) = (try wire.array(of: Float.self), try wire.array(of: Float.self))
        guard let head = scenes[known].detector, predictions.count == head.rowCount * head.anchorCount,
          prototypes.count == head.coefficientCount * head.prototypeSize.count
        else { throw MalformedMessage() }
        return DetectorOutput(head: head, predictions: predictions, prototypes: prototypes)
      }
    }
  }

  private func position(of scene: SceneHeader) throws(FathomError) -> Int {
    if let position = positions[scene.name] { return position }
    throw FathomError(
      .badData, attempted: "read scene '\(scene.name)'", file: path, object: "scenes/\(scene.name)",
      reason: "there is no such scene", advice: "choose one of \(scenes.map(\.name).joined(separator: ", "))")
  }
}
