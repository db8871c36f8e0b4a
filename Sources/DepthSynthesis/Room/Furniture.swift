internal import DepthCore

/// A piece of furniture before it has a place: bodies around an origin on the floor.
struct Furniture: Sendable {
  /// One body: centre from the origin (along length, up, along width) and extent.
  struct Part: Sendable {
    var shape: Solid.Shape = .box
    var center: SIMD3<Double>, size: SIMD3<Double>, material: Material
  }
  /// Class that the detector reports.
  var label: String
  var parts: [Part]
  /// Height of a surface on which small things may stand, metres.
  var tableTop: Double?

  /// Corners of the smallest box that holds every part, along the furniture's own axes.
  private var bounds: (low: SIMD3<Double>, high: SIMD3<Double>) {
    var low = SIMD3<Double>(repeating: .infinity)
    var high = SIMD3<Double>(repeating: -.infinity)
    for part in parts {
      low = pointwiseMin(low, part.center - part.size / 2)
      high = pointwiseMax(high, part.center + part.size / 2)
    }
    return (low, high)
  }

  /// Length and width of the footprint.
  var footprint: SIMD2<Double> {
    let extent = bounds.high - bounds.low
    return [extent.x, extent.z]
  }

  /// Stands the furniture with the middle of its footprint at `position`, turned by `yaw`.
  func placed(at position: SIMD3<Double>, yaw: Double) -> PlacedFurniture {
    let (low, high) = bounds
    let middle = SIMD3((low.x + high.x) / 2, 0, (low.z + high.z) / 2)
    let axes = OrientedBox(center: position, size: .zero, yaw: yaw)
    let solids = parts.map { part in
      Solid(
        shape: part.shape,
        frame: OrientedBox(
          center: position + axes.unrotated(part.center - middle), size: part.size, yaw: yaw),
        material: part.material)
    }
    let center = position + axes.unrotated((low + high) / 2 - middle)
    return PlacedFurniture(
      label: label, solids: solids, box: Self.lengthwise(center: center, size: high - low, yaw: yaw))
  }

  /// The box with its longer horizontal side called length.
  private static func lengthwise(center: SIMD3<Double>, size: SIMD3<Double>, yaw: Double) -> OrientedBox {
    guard size.z > size.x else { return OrientedBox(center: center, size: size, yaw: yaw) }
    return OrientedBox(center: center, size: [size.z, size.y, size.x], yaw: yaw + .pi / 2)
  }
}

/// A piece of furniture in the world, with the true box around it.
struct PlacedFurniture: Sendable {
  var label: String, solids: [Solid], box: OrientedBox
}
