import DepthCore
import DepthFusion

extension EvaluationProtocol {
  /// Every named protocol; a new one is one static constant and one entry.
  public static let presets: [EvaluationProtocol] = [
    .fathom, .arkitScenes, .nyuEigen, .kittiEigen, .kittiGarg, .marigold, .marigoldNYU, .mogeDisparity,
    .monodepth2, .marigoldDisparity, .depthCrafter, .diode, .mogeScale, .mogeAffine, .depthAnythingV2,
    .zoeDepthOutdoor, .iBims, .ddad, .marigoldKITTI, .marigoldETH3D, .marigoldDIODE, .ultralytics,
    .ultralyticsLog,
  ]

  public static func preset(_ name: String) -> EvaluationProtocol? { presets.first { $0.name == name } }

  /// Fathom's own: truth 0.1 < g ≤ 10 m, no crop, no clipping, no alignment on the truth.
  public static let fathom = EvaluationProtocol(
    name: "fathom", source: "Fathom's default", minDepth: 0.1, maxDepth: 10)

  /// Depth upsampling on ARKitScenes: L1 and RMSE per image, then over images.
  public static let arkitScenes = make(
    "arkitscenes", "apple/ARKitScenes 42a27f7, depth_upsampling/dataset.py, logs/eval.py", 0.01, nil
  ) { $0.resampling = .truthAtPrediction }

  /// NYU Depth V2 with Eigen's crop. The benchmark's code turns missing predictions into the limits; here they stay missing.
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

  /// Affine-invariant depth, with the limits that Marigold sets for ScanNet. Its last limit, at least 1e-6 m, follows from them.
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

  /// All truth, and predictions as they are: DIODE's own code, and MoGe's metric depth, which divides by g + 1e-6 m.
  public static let diode = make(
    "diode", "diode-dataset/diode-devkit 8b1765b, metrics.py; microsoft/MoGe 0744441, moge/test/metrics.py",
    0, nil
  ) { _ in }

  /// Scale-invariant depth. MoGe fits at most 64×64 of the pixels, here all of them are fitted.
  public static let mogeScale = make(
    "moge-scale", "Wang et al. 2025; microsoft/MoGe 0744441, moge/test/metrics.py, moge/utils/alignment.py",
    0, nil
  ) {
    $0.alignment = TruthAlignment(.line(.depth, shift: false))
    $0.alignment.loss = .absolute
  }

  /// Affine-invariant depth, fitted as ``mogeScale``. A depth that the fit takes to 0 or below is missing here, and counts as it
  /// is there.
  public static let mogeAffine = make(
    "moge-affine", "Wang et al. 2025; microsoft/MoGe 0744441, moge/test/metrics.py, moge/utils/alignment.py",
    0, nil
  ) {
    $0.alignment = .depth
    $0.alignment.loss = .absolute
  }

  /// Metric depth of rooms; the code takes 80 m for KITTI. It counts a truth of exactly 1 mm, too.
  public static let depthAnythingV2 = make(
    "depth-anything-v2",
    "Yang et al. 2024; DepthAnything/Depth-Anything-V2 a561b84, metric_depth/train.py, util/metric.py", 1e-3,
    20
  ) { $0.includesMaxDepth = true }

  /// KITTI, DDAD and DIODE outdoors as networks for metric depth are compared: ``kittiGarg``, with the depth itself brought to
  /// the truth's size.
  public static let zoeDepthOutdoor = make(
    "zoedepth-outdoor", "Bhat et al. 2023; isl-org/ZoeDepth d87f17b, zoedepth/utils/misc.py, config.py", 1e-3,
    80
  ) {
    $0.crop = kittiGarg.crop
    $0.clip = .range(1e-3, 80)
  }

  /// iBims-1 with the crop of NYU. Pixels without truth, and transparent ones, are 0 in the truth.
  public static let iBims = make(
    "ibims-1", "Bhat et al. 2023; isl-org/ZoeDepth d87f17b, zoedepth/utils/misc.py, config.py, data/ibims.py",
    0, 10
  ) {
    $0.crop = nyuEigen.crop
    $0.clip = .range(0, 10)
  }

  /// DDAD, metric; the code's second row takes the ratio of medians first.
  public static let ddad = make(
    "ddad",
    "Guizilini et al. 2020; TRI-ML/packnet-sfm de53b31, packnet_sfm/utils/depth.py, configs/eval_ddad.yaml",
    0, 200
  ) { $0.clip = .range(0, 200) }

  /// KITTI as Marigold has it, with Eigen's crop; the code cuts pictures and truth to 352×1216 before.
  public static let marigoldKITTI = make(
    "marigold-kitti",
    "Ke et al. 2024; prs-eth/Marigold b1dffaa, config/dataset_depth/data_kitti_eigen_test.yaml, src/dataset/kitti_dataset.py",
    1e-5, 80
  ) {
    $0.crop = kittiEigen.crop
    $0.alignment = .depth
    $0.clip = .range(1e-5, 80)
  }

  /// ETH3D as Marigold has it; the code fits every n-th pixel of a side, at most 1024, here all of them are fitted.
  public static let marigoldETH3D = make(
    "marigold-eth3d", "Ke et al. 2024; prs-eth/Marigold b1dffaa, src/dataset/eth3d_dataset.py", 1e-5, nil
  ) {
    $0.alignment = .depth
    $0.clip = .range(1e-5, .greatestFiniteMagnitude)
  }

  /// DIODE as Marigold has it: all truth that the mask keeps counts, and only predictions have limits.
  public static let marigoldDIODE = make(
    "marigold-diode", "Ke et al. 2024; prs-eth/Marigold b1dffaa, src/dataset/diode_dataset.py", 0, nil
  ) {
    $0.alignment = .depth
    $0.clip = .range(0.6, 350)
  }

  /// Ultralytics' depth task as its command computes it. It skips predictions of 1 mm and less, and `torch.median` takes
  /// the lower of two middle numbers.
  public static let ultralytics = make(
    "ultralytics",
    "ultralytics/ultralytics, read in yang-yang-o-o/ultralytics dcd6564, ultralytics/utils/metrics.py, DepthMetrics",
    1e-3, 100
  ) {
    $0.alignment = TruthAlignment(.median)
    $0.clip = .range(1e-3, 100)
  }

  /// The same with the alignment of its headline; several sizes and flipped pictures are the network's business.
  public static let ultralyticsLog = make("ultralytics-log", ultralytics.source, 1e-3, 100) {
    $0.alignment = TruthAlignment(.line(.log, shift: true))
    $0.clip = .range(1e-3, 100)
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
