package import FathomStorage

/// Everything that determines what a job finds in its scenes, but for the bytes of the data. Shards and unfinished work hold it, so that
/// only what belongs together is merged or resumed: two tasks with the same text find the same.
package protocol JobTask: Codable, Sendable {
  static var shard: FolderKind { get }  // What the folder of a part of the job is.
}

extension JobTask {
  /// Without line breaks, equal for equal tasks.
  package var text: String { get throws { try CanonicalJSON.text(self, isPretty: false) } }

  /// What the task has otherwise than another one, in words: "options"; nil where nothing.
  func difference(from other: Self) throws -> String? {
    let (a, b) = (try JSONValue(text: try text), try JSONValue(text: try other.text))
    let names = [
      ("version", "build of fathom"), ("protocol", "protocol"), ("inputs", "list of inputs"),
      ("methods", "methods"), ("axes", "grid"), ("objective", "objective"), ("options", "options"),
      ("objects", "options for objects"), ("seed", "seed"), ("baseline", "baseline"),
      ("contrast", "contrast"), ("units", "units"), ("calibration", "calibration"), ("frameRange", "frames"),
      ("scenePattern", "scenes"), ("scenes", "choice of scenes"), ("frames", "range of frames"),
      ("truth", "truth"), ("truthDeviation", "deviation of the truth"), ("mapping", "mapping"),
      ("maps", "maps"),
    ]
    for (key, words) in names where a[key] != b[key] || a["data"]?[key] != b["data"]?[key] { return words }
    return a == b ? nil : "options"
  }
}
