import DepthCore
import DepthObjects

extension ObjectRecord: StoredRow {
  public var footprint: Int {
    MemoryLayout<ObjectRecord>.stride + 64 + placements.count * MemoryLayout<PlacementError?>.stride
      + planeHeights.count * MemoryLayout<Double?>.stride
  }

  public func write(to writer: inout RowWriter) {
    object.write(to: &writer)
    writer.put(depth) { $0.put(name: $1) }
    writer.put(method) { $0.put(name: $1) }
    writer.put(name: status.rawValue)
    writer.put(reason) { $0.put(text: $1) }
    writer.put(view) { $0.put(plain: $1) }
    writer.put(fit) { writer, fit in
      writer.put(plain: fit.box)
      writer.put(plain: fit.posed)
      let diagnostics = fit.diagnostics
      writer.put(name: diagnostics.method)
      writer.put(diagnostics.pointCount)
      writer.put(diagnostics.eigenvalueGap) { $0.put($1) }
      writer.put(diagnostics.yawInterval) { $0.put(plain: $1) }
      writer.put(text: diagnostics.reason)
    }
    writer.put(errors) { $0.put(plain: $1) }
    writer.put(placements.count)
    for placement in placements { writer.put(placement) { $0.put(plain: $1) } }
    writer.put(planeHeights)
  }

  public init(from reader: inout RowReader) {
    self.init(
      ObservedObject(from: &reader), depth: reader.optional { $0.name() },
      method: reader.optional { $0.name() }, status: reader.word(Status.self),
      reason: reader.optional { $0.text() })
    view = reader.optional { $0.plain(ObjectView.self) }
    fit = reader.optional { reader in
      let (box, posed) = (reader.plain(OrientedBox.self), reader.plain(PosedBox.self))
      return BoxFit(
        box, posed: posed,
        BoxDiagnostics(
          method: reader.name(), pointCount: reader.int(), eigenvalueGap: reader.optional { $0.double() },
          yawInterval: reader.optional { $0.plain(YawInterval.self) }, reason: reader.text()))
    }
    errors = reader.optional { $0.plain(BoxErrors.self) }
    placements = (0..<reader.count()).map { _ in reader.optional { $0.plain(PlacementError.self) } }
    planeHeights = reader.optionalDoubles()
  }
}

extension ObservedObject {
  fileprivate func write(to writer: inout RowWriter) {
    writer.put(name: scene)
    writer.put(frameIndex)
    writer.put(text: frame)
    writer.put(index)
    writer.put(name: label)
    writer.put(plain: score)
    writer.put(truth) { $0.put(plain: $1) }
    writer.put(visibility) { $0.put(plain: $1) }
    writer.put(range) { $0.put($1) }
  }

  fileprivate init(from reader: inout RowReader) {
    self.init(
      scene: reader.name(), frameIndex: reader.int(), frame: reader.text(), index: reader.int(),
      label: reader.name(), score: reader.plain(Float.self),
      truth: reader.optional { $0.plain(OrientedBox.self) },
      visibility: reader.optional { $0.plain(ObjectVisibility.self) },
      range: reader.optional { $0.double() })
  }
}
