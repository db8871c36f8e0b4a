import DepthCore
public import DepthEvaluation
import DepthFusion

/// On which pixels methods are compared, and which method stands in where one refused a frame.
public struct ComparisonBasis: Sendable, Hashable {
  /// `Support.measured` where a scene has a LiDAR, else all truth that counts.
  public let support: Support
  /// Id of the method that stands in, the raw LiDAR; nil where no scene has a LiDAR: a refused frame then counts for no comparison.
  public let standIn: String?

  /// A run without scenes has the basis of one with a LiDAR.
  public init(_ scenes: [SceneContext]) {
    self = scenes.isEmpty || scenes.contains(where: \.header.hasLidar) ? .lidar : .maps
  }

  init(support: Support, standIn: String?) { (self.support, self.standIn) = (support, standIn) }
  /// Where a scene has a LiDAR.
  public static let lidar = ComparisonBasis(support: .measured, standIn: MethodSelection.lidarBilinear.id)
  /// Where there are maps and a truth alone.
  public static let maps = ComparisonBasis(support: .all, standIn: nil)
  /// Whether some scene has a LiDAR.
  public var hasLidar: Bool { standIn != nil }
  /// What sentences and gates are about.
  public var mae: MetricColumn { MetricColumn(.mae, support) }
  public var absRel: MetricColumn { MetricColumn(.absRel, support) }
  /// Columns of `pairwise.csv` and of the ranks; the first is the one that sentences are about.
  public var headline: [MetricColumn] { [mae, absRel] }
  /// Without a stand-in, the form with a stand-in would be the other one once more.
  public var forms: [PairedComparison.Form] { hasLidar ? PairedComparison.Form.allCases : [.solvedFrames] }
  /// The form over as many frames as there can be.
  public var widestForm: PairedComparison.Form { hasLidar ? .fallback : .solvedFrames }
  /// Columns in which every method is compared with the references.
  public var compared: [MetricColumn] {
    MetricColumn.all.filter { $0.support == support && $0.metric.supports.contains(.measured) }
  }
  /// Columns that methods can be ordered by; the first that anything has a value in is taken.
  var ranking: [MetricColumn] { [mae, .mae].firstAppearances }
  /// Columns that every run has: without a LiDAR no pixel is measured or filled, and there is no confidence.
  public var columns: [MetricColumn] { hasLidar ? MetricColumn.standard : Self.columnsOfMaps }

  private static let columnsOfMaps = MetricColumn.standard.filter {
    $0.support == .all && $0.metric != .ause && $0.metric != .aurg
  }
}
