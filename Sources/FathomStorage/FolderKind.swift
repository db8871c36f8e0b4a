private import FathomPlainText
private import Glibc

/// What a folder is that a command wrote: told by its marker, so that no command replaces what another one wrote.
public enum FolderKind: Sendable, CaseIterable {
  case run, shard, tuning, tuningShard, calibration, calibrationShard, comparison, replay, diagnosis, export,
    rendering, frames

  /// The command that writes it: "evaluate".
  public var command: String {
    switch self {
    case .run: "evaluate"
    case .shard: "evaluate \(flag: "shard")"
    case .tuning: "tune"
    case .tuningShard: "tune \(flag: "shard")"
    case .calibration: "calibrate"
    case .calibrationShard: "calibrate \(flag: "shard")"
    case .comparison: "compare"
    case .replay: "replay"
    case .diagnosis: "diagnose"
    case .export: "export"
    case .rendering: "render"
    case .frames: "frames"
    }
  }

  /// What a reader calls it: "run".
  public var noun: String {
    switch self {
    case .run: "run"
    case .shard, .tuningShard, .calibrationShard: "shard"
    case .tuning: "search"
    case .calibration: "calibration"
    case .comparison: "comparison"
    case .replay: "replay"
    case .diagnosis: "diagnosis"
    case .export: "export"
    case .rendering: "rendering"
    case .frames: "page of frames"
    }
  }

  /// A file that every such folder holds and names its maker in: "run.json".
  public var marker: String {
    switch self {
    case .run: "run.json"
    case .shard: "shard.json"
    case .tuning: "tune.json"
    case .tuningShard: "tune-shard.json"
    case .calibration: "calibration.json"
    case .calibrationShard: "calibrate-shard.json"
    case .comparison: "compare.json"
    case .replay: "replay.json"
    case .diagnosis: "diagnosis.json"
    case .export: "export.json"
    case .rendering: "render.json"
    case .frames: "frames.json"
    }
  }

  /// A file that an unfinished folder holds where its work can be gone on with; nil where it never can.
  public var checkpoint: String? {
    switch self {
    case .run: "evaluation.json"
    case .shard: "part.json"
    case .tuning: "search.json"
    case .tuningShard: "search-part.json"
    case .calibration: "measuring.json"
    case .calibrationShard: "measuring-part.json"
    default: nil
    }
  }

  /// Whether the folder holds a report in all formats.
  public var hasReport: Bool {
    switch self {
    case .run, .tuning, .calibration, .comparison, .replay: true
    case .shard, .tuningShard, .calibrationShard, .diagnosis, .export, .rendering, .frames: false
    }
  }

  /// The kinds whose marker a folder holds: one where Fathom wrote it, none for any other folder.
  public static func kinds(in folder: String) -> [FolderKind] {
    let found = allCases.filter { access(folder + "/" + $0.marker, F_OK) == 0 }
    // An export holds the run.json of its run, too.
    return found.contains(.export) ? found.filter { $0 != .run } : found
  }

  /// Files that a folder may lose without being damaged: long tables, which repositories leave out.
  public static let dispensable: Set = ["objects.csv", "tune.csv", "losses.csv"]

  /// Files whose bytes are not recorded: times differ between equal runs, and renderings of a report are made again by
  /// `fathom report`.
  static let unrecorded: Set = [
    "timing.csv", "report.html", "report.md", "report.tex", "everything.json", OutputLock.fileName,
  ]
}
