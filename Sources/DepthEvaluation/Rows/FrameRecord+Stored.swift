import DepthFusion
import FathomStatistics

extension FrameRecord: StoredRow {
  public var footprint: Int {
    let bins = breakdowns.values.reduce(0) { $0 + $1.count }
    return MemoryLayout<FrameRecord>.stride + values.count * MemoryLayout<Double?>.stride + 400
      + bins * (120 + Breakdown.metrics.count * MemoryLayout<Double?>.stride)
      + (sparsification == nil ? 0 : 2 * Sparsification.steps * 8) + (errors?.below.count ?? 0) * 8
      + (pixels == nil ? 0 : ErrorHistogram.binCount * 4) + (deviation == nil ? 0 : DeviationScores.footprint)
      + alternatives.reduce(0) { $0 + 32 + $1.count * MemoryLayout<Double?>.stride }
  }

  public func write(to writer: inout RowWriter) {
    writer.put(name: scene)
    writer.put(frameIndex)
    writer.put(text: frame)
    writer.put(name: method)
    writer.put(space) { $0.put(name: $1.rawValue) }
    writer.put(name: role.rawValue)
    fusion.write(to: &writer)
    writer.put(values)
    writer.put(breakdowns.count)
    for (id, bins) in breakdowns {
      writer.put(name: id)
      writer.put(bins.count)
      for (bin, scores) in bins {
        writer.put(bin)
        writer.put(scores.pixels)
        writer.put(scores.values)
      }
    }
    writer.put(fusionSeconds)
    writer.put(pixels) { $1.write(to: &$0) }
    writer.put(sparsification) {
      $0.put($1.byConfidence)
      $0.put($1.oracle)
    }
    writer.put(errors) { writer, errors in
      writer.put(errors.truthCount)
      writer.put(errors.below.count)
      for count in errors.below { writer.put(count) }
    }
    writer.put(moments) { $0.put(plain: $1) }
    writer.put(deviation) { $1.write(to: &$0) }
    writer.put(alternatives.count)
    for values in alternatives { writer.put(values) }
  }

  public init(from reader: inout RowReader) {
    let (scene, frameIndex, frame) = (reader.name(), reader.int(), reader.text())
    let method = reader.name()
    let space = reader.optional { $0.word(Space.self) }
    let role = reader.word(MethodRole.self)
    let fusion = FusionResult(from: &reader)
    let values = reader.optionalDoubles()
    var breakdowns: [String: [Int: BinScores]] = [:]
    for _ in 0..<reader.count() {
      let (id, count) = (reader.name(), reader.count())
      var bins = [Int: BinScores](minimumCapacity: count)
      for _ in 0..<count {
        let bin = reader.int()
        bins[bin] = BinScores(pixels: reader.int(), values: reader.optionalDoubles())
      }
      breakdowns[id] = bins
    }
    self.init(
      scene: scene, frameIndex: frameIndex, frame: frame, method: method, space: space, role: role,
      fusion: fusion, values: values, breakdowns: breakdowns, fusionSeconds: reader.double())
    pixels = reader.optional { PixelCounts(from: &$0) }
    sparsification = reader.optional { Sparsification(byConfidence: $0.doubles(), oracle: $0.doubles()) }
    errors = reader.optional { reader in
      let truthCount = reader.int()
      return ErrorCounts(below: (0..<reader.count()).map { _ in reader.int() }, truthCount: truthCount)
    }
    moments = reader.optional { $0.plain(TruthMoments.self) }
    deviation = reader.optional { DeviationScores(from: &$0) }
    alternatives = (0..<reader.count()).map { _ in reader.optionalDoubles() }
  }
}

extension FusionResult {
  /// All but the map.
  fileprivate func write(to writer: inout RowWriter) {
    writer.put(name: status.rawValue)
    writer.put(reason) { $0.put(text: $1) }
    writer.put(pairs) { $0.put($1) }
    writer.put(inliers) { $0.put($1) }
    writer.put(space) { $0.put(name: $1.rawValue) }
    writer.put(line) {
      $0.put($1.scale)
      $0.put($1.shift)
    }
    writer.put(design) {
      $0.put($1.rank)
      $0.put($1.condition)
      $0.put($1.spread)
    }
    writer.put(scaleInDouble) { $0.put($1) }
  }

  fileprivate init(from reader: inout RowReader) {
    self.init(status: reader.word(FusionStatus.self), reason: reader.optional { $0.text() })
    pairs = reader.optional { $0.int() }
    inliers = reader.optional { $0.int() }
    space = reader.optional { $0.word(Space.self) }
    line = reader.optional { Line(scale: $0.double(), shift: $0.double()) }
    design = reader.optional {
      DesignDiagnostics(rank: $0.int(), condition: $0.double(), spread: $0.double())
    }
    scaleInDouble = reader.optional { $0.double() }
  }
}

extension PixelCounts {
  fileprivate func write(to writer: inout RowWriter) {
    for counts in [all, measured, filled] {
      writer.put(counts.truth)
      writer.put(counts.predicted)
    }
    writer.put(meanLogError) { $0.put($1) }
    for count in errors.counts { writer.put(Int(count)) }
  }

  fileprivate init(from reader: inout RowReader) {
    func counts() -> Counts { Counts(truth: reader.int(), predicted: reader.int()) }
    (all, measured, filled) = (counts(), counts(), counts())
    meanLogError = reader.optional { $0.double() }
    errors = ErrorHistogram(counts: (0..<ErrorHistogram.binCount).map { _ in UInt32(clamping: reader.int()) })
  }
}
