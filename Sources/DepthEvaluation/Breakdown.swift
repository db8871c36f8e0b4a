import CFathomKernels
public import DepthCore

/// A division of the truth pixels into bins, each scored by itself.
///
/// A new breakdown is one static constant and one entry in ``all``.
public struct Breakdown: Sendable, Identifiable {
  /// Also the file's name: "ranges".
  public let id: String
  /// For people: "Error by range".
  public let title: String
  /// Columns that name a bin.
  public let keyColumns: [String]
  /// What names bin number `index` in those columns.
  public let key: @Sendable (_ index: Int) -> [String]
  /// What people call bin number `index`: "0.5–1 m".
  public let name: @Sendable (_ index: Int) -> String
  let binCount: Int  // Bins that there can be.
  /// nil where the frame cannot be divided this way.
  let binning: @Sendable (DepthFrame, _ truth: RasterSize) -> FrameBinning?

  /// Tells the bins of a frame's truth pixels, −1 for none.
  struct FrameBinning {
    /// Bins that the frame has, where those of all frames are many: rows then hold positions among them.
    var bins: [Int]?
    /// - Parameter depths: True depths of the row, metres.
    /// - Parameter bins: One per pixel, to be set; they hold those of the row that was asked for before.
    let read:
      (_ row: Int, _ depths: UnsafeBufferPointer<Float>, _ bins: UnsafeMutableBufferPointer<Int32>) -> Void
  }

  /// What is reported for every bin.
  public static let metrics: [Metric] = [.coverage, .absRel, .medianRel, .mae, .rmse, .bias, .delta1]
  /// Place of a metric among ``metrics``; nil for one that is not among them.
  public static func position(of metric: Metric) -> Int? { positions[metric] }
  private static let positions = Dictionary(uniqueKeysWithValues: metrics.enumerated().map { ($1, $0) })
  /// Those of them that have an interval over scenes.
  public static let intervalMetrics: [Metric] = [.absRel, .mae]
  /// Every breakdown, in the order of the report.
  public static let all: [Breakdown] = [.range, .confidence, .steps, .mask(PixelLabels(title: "mask"))]
  /// Place of ``confidence`` among them.
  static let confidencePosition = all.firstIndex { $0.id == confidence.id } ?? 0

  /// Bins of 0.5 m of true depth. A kilometre is beyond the range of a LiDAR.
  public static let range = Breakdown(
    id: "ranges", title: "Error by range", keyColumns: ["from_m", "to_m"],
    key: { ["\(Double($0) * 0.5)", "\(Double($0 + 1) * 0.5)"] },
    name: { index in
      let ends = [index, index + 1].map { $0 % 2 == 0 ? "\($0 / 2)" : "\($0 / 2).5" }
      return ends.joined(separator: "–") + " m"
    }, binCount: 2000,
    binning: { _, _ in
      FrameBinning { _, depths, bins in
        // A depth at the upper end of the protocol's range, 10 m, belongs to the bin below it.
        error_terms_bins(depths.baseAddress, depths.count, 2, 2000, bins.baseAddress)
      }
    })

  /// Confidence of the LiDAR pixel that holds the truth pixel's centre.
  public static let confidence = Breakdown(
    id: "confidence", title: "Error by LiDAR confidence", keyColumns: ["confidence"], key: { ["\($0)"] },
    name: { "confidence \($0)" }, binCount: 3,
    binning: { frame, size in
      frame.confidence.map { confidence in
        FrameBinning(read: nearest(confidence, size) { $0 <= 2 ? Int32($0) : -1 })
      }
    })

  /// Id of ``mask(_:)``.
  public static let maskID = "mask"

  /// The mask's id in the pixel that holds the truth pixel's centre.
  public static func mask(_ labels: PixelLabels) -> Breakdown {
    Breakdown(
      id: maskID, title: "Error by \(labels.title)", keyColumns: ["id", "label"],
      key: { ["\($0)", labels.names[$0] ?? ""] }, name: { labels.names[$0] ?? "\(labels.title) \($0)" },
      binCount: Int(UInt16.max) + 1,
      binning: { frame, size in
        guard let ids = frame.ids else { return nil }
        var positions = [Int32](repeating: -1, count: Int(UInt16.max) + 1)
        for id in ids.values { positions[Int(id)] = 0 }
        let own = positions.indices.filter { positions[$0] == 0 }
        for (position, id) in own.enumerated() { positions[id] = Int32(position) }
        let found = positions
        return FrameBinning(bins: own, read: nearest(ids, size) { found[Int($0)] })
      })
  }

  /// Bins by the values of a raster that shows the truth's view.
  private static func nearest<Value: Sendable>(
    _ raster: Raster<Value>, _ size: RasterSize, bin: @escaping (Value) -> Int32
  ) -> (Int, UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Int32>) -> Void {
    let columns = (0..<size.width).map { NearestPixel.index($0, of: size.width, in: raster.width) }
    var before = -1
    return { row, _, bins in
      let start = NearestPixel.index(row, of: size.height, in: raster.height) * raster.width
      guard start != before else { return }
      before = start
      raster.values.withUnsafeBufferPointer { values in
        columns.withUnsafeBufferPointer { columns in
          for column in bins.indices { bins[column] = bin(values[start + columns[column]]) }
        }
      }
    }
  }

  /// A depth step is a ratio of neighbouring true depths above this, as where protocols leave out edges.
  public static let stepRatio = 1.1

  /// Whether a truth pixel lies within one LiDAR pixel of a depth step: there a LiDAR mixes near and far. Without a LiDAR
  /// it is a pixel of a phone's, 1/256 of the picture's width.
  public static let steps = Breakdown(
    id: "steps", title: "Error at depth steps", keyColumns: ["near_step"], key: { ["\($0)"] },
    name: { $0 == 1 ? "at depth steps" : "elsewhere" }, binCount: 2,
    binning: { frame, size in
      guard let truth = frame.truth, truth.size == size else { return nil }
      let grid = frame.stepGrid(of: size)
      let mask = DepthEdges.mask(
        truth, ratio: stepRatio, marginX: Double(size.width) / grid.columns,
        marginY: Double(size.height) / grid.rows)
      return FrameBinning { row, _, bins in
        mask.withUnsafeBufferPointer { mask in
          let mask = UnsafeBufferPointer(rebasing: mask[row * size.width..<(row + 1) * size.width])
          for column in bins.indices { bins[column] = Int32(mask[column]) }
        }
      }
    })
}

extension DepthFrame {
  /// Pixels of the LiDAR across a view, by which distances from depth steps are measured. Without a LiDAR a phone's: 256 along
  /// a row, and as dense along a column.
  func stepGrid(of view: RasterSize) -> (columns: Double, rows: Double) {
    hasLidar
      ? (Double(lidar.width), Double(lidar.height))
      : (256, 256 * Double(view.height) / Double(max(1, view.width)))
  }
}
