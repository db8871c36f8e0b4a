import FathomPlainText
import FathomRunFolders
import FathomTables
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import Foundation
public import FathomRuns
public import FathomStorage

/// Draws every frame of a stored run as pictures, and a page that sorts and filters them: what `fathom frames` does.
public struct FramesJob: Sendable {
  /// Folder of the run.
  public var run: String
  /// The data sets; empty for where the run found them.
  public var data: [String] = []
  /// Whose maps are shown; nil for the method of the run's gallery.
  public var method: String?
  /// Width of the pictures, pixels.
  public var width = 400
  /// File of the mapping that says what the data hold; nil for that of the run.
  public var mapping: String?
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// Whether an existing folder is replaced.
  public var overwrite = false
  public init(_ run: String) { self.run = run }

  /// What will be written.
  public struct Size: Sendable {
    /// Of the run.
    public let frames: Int
    /// About so many bytes, from some frames that were painted.
    public let bytes: Int
  }

  /// What was written.
  public struct Result: Sendable {
    /// The page's path.
    public let page: String
    public let method: String, frames: Int, pictures: Int
    /// Of the pictures.
    public let bytes: Int
  }

  /// Opens the run and its data, and checks that they match.
  /// - Throws: `FathomError` where the run cannot be read or its data are not there any more, `OptionProblem` where it has no such
  ///   method.
  public func open(_ observe: JobObserver = { _ in }) throws -> OpenFrames { try OpenFrames(self, observe) }
}

/// A run whose data are open.
public struct OpenFrames {
  private let job: FramesJob, run: StoredRun, inputs: RunInputs
  private let frames: [FramesPage.Frame], method: MethodSelection, plan: EvaluationPlan
  private let scenes: [String: (context: SceneContext, source: any FrameSource)]

  fileprivate init(_ job: FramesJob, _ observe: JobObserver) throws {
    self.job = job
    let run = try StoredRun(readingFrom: job.run)
    self.run = run
    frames = FramesPage.Frame.all(of: run)
    let manifest = run.manifest
    var selection = try Self.selection(job.data, of: run)
    selection.external = job.external
    selection.mapping = job.mapping ?? manifest.mapping?.path.map { Self.place($0, of: run) }
    selection.truth = TruthOrigin(manifestOptions: manifest.multiview)
    for path in selection.paths + (selection.maps.map { [$0.place] } ?? [])
    where !FileManager.default.fileExists(atPath: path) {
      throw FathomError(
        .noInput, attempted: "draw the frames of \(run.path)", place: path,
        reason: job.data.isEmpty
          ? "the data are no longer where they were evaluated" : "there is no such file",
        advice: selection.maps == nil
          ? "name the data: fathom frames RUN DATA" : "put the folders back, or evaluate again")
    }
    inputs = try RunInputs(selection, rules: manifest.protocol, observe)
    method = try Self.method(job.method, of: run)
    plan = EvaluationPlan(
      methods: [method], options: manifest.options, rules: manifest.protocol, seed: manifest.seed)
    let kinds = Dictionary(
      manifest.scenes.map { ($0.name, $0.relativeKind) }, uniquingKeysWith: { first, _ in first })
    var scenes: [String: (context: SceneContext, source: any FrameSource)] = [:]
    for file in inputs.files {
      for var context in file.scenes {
        if let kind = kinds[context.name].flatMap({ RelativeKind(rawValue: $0) }) {
          context.relativeKind = kind
        }
        scenes[context.name] = (context, file.source)
      }
    }
    self.scenes = scenes
    for frame in frames {
      guard let scene = scenes[frame.scene],
        FrameRange.index(of: frame.frame, in: scene.context.header) != nil
      else {
        throw FathomError(
          .badData, attempted: "draw the frames of \(run.path)",
          place: selection.maps?.place ?? selection.paths.joined(separator: ", "),
          reason: "there is no frame \(frame.scene)/\(frame.frame) in them",
          advice: "name the data that were evaluated")
      }
    }
  }

  /// - Parameter data: What the user names; empty for where the run found its data.
  private static func selection(_ data: [String], of run: StoredRun) throws(FathomError) -> DataSelection {
    if let maps = run.manifest.maps {
      guard data.isEmpty else {
        throw FathomError(
          .usage, attempted: "draw the frames of", place: run.path,
          reason: "it compares maps in folders, which are read where they were", advice: "name the run alone")
      }
      return DataSelection(maps: maps.places { place($0, of: run) })
    }
    return DataSelection(data.isEmpty ? try paths(of: run) : data)
  }

  /// Where the data sets were.
  private static func paths(of run: StoredRun) throws(FathomError) -> [String] {
    let inputs = run.manifest.inputs.filter { $0.unreadable == nil }
    let paths = inputs.compactMap { $0.path.map { place($0, of: run) } }
    guard paths.count == inputs.count else {
      throw FathomError(
        .noInput, attempted: "draw the frames of \(run.path)", place: run.path + "/" + RunManifest.fileName,
        reason: "it does not say where the data are", advice: "name the data: fathom frames RUN DATA")
    }
    return paths
  }

  /// A path that the run's manifest holds, from the folder of the process.
  private static func place(_ path: String, of run: StoredRun) -> String {
    path.hasPrefix("/") ? path : RelativePath.to(run.path + "/" + path)
  }

  private static func method(_ word: String?, of run: StoredRun) throws -> MethodSelection {
    let verdict: RunVerdict? =
      run.folder.has(RunVerdict.fileName)
      ? try? CanonicalJSON.value(from: run.folder.text(of: RunVerdict.fileName)) : nil
    let name = word ?? verdict.flatMap { GallerySelection.subject(of: $0) } ?? run.manifest.baseline
    // "half" is `stored:half` where no method is called so.
    let stored = StoredPredictionScoring(name).id
    let words = [name] + (run.methods.contains(stored) ? [stored] : [])
    guard let found = words.lazy.compactMap({ try? MethodCatalogue.parse($0) }).first, found.count == 1 else {
      throw OptionProblem(
        "source", "'\(name)' is not one method; the run has \(run.methods.firstNames(atMost: 20))")
    }
    if !run.hasLidar, found[0].role.needsLidar {
      throw OptionProblem("source", "'\(found[0])' needs a LiDAR, and these data have none")
    }
    return found[0]
  }

  private var basis: ComparisonBasis { ComparisonBasis(scenes.values.map(\.context)) }

  /// The folder that is written by default: beside the run's.
  public var defaultOutput: String {
    // "." and ".." are not names.
    (run.path.hasSuffix(run.name)
      ? run.path : RelativePath.to(URL(fileURLWithPath: run.path).standardizedFileURL.path)) + "-frames"
  }

  /// How large it will be: some frames are painted for that.
  /// - Throws: `FathomError`, `GraphicsError`.
  public func size() async throws -> FramesJob.Size {
    let count = min(frames.count, 4)
    let some = (0..<count).map { frames[$0 * frames.count / count] }
    guard !some.isEmpty else { return .init(frames: 0, bytes: 0) }
    var scales = GalleryScales(map: .init(of: method))
    try await views(of: some) { _, views in scales.add(.init(views.pictures)) }
    let page = FramesPage(method: method, basis: basis, width: job.width, scales)
    var bytes = 0
    try await views(of: some) { frame, views in
      bytes += try page.paint(frame.number, views.pictures, confidence: views.confidence).size
    }
    return .init(frames: frames.count, bytes: bytes / count * frames.count)
  }

  /// Draws.
  /// - Parameter output: A new folder.
  /// - Parameter link: What leads from it to the report; nil for none.
  /// - Throws: `FathomError`, `GraphicsError`.
  public func write(to output: String, link: String?, _ observe: JobObserver = { _ in }) async throws
    -> FramesJob.Result
  {
    let folder = try AtomicFolder(output, kind: .frames, overwrite: job.overwrite)
    observe(.began(.drawing, steps: 2 * frames.count))
    var scales = GalleryScales(map: .init(of: method))
    try await views(of: frames) { _, views in
      scales.add(views.found)
      observe(.advanced)
    }
    let page = FramesPage(method: method, basis: basis, width: job.width, scales)
    let commands = RunCommands(scenes.values.map(\.context), run.manifest, inputs.data.relative)
    var rows: [(frame: FramesPage.Frame, painted: FramesPage.Painted, command: String)] = []
    var (pictures, bytes) = (0, 0)
    try await views(of: frames) { frame, views in
      let painted = try page.paint(frame.number, views.pictures, confidence: views.confidence)
      for (name, file) in painted.files { try folder.write(file, to: name) }
      (pictures, bytes) = (pictures + painted.files.count, bytes + painted.size)
      let command = commands.render(
        scene: frame.scene, frame: frame.frame, method: views.isFused ? method.description : nil)
      rows.append((frame, painted.withoutBytes, command ?? ""))
      observe(.advanced)
    }
    try page.write(rows, of: run, link: link ?? "", to: folder)
    try inputs.requireUnchanged()
    let path = folder.path
    let manifest = FramesManifest(
      run: run.name, method: method.description, inputs: run.manifest.inputs, width: job.width,
      frames: frames.count)
    try folder.commit(manifest: try CanonicalJSON.text(manifest))
    return .init(
      page: path + "/index.html", method: method.description, frames: frames.count, pictures: pictures,
      bytes: bytes)
  }

  /// What is drawn of a frame.
  private struct Views: Sendable {
    let pictures: FramePictures
    let isFused: Bool  // Whether the method gave depth.
    let confidence: Raster<UInt8>?, found: GalleryScales.Found
  }

  private struct Input: Sendable {
    let scene: SceneContext, frame: DepthFrame, before: [DepthFrame]
    /// The method's row of the run.
    let record: FrameRecord?
  }

  /// Reads and fuses frames, and hands them over in their order.
  private func views(
    of frames: [FramesPage.Frame], _ body: (FramesPage.Frame, Views) throws -> Void
  ) async throws {
    let (plan, map) = (self.plan, FramePictures.Map(of: method))
    var (history, scene) = (FrameHistory(length: plan.historyLength), nil as String?)
    var failure: (any Error)?
    try await FrameStream(frames.indices, jobs: job.jobs).run { (position) throws(FathomError) -> Input? in
      let frame = frames[position]
      guard failure == nil, let (context, source) = scenes[frame.scene],
        let index = FrameRange.index(of: frame.frame, in: context.header)
      else { return nil }
      if scene != frame.scene { history = FrameHistory(length: plan.historyLength) }
      scene = frame.scene
      let (read, before) = try source.frame(
        index, of: context.header, including: [.fusion, .predictions, .image], after: &history)
      let id = method.method(for: context.relativeKind).id
      return Input(
        scene: context, frame: read, before: before, record: frame.records.first { $0.method == id })
    } work: { input -> Views? in
      guard let input else { return nil }
      let made = plan.fuse(input.frame, of: input.scene, history: input.before).first
      let depth = made.flatMap { made in
        made.fusion.prediction.map { plan.shown(input.record ?? made, $0, of: input.frame) }
      }
      let pictures = FramePictures(input.frame, shown: depth, as: map)
      return Views(
        pictures: pictures, isFused: depth != nil, confidence: input.frame.confidence, found: .init(pictures))
    } take: { position, views in
      guard failure == nil, let views else { return }
      do { try body(frames[position], views) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

/// `frames.json`: what determines the folder.
private struct FramesManifest: Encodable {
  let tool = "fathom", version = Version.current
  let run: String, method: String, inputs: [RunManifest.Input], width: Int, frames: Int
}
