import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomRunFolders

/// The frames of a run with their errors, in the order of time: all, or of many the worst ones of stretches, so that a page can hold
/// them. A chart, a table and the gallery name the same frames by the same numbers.
struct FrameStrip {
  /// A method as a line: its forms for different relative maps are one.
  struct Line {
    let method: String  // As `--source` takes it.
    let ids: Set<String>  // Its forms.
  }

  /// A frame under every line.
  struct Frame {
    let number: Int  // In the run, from 1.
    let scene: String, frame: String
    let place: String  // As people call it.
    let index: Int  // Of the scene, or among images without a sequence, from 0.
    /// ``column``, one per line; nil where the method has none.
    let values: [Double?]
    /// Share of the truth's pixels that count; nil where nothing was scored.
    let truth: Double?
  }

  static let column = MetricColumn.absRel  // What is shown.
  /// The most frames of a page, scenes of a chart, and lines of it.
  private static let mostFrames = 240, mostScenes = 12, mostLines = 5
  let lines: [Line]
  /// Of ``lines``: whose errors choose and order frames, and whose maps the gallery shows.
  let subject: Int
  /// Scene by scene in the order of the run, frames in the order of time; images without a sequence are one.
  private(set) var scenes: [[Frame]]
  let counts: (scenes: Int, frames: Int)  // Of the run, with a value.
  let isSequence: Bool  // Whether frames follow each other in time.

  /// nil where no frame has an error.
  init?(_ run: EvaluationRun, _ verdict: RunVerdict) {
    guard let shown = GallerySelection.method(of: run, verdict) else { return nil }
    let lines = Self.lines(run, verdict.ranking, shown)
    let isSequence = !run.isOfSingleImages
    let pixels = run.truthSizes
    guard let subject = lines.firstIndex(where: { $0.method == shown.description }) else { return nil }
    var all: [[Frame]] = []
    for (index, rows) in run.frames.enumerated() {
      let values = lines.map { line in
        rows.last { line.ids.contains($0.method) }.flatMap { $0.value(Self.column) }
      }
      guard values.contains(where: { $0 != nil }) else { continue }
      let record = rows[0]
      // The same for all that predicted anything.
      let truth = rows.lazy.compactMap { $0.errors?.truthCount }.first
      let frame = Frame(
        number: index + 1, scene: record.scene, frame: record.frame,
        place: run.place(record.scene, record.frame), index: isSequence ? record.frameIndex : index,
        values: values,
        truth: truth.flatMap { count in
          pixels[record.scene].flatMap { $0 > 0 ? min(1, Double(count) / Double($0)) : nil }
        })
      if !all.isEmpty, !isSequence || all.last?.last?.scene == frame.scene {
        all[all.count - 1].append(frame)
      } else {
        all.append([frame])
      }
    }
    guard !all.isEmpty else { return nil }
    (self.lines, self.subject, self.isSequence) = (lines, subject, isSequence)
    counts = (all.count, all.reduce(0) { $0 + $1.count })
    scenes = Self.shown(all, subject)
  }

  /// The baseline, the method of the gallery, that of the run's question, and the best of the others.
  private static func lines(
    _ run: EvaluationRun, _ ranking: RankingVerdict, _ shown: MethodSelection
  ) -> [Line] {
    let kinds = run.scenes.map(\.relativeKind).firstAppearances
    func line(_ selection: MethodSelection) -> Line {
      Line(method: selection.description, ids: Set(kinds.map { selection.method(for: $0).id }))
    }
    let solved = Set(run.aggregation.summary.filter { $0.value(column) != nil }.map(\.method))
    let asked = [shown] + (run.plan.contrast.map { [$0.method] } ?? [])
    let few = FigureMethods(run, ranking).few
    let others = few.compactMap { id in
      run.plan.methods.first { selection in kinds.contains { selection.method(for: $0).id == id } }
    }
    let baseline = run.plan.methods.filter { selection in
      kinds.contains { selection.method(for: $0).id == run.baseline }
    }
    let wanted = (baseline.prefix(1) + asked + others).map(line)
    var names: Set<String> = []
    return Array(
      wanted.filter { !$0.ids.isDisjoint(with: solved) && names.insert($0.method).inserted }.prefix(mostLines)
    )
  }

  /// Of many scenes those with the largest mean error, of many frames the worst of every stretch.
  private static func shown(_ all: [[Frame]], _ subject: Int) -> [[Frame]] {
    func error(_ frame: Frame) -> Double {
      frame.values[subject] ?? frame.values.compactMap(\.self).max() ?? 0
    }
    var kept = Array(all.indices)
    if all.count > mostScenes {
      let means = all.map { frames in frames.map(error).reduce(0, +) / Double(frames.count) }
      kept = Array(kept.sorted { (means[$1], $0) < (means[$0], $1) }.prefix(mostScenes)).sorted()
    }
    let room = max(8, mostFrames / max(1, kept.count))
    return kept.map { scene in
      let frames = all[scene]
      guard frames.count > room else { return frames }
      return (0..<room).compactMap { stretch in
        frames[stretch * frames.count / room..<(stretch + 1) * frames.count / room].max {
          error($0) < error($1)
        }
      }
    }
  }

  /// Whether frames of the run are missing here.
  var isPart: Bool { scenes.reduce(0) { $0 + $1.count } < counts.frames }
  /// Id of a frame's row.
  static func anchor(_ number: Int) -> String { "frame-\(number)" }
  /// Id of a frame of the gallery.
  static func galleryAnchor(_ number: Int) -> String { "gallery-\(number)" }
}
