import DepthCore
import DepthDataset
import DepthEvaluation
import DepthImport
import FathomPlainText
import FathomStorage

/// What the parts of a job hold and how long they take: what `fathom plan` does. Reads headers only.
public struct PlanJob: Sendable {
  public struct Scene: Sendable {
    /// Its data set or recording, as it was given, and the name of that in a run.
    public let path: String, label: String
    public let name: String, frames: Int
    /// What decides its part: what an evaluation of it takes one core, about, or its import.
    public let microseconds: Int
    /// What the job takes one core, about.
    public let seconds: Double
  }

  public struct Part: Sendable {
    public let part: ScenePart
    public fileprivate(set) var scenes: [Scene] = []
    /// On one core, about.
    public fileprivate(set) var seconds = 0.0
    public var frames: Int { scenes.reduce(0) { $0 + $1.frames } }
  }

  /// What is divided.
  public var data: DataSelection
  /// Number of parts.
  public var count: Int
  /// The job. A recording is imported as a whole, the other jobs divide data by scenes.
  public var time = PredictedTime.evaluate
  public init(_ paths: [String], count: Int) { (data, self.count) = (DataSelection(paths), count) }

  /// - Returns: Every part, in order, with its scenes as they were taken.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where one is given twice or no scene matches.
  public func run() throws -> [Part] {
    var parts = (1...count).compactMap { ScenePart($0, of: count) }.map { Part(part: $0) }
    for (number, scene) in try taken() {
      parts[number - 1].scenes.append(scene)
      parts[number - 1].seconds += scene.seconds
    }
    return parts
  }

  /// All scenes in the order in which they are taken: the longest first, each into the part that has the fewest microseconds so far, of
  /// these the first. With their parts, from 1.
  /// - Throws: As ``run()``.
  public func taken() throws -> [(part: Int, scene: Scene)] {
    if time == .import, data.mapping == nil,
      let path = data.paths.first(where: { !RecordingFolder.isOne($0) })
    {
      throw FathomError(
        .usage, attempted: "plan to import", file: path, reason: "it is not a recording",
        advice: "name recordings, or give the \(option: "mapping") of these files")
    }
    let inputs = try RunInputs(data, readsFrames: false, rules: .fathom) { _ in }
    // Shards are divided as an evaluation is, whatever the job.
    let dividing = time == .import ? time : .evaluate
    var rest = inputs.allScenes.map(\.header)[...]
    let scenes = zip(inputs.outlines, inputs.outlinePaths).map { outline, path in
      outline.scenes.map { _ in
        let scene = rest.removeFirst()
        let frames = data.range(of: scene).count
        return Scene(
          path: path, label: outline.label, name: scene.name, frames: frames,
          microseconds: dividing.microseconds(of: scene, frames: frames),
          seconds: time.seconds(of: scene, frames: frames))
      }
    }
    guard time == .import else {
      return SceneDivision(inputs.outlines, count: count).taken.map {
        ($0.number, scenes[$0.input][$0.scene])
      }
    }
    let whole = scenes.map { [$0.reduce(0) { $0 + $1.microseconds }] }
    return SceneDivision(whole, count: count).taken.flatMap { place in
      scenes[place.input].map { (place.number, $0) }
    }
  }
}
