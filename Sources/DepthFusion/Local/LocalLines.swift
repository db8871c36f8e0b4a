import DepthCore

/// Lines that change from place to place, as changes to a global one.
struct LocalLines: LocalModel {
  let global: GlobalModel
  /// Change of scale, and of the value at `centre`, to the global line; read bilinearly.
  let scale: DepthMap, level: DepthMap
  /// Regressor about which the changes are written.
  let centre: Double

  func apply(to relative: DepthMap, offset: PixelOffset) -> DepthMap {
    var fitted = [Double](repeating: 0, count: relative.values.count)
    relative.values.withUnsafeBufferPointer { r in
      fitted.withUnsafeMutableBufferPointer { out in
        let sampler = BilinearSampler(source: relative.size, target: scale.size, offset: offset)
        sampler.forEachSample(of: scale) { out[$0] = changed(r[$0], $1) }
        sampler.forEachSample(of: level) { out[$0] += $1 }
      }
    }
    return DepthMap(width: relative.width, height: relative.height, values: depths(fitted))
  }

  func depths(of relative: DepthMap, at indices: [Int32]) -> [Float] {
    var fitted = [Double](repeating: 0, count: indices.count)
    let sampler = BilinearSampler(source: relative.size, target: scale.size)
    relative.values.withUnsafeBufferPointer { r in
      fitted.withUnsafeMutableBufferPointer { out in
        sampler.forEachSample(of: scale, at: indices) { out[$0] = changed(r[Int(indices[$0])], $1) }
        sampler.forEachSample(of: level, at: indices) { out[$0] += $1 }
      }
    }
    return depths(fitted)
  }

  @inline(__always) private func changed(_ relative: Float, _ change: Double) -> Double {
    let x = global.space.regressor(relative: Double(relative))
    return global.line.scale * x + global.line.shift + change * (x - centre)
  }

  private func depths(_ fitted: [Double]) -> [Float] {
    let (low, high) = (global.options.clampMin, global.options.clampMax)
    return fitted.map { value in
      value.isNaN ? Float.nan : Float(min(max(global.space.depth(fitted: value), low), high))
    }
  }
}
