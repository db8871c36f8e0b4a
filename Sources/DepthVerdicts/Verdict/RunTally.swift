import DepthCore
import DepthEvaluation
import DepthFusion

/// What a verdict counts in the rows of a run, in one pass over them.
struct RunTally {
  /// Facts of a method, by its id in the rows.
  struct Method {
    fileprivate(set) var coverageSum = 0.0, coverageCount = 0
    /// Frames with a value, by the column that methods are ranked by.
    fileprivate(set) var valued: [MetricColumn: Int] = [:]
    fileprivate(set) var worst: Worst?
    fileprivate(set) var frames = FrameErrors()
  }

  /// What single frames make of a method's error, over the pixels that it covers.
  struct FrameErrors {
    /// Frames with an error, and the sum of their biases' sizes, metres × pixels.
    private(set) var count = 0, biased = 0.0
    private(set) var whole = ErrorTotal()
    /// The frame with the largest sum of errors.
    private(set) var largest: (scene: String, frame: String, total: ErrorTotal)?
    private(set) var scenes: [SceneErrors] = []
    /// Of each, in order: the sum of absolute errors, metres, and pixels.
    private var sums: [SIMD2<Double>] = []

    mutating func add(_ record: FrameRecord) {
      var total = ErrorTotal()
      var own = SceneErrors(name: record.scene)
      for (bin, scores) in (record.breakdowns[Breakdown.range.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
        var part = ErrorTotal()
        part.add(scores)
        total += part
        own.add(part, at: ErrorAnatomy.depth(ofBin: bin))
      }
      guard total.pixels > 0 else { return }
      if scenes.last?.name != record.scene { scenes.append(SceneErrors(name: record.scene)) }
      own.frames = 1
      scenes[scenes.count - 1] += own
      sums.append(SIMD2(total.absolute, total.pixels))
      count += 1
      whole += total
      biased += abs(total.signed)
      if total.absolute > largest?.total.absolute ?? 0 { largest = (record.scene, record.frame, total) }
    }

    /// The fewest frames that make half of the error.
    var half: ErrorAnatomy.Frames.Half {
      let order = sums.indices.sorted { (-sums[$0].x, $0) < (-sums[$1].x, $1) }
      var (taken, sum) = ([Int](), SIMD2<Double>())
      for index in order where 2 * sum.x < whole.absolute {
        taken.append(index)
        sum += sums[index]
      }
      let owners = scenes.indices.flatMap { Array(repeating: $0, count: scenes[$0].frames) }
      let places = Set(taken.map { owners[$0] })
      return ErrorAnatomy.Frames.Half(
        frames: taken.count, part: .init(pixels: sum.y / whole.pixels, error: sum.x / whole.absolute),
        scenes: places.count, scene: places.count == 1 ? places.first.map { scenes[$0].name } : nil)
    }

    /// Those of another form of the method, in other scenes.
    mutating func add(_ other: FrameErrors) {
      count += other.count
      biased += other.biased
      whole += other.whole
      scenes += other.scenes
      sums += other.sums
      if other.largest?.total.absolute ?? 0 > largest?.total.absolute ?? 0 { largest = other.largest }
    }
  }

  /// What a scene makes of a method's error.
  struct SceneErrors {
    let name: String
    fileprivate(set) var frames = 0
    private(set) var pixels = 0.0, signed = 0.0
    private var products = 0.0, squares = 0.0
    init(name: String) { self.name = name }

    /// - Parameter depth: Of the pixels, metres.
    mutating func add(_ part: ErrorTotal, at depth: Double) {
      pixels += part.pixels
      signed += part.signed
      products += depth * part.signed
      squares += depth * depth * part.pixels
    }

    static func += (sum: inout SceneErrors, other: SceneErrors) {
      sum.frames += other.frames
      sum.pixels += other.pixels
      sum.signed += other.signed
      sum.products += other.products
      sum.squares += other.squares
    }

    /// Bias, metres, and the share of the depth that fits it best.
    var bias: Double { signed / pixels }
    var scale: Double { products / squares }
  }

  /// The frame in which a method has the largest AbsRel, thin ones aside.
  struct Worst { let scene: String, frame: String, error: Double }

  /// A row of the specified fit.
  struct Specified {
    let scene: String, frame: String, status: FusionStatus
    let scale: Double?, scaleInDouble: Double?, spread: Double?
  }

  private(set) var methods: [String: Method] = [:]
  private(set) var truth: [TruthOfScene] = []
  private(set) var specified: [Specified] = []  // Rows of `spec` in scenes with a relative map.
  /// Methods with a solved frame in a scene without a relative map.
  private(set) var solvedWithoutRelative: Set<String> = []

  init(_ run: EvaluationRun) {
    let withoutRelative = Set(run.scenes.filter { $0.header.relativeSize == nil }.map(\.name))
    var underWay = SceneUnderWay()
    for record in run.records {
      var method = methods[record.method] ?? Method()
      if let coverage = record.value(.coverage) {
        method.coverageSum += coverage
        method.coverageCount += 1
      }
      for column in run.basis.ranking where record.value(column) != nil {
        method.valued[column, default: 0] += 1
      }
      method.frames.add(record)
      methods[record.method] = method
      if record.scene != underWay.truth?.name {
        end(underWay)
        underWay = SceneUnderWay(truth: TruthOfScene(record.scene))
      }
      underWay.add(record)
      if record.fusion.status == .ok, withoutRelative.contains(record.scene) {
        solvedWithoutRelative.insert(record.method)
      }
      if record.method == MethodSelection.spec.id, record.fusion.status != .noRelative {
        let fusion = record.fusion
        specified.append(
          Specified(
            scene: record.scene, frame: record.frame, status: fusion.status, scale: fusion.line?.scale,
            scaleInDouble: fusion.scaleInDouble, spread: fusion.design?.spread))
      }
    }
    end(underWay)
  }

  /// What is known of a scene once all of its frames are.
  private struct SceneUnderWay {
    var truth: TruthOfScene?
    private(set) var counts: [Int] = []
    private var last: Int?  // The frame that was counted last.
    private(set) var errors: [(method: String, worst: Worst, pixels: Int?)] = []

    init(truth: TruthOfScene? = nil) { self.truth = truth }

    mutating func add(_ record: FrameRecord) {
      // The same for all that predicted anything.
      if let pixels = record.truthCount, last != record.frameIndex {
        last = record.frameIndex
        counts.append(pixels)
        truth?.add(pixels)
      }
      guard let error = record.value(.absRel) else { return }
      errors.append(
        (
          record.method, Worst(scene: record.scene, frame: record.frame, error: error), record.truthCount
        ))
    }
  }

  private mutating func end(_ scene: SceneUnderWay) {
    guard let own = scene.truth else { return }
    truth.append(own)
    let fewest = TruthOfScene.fewest(scene.counts)
    for (method, found, pixels) in scene.errors
    where pixels.map({ Double($0) >= fewest }) ?? true && found.error > methods[method]?.worst?.error ?? 0 {
      methods[method]?.worst = found
    }
  }

  /// Mean coverage over the frames that methods of these ids solved.
  func coverage(of ids: [String]) -> Double? {
    let found = ids.compactMap { methods[$0] }
    let count = found.reduce(0) { $0 + $1.coverageCount }
    return count == 0 ? nil : found.reduce(0) { $0 + $1.coverageSum } / Double(count)
  }

  /// Frames in which methods of these ids have a value in a column.
  func valued(_ ids: [String], _ column: MetricColumn) -> Int {
    ids.reduce(0) { $0 + (methods[$1]?.valued[column] ?? 0) }
  }

  func frameErrors(_ ids: [String]) -> FrameErrors {
    ids.reduce(into: FrameErrors()) { sum, id in methods[id].map { sum.add($0.frames) } }
  }

  /// The worst frame, if it has an error, of methods of these ids.
  func worst(_ ids: [String]) -> Worst? {
    ids.compactMap { methods[$0]?.worst }.max { $0.error < $1.error }
  }
}
