private import FathomPlainText
private import Glibc

/// What a folder is that a command wrote: told by its marker, so that no command replaces what another one wrote.
public enum FolderKind: Sendable, CaseIterable {
  case run, shard, tuning, tuningShard, calibration, calibrationShard, comparison, replay, diagnosis, export,
    rendering, frames, fused, reproduction, certificate

  /// The command that writes it: "evaluate".
  public var command: String { facts.command }
  /// What a reader calls it: "run".
  public var noun: String { facts.noun }
  /// A file that every such folder holds and names its maker in: "run.json".
  public var marker: String { facts.marker }
  /// A file that an unfinished folder holds where its work can be resumed; nil where it never can.
  public var checkpoint: String? { facts.checkpoint }
  /// Whether the folder holds a report in all formats.
  public var hasReport: Bool { facts.hasReport }

  private var facts: (command: String, noun: String, marker: String, checkpoint: String?, hasReport: Bool) {
    switch self {
    case .run: ("evaluate", "run", "run.json", "evaluation.json", true)
    case .shard: ("evaluate \(flag: "shard")", "shard", "shard.json", "part.json", false)
    case .tuning: ("tune", "search", "tune.json", "search.json", true)
    case .tuningShard: ("tune \(flag: "shard")", "shard", "tune-shard.json", "search-part.json", false)
    case .calibration: ("calibrate", "calibration", "calibration.json", "measuring.json", true)
    case .calibrationShard:
      ("calibrate \(flag: "shard")", "shard", "calibrate-shard.json", "measuring-part.json", false)
    case .comparison: ("compare", "comparison", "compare.json", nil, true)
    case .replay: ("replay", "replay", "replay.json", nil, true)
    case .diagnosis: ("diagnose", "diagnosis", "diagnosis.json", nil, false)
    case .export: ("export", "export", "export.json", nil, false)
    case .rendering: ("render", "rendering", "render.json", nil, false)
    case .reproduction: ("reproduce", "reproduction", "reproduce.json", nil, true)
    case .certificate: ("certify", "certificate", "certificate.json", nil, true)
    case .frames: ("frames", "page of frames", "frames.json", nil, false)
    case .fused: ("fuse", "folder of fused maps", "fuse.json", nil, false)
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
