import DepthCore

extension EvaluationProtocol {
  /// Every named protocol; a new one is one static constant and one entry.
  public static let presets: [EvaluationProtocol] = [
    .fathom, .arkitScenes, .nyuEigen, .kittiEigen, .kittiGarg, .marigold, .marigoldNYU, .mogeDisparity,
    .monodepth2, .marigoldDisparity, .depthCrafter,
  ]

  /// The protocol of a name.
  public static func preset(_ name: String) -> EvaluationProtocol? { presets.first { $0.name == name } }

  /// Fathom's own: truth 0.1 < g ≤ 10 m, no crop, no clipping, no alignment on the truth.
  public static let fathom = EvaluationProtocol(
    name: "fathom", source: "Fathom's default", minDepth: 0.1, maxDepth: 10)

  /// Depth upsampling on ARKitScenes: L1 and RMSE per image, then over images.
  public static let arkitScenes = make(
    "arkitscenes", "apple/ARKitScenes 42a27f7, depth_upsampling/dataset.py, logs/eval.py", 0.01, nil
  ) {
    $0.resampling = .truthAtPrediction
  }

  /// NYU Depth V2 with Eigen's crop. The benchmark's code turns missing predictions into the limits; here they stay
  /// missing.
  public static let nyuEigen = make(
    "nyu-eigen", "Eigen et al. 2014; cleinc/bts 6257f50, pytorch/bts_eval.py", 1e-3, 10
  ) {
    $0.crop = .pixels(of: RasterSize(width: 640, height: 480), rows: 45..<471, columns: 41..<601)
    $0.clip = .range(1e-3, 10)
  }

  /// KITTI with Eigen's crop. The networks of that time gave disparities, which the code brings to the truth's size.
  public static let kittiEigen = make(
    "kitti-eigen", "Eigen et al. 2014; mrharicot/monodepth a7cdbef, utils/evaluate_kitti.py", 1e-3, 80
  ) {
    $0.resampling = .disparityAtTruth
    $0.crop = .shares(rows: 0.3324324...0.91351351, columns: 0.0359477...0.96405229)
    $0.clip = .range(1e-3, 80)
  }

  /// KITTI with Garg's crop.
  public static let kittiGarg = make(
    "kitti-garg", "Garg et al. 2016; mrharicot/monodepth a7cdbef, utils/evaluate_kitti.py", 1e-3, 80
  ) {
    $0.resampling = .disparityAtTruth
    $0.crop = .shares(rows: 0.40810811...0.99189189, columns: 0.03594771...0.96405229)
    $0.clip = .range(1e-3, 80)
  }

  /// Affine-invariant depth, with the limits that Marigold sets for ScanNet. Its last limit, at least 1e-6 m, follows
  /// from them.
  public static let marigold = make(
    "marigold", "Ke et al. 2024; prs-eth/Marigold b1dffaa, script/depth/eval.py, src/util/alignment.py", 1e-3,
    10
  ) {
    $0.alignment = .depth
    $0.clip = .range(1e-3, 10)
  }

  /// The same on NYU Depth V2, whose configuration crops the truth as Eigen does, for the fit, too.
  public static let marigoldNYU = make(
    "marigold-nyu", "Ke et al. 2024; prs-eth/Marigold 3f74cba, config/dataset_depth/data_nyu_test.yaml", 1e-3,
    10
  ) {
    $0.crop = nyuEigen.crop
    $0.alignment = .depth
    $0.clip = .range(1e-3, 10)
  }

  /// Affine-invariant disparity. MoGe divides by g + 1e-6 m, which no number here shows.
  public static let mogeDisparity = make(
    "moge-disparity", "Wang et al. 2025; microsoft/MoGe bce894e, moge/test/metrics.py", 0, nil
  ) {
    $0.alignment = .disparity
    $0.clip = .farthestTruth
  }

  /// Networks that learn from single images: KITTI with Garg's crop, after the ratio of medians.
  public static let monodepth2 = make(
    "monodepth2", "Godard et al. 2019; nianticlabs/monodepth2 77f1410, evaluate_depth.py", 1e-3, 80
  ) {
    $0.resampling = .disparityAtTruth
    $0.crop = kittiGarg.crop
    $0.alignment = TruthAlignment(.median)
    $0.clip = .range(1e-3, 80)
  }

  /// Affine-invariant disparity by Marigold's code. Disparities of 0 and less do not enter the fit, and are mapped by it.
  public static let marigoldDisparity = make(
    "marigold-disparity", "Ke et al. 2024; prs-eth/Marigold b1dffaa, script/depth/eval.py", 1e-3, 10
  ) {
    $0.alignment = .disparity
    ($0.alignment.input, $0.alignment.leastDisparity) = (.positive, 1e-3)
    $0.clip = .range(1e-3, 10)
  }

  /// Disparity of videos, one fit for all frames. The code divides by g + 1e-8 m, which no number here shows.
  public static let depthCrafter = make(
    "depthcrafter", "Hu et al. 2025; Tencent/DepthCrafter cc2de22, benchmark/eval/eval.py", 1e-3, 70
  ) {
    $0.alignment = .disparity
    ($0.alignment.input, $0.alignment.leastDisparity, $0.alignment.extent) = (.limited, 1e-3, .scene)
    $0.clip = .range(1e-3, 70)
    $0.aggregation = .scene
  }

  /// A public benchmark: every image counts alike, limits are compared strictly.
  private static func make(
    _ name: String, _ source: String, _ minDepth: Double, _ maxDepth: Double?,
    _ change: (inout EvaluationProtocol) -> Void
  ) -> EvaluationProtocol {
    var rules = EvaluationProtocol(name: name, source: source, minDepth: minDepth, maxDepth: maxDepth)
    rules.includesMaxDepth = false
    rules.aggregation = .images
    change(&rules)
    return rules
  }
}
