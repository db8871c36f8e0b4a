import FathomTables
public import DepthCalibration
import DepthCore
public import DepthEvaluation
public import DepthFusion
public import DepthImport
import FathomLinearAlgebra
public import DepthVerdicts
import FathomStorage

/// `run.json`: everything that determines the numbers of a run, and nothing else.
public struct RunManifest: Codable, Sendable {
  /// An input file.
  public struct Input: Codable, Sendable {
    /// File name without its folder.
    public var file: String
    /// Where it was, from the folder of the manifest; absent where nothing reads it again.
    public var path: String?
    /// SHA-256 of its bytes, hex.
    public var sha256: String
    /// Why it could not be used, with `--keep-going`.
    public var unreadable: String?
    /// Other files that it leads to and that were read, with `--allow-external` or `--external-folder`.
    public var external: [External]?
    /// What kept the process that read it from doing anything else: "limits", "Landlock", "seccomp". A property of the machine;
    /// absent where the library read it in its own process.
    public var protections: [String]?

    /// Another file that an input leads to.
    public struct External: Codable, Sendable {
      /// As the input names it.
      public var file: String
      /// SHA-256 of its bytes, hex.
      public var sha256: String
      public init(file: String, sha256: String) { (self.file, self.sha256) = (file, sha256) }
    }

    public init(file: String, sha256: String, unreadable: String? = nil) {
      (self.file, self.sha256, self.unreadable) = (file, sha256, unreadable)
    }

    /// For a manifest in another folder, which its path does not lead from.
    package var withoutPath: Input {
      var input = self
      input.path = nil
      return input
    }
  }
  /// A scene and how its relative map was read.
  public struct Scene: Codable, Sendable {
    public var name: String, frames: Int, relativeKind: String
    /// Spearman's ρ where it decided the kind.
    public var kindCorrelation: Double?
    public var truthIndependence: String?
    /// SHA-256 of the file that it lies in, hex; where that leads to others, of the digests of all of them. Absent in runs of 0.1.
    public var data: String?
  }
  /// Sizes of the run.
  public struct Counts: Codable, Sendable { public var scenes: Int, frames: Int, rows: Int }
  /// Its name in a run folder.
  public static let fileName = "run.json"
  static let tool = "fathom"
  public var tool = Self.tool, version = Version.current
  /// The commit that the command was built from (``Version/build``); absent in runs of older versions.
  public var build: String? = Version.build
  public var inputs: [Input]
  /// The mapping that says what every input holds; absent where none was given.
  public var mapping: Input?
  /// How maps in folders became frames, with paths from the folder of the manifest; absent for data sets. ``inputs`` has the truth, and
  /// every other file under its `external`.
  public var maps: MapSetRequest?
  /// Why the maps are probably not what they are said to be; absent where nothing is doubtful.
  public var warnings: [String]?
  /// The BLAS and LAPACK that the run was computed with, of shards all that were; absent in runs of older versions. Others give other
  /// last digits.
  public var linearAlgebra: [String]?
  /// Those of this process.
  package static var ownLinearAlgebra: String { LinearAlgebraLibrary.description }
  /// The calibration that was applied; ``options`` hold what it says.
  public var calibration: Input?
  public var methods: [String]
  /// Lowest confidence of a fitted pair, by method, after defaults and options.
  public var minConfidence: [String: UInt8]
  public var baseline: String
  /// The comparison that the run was made for, "auto:lidar-bilinear"; absent where none was declared.
  public var contrast: String?
  /// The unit of lengths in sentences, tables and charts for people; absent in runs of older versions.
  public var units: LengthUnit?
  public var options: FusionOptions, `protocol`: EvaluationProtocol
  /// The same in words.
  public var protocolStatement: String
  /// How far the truth may be off; absent where it counts as exact.
  public var truthDeviation: TruthDeviation?
  /// Protocols under which the same predictions were scored, too.
  public var protocolDiff: [String]?
  /// How objects were looked at; absent where the data have none.
  public var objects: ObjectPlan?
  public var seed: UInt64
  /// Scenes and frames that were asked for.
  public var scenePattern: String?
  public var frameRange: String?
  public var scenes: [Scene], counts: Counts
  /// How the truth was made from the recording itself; absent where it is the stored one.
  public var multiview: MultiviewReference.Options?
  /// Rows whose values cannot be, and were taken away; absent where there are none, as there should be.
  public var impossible: [ImpossibleRow]?

  /// - Parameter data: Digest of the file that a scene lies in, by the scene's name in the run.
  public init(
    _ run: EvaluationRun, inputs: [Input], data: [String: String] = [:], calibration: Input? = nil,
    scenePattern: String?, frameRange: String?, impossible: [ImpossibleRow] = []
  ) {
    self.impossible = impossible.isEmpty ? nil : impossible
    (self.inputs, self.calibration) = (inputs, calibration)
    methods = run.aggregation.summary.map(\.method)
    minConfidence = run.minConfidence
    baseline = run.baseline
    units = run.plan.units
    contrast = run.plan.contrast.map { "\($0.method):\($0.reference)" }
    options = run.plan.options
    `protocol` = run.plan.rules
    protocolStatement = run.plan.rules.summary
    protocolDiff = run.plan.paths?.paths.map(\.preset.title)
    truthDeviation = run.plan.truthDeviation
    objects = run.objects?.plan
    seed = run.plan.seed
    (self.scenePattern, self.frameRange) = (scenePattern, frameRange)
    let frames = run.frameCounts
    scenes = run.scenes.map { scene in
      Scene(
        name: scene.name, frames: frames[scene.name] ?? 0, relativeKind: scene.relativeKind.rawValue,
        kindCorrelation: scene.kindCorrelation,
        truthIndependence: scene.header.truthSize == nil ? nil : scene.header.truthIndependence.rawValue,
        data: data[scene.name])
    }
    counts = Counts(scenes: run.scenes.count, frames: frames.values.reduce(0, +), rows: run.records.count)
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

extension EvaluationRun {
  /// Lowest confidence of a fitted pair, by method, after defaults and options.
  var minConfidence: [String: UInt8] {
    let kinds = scenes.map(\.relativeKind).firstAppearances
    return Dictionary(
      kinds.flatMap { kind in
        plan.methods.compactMap { selection in
          let method = selection.method(for: kind)
          return method.minConfidence(under: plan.options).map { (method.id, $0) }
        }
      }, uniquingKeysWith: { first, _ in first })
  }
}
