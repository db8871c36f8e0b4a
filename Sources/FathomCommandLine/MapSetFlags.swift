public import ArgumentParser
public import DepthCore
package import DepthDataset
public import DepthImport
import DepthMapSets
import FathomPlainText
package import FathomStorage

/// The value of `--truth`: where the truth of data sets comes from, or a truth in files.
package enum TruthArgument: ExpressibleByArgument {
  case origin(TruthOrigin)
  case path(String)

  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = TruthOrigin(rawValue: argument).map { .origin($0) } ?? .path(argument)
  }

  package var defaultValueDescription: String {
    switch self {
    case .origin(let origin): origin.rawValue
    case .path(let path): path
    }
  }
}

/// The value of `--match`: a rule, or a list.
package enum MatchArgument: ExpressibleByArgument {
  case rule(MapMatching)
  case list(String)

  package init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    self = MapMatching(rawValue: argument).map { .rule($0) } ?? .list(argument)
  }
}

extension DepthKind: ExpressibleByArgument {}
extension PredictionResize: ExpressibleByArgument {}
extension SceneGrouping: ExpressibleByArgument { public var defaultValueDescription: String { rawValue } }

/// What there is to say of a truth in files, and how maps belong to it.
package struct MapSetFlags: ParsableArguments {
  package init() {}
  @Option(
    help:
      "Metres of one count of the truth, for files of whole numbers: 0.001 for millimetres, 0.00390625 for KITTI."
  ) package var truthScale: Double?
  @Option(
    help: ArgumentHelp(
      "How the truth's stored numbers become metres: v is the number, r, g, b and a are channels. '525 * 0.12 / v' for disparities of 525 pixels of focal length and 0.12 m of baseline.",
      visibility: .hidden)) package var truthFormula: String?
  @Option(
    help: ArgumentHelp(
      "What the truth measures: planar depth, or distance along the ray, which takes --intrinsics (default: by the names of its files).",
      visibility: .hidden)) package var truthKind: DepthKind?
  @Option(
    help: ArgumentHelp(
      "Distance of the two cameras of a stereo pair in metres: errors in pixels of disparity are added; it takes --intrinsics.",
      visibility: .hidden)) package var stereoBaseline: Double?
  @Option(help: "Folder or file of masks: truth counts where they are not 0.", completion: .directory)
  package var truthMask: String?
  @Option(
    help: ArgumentHelp(
      "Folder or file of masks: truth does not count where they are not 0.", visibility: .hidden),
    completion: .directory) package var ignoreMask: String?
  @Option(
    help: ArgumentHelp(
      "Folder or file of standard deviations of the truth by pixel, in metres or in counts of --truth-scale: errors are then also given without the truth's noise, with a budget of uncertainty.",
      valueName: "dir", visibility: .hidden), completion: .directory) package var truthDeviationMaps: String?
  @Option(help: "Folder or file of the camera images, for pictures.", completion: .directory)
  package var images: String?
  @Option(
    help: ArgumentHelp(
      "Which map belongs to which truth: by name, number or order, or a file with a line 'MAP TRUTH [IMAGE]' for each image (default: by names, else by equal numbers).",
      valueName: "rule or file")) package var match: MatchArgument?
  @Option(
    help: ArgumentHelp(
      "A network's map belongs to the truth so many images later than its name or number says, NAME=N; below 0, earlier. Once for each network.",
      valueName: "name=n", visibility: .hidden)) package var shift: [NamedCount] = []
  @Option(
    help: ArgumentHelp(
      "What counts as a scene: image, folder, or a file that names the scene of each image (default: folders below the truth's, else every image).",
      valueName: "scene")) package var sceneBy: SceneGrouping?
  @Option(
    help: ArgumentHelp(
      "stretch takes maps of another aspect than the truth's: networks that squash the whole picture to their own size. Each axis is stretched by itself.",
      visibility: .hidden)) package var predictionResize: PredictionResize?

  package func validate() throws {
    if let truthScale, !(truthScale.isFinite && truthScale > 0) {
      throw ValidationError("--truth-scale: a number above 0 is needed, such as 0.001 for millimetres")
    }
    if let stereoBaseline, !(stereoBaseline.isFinite && stereoBaseline > 0) {
      throw ValidationError("--stereo-baseline: metres above 0 are needed, such as 0.54 for KITTI")
    }
    if !shift.isEmpty, hasList {
      throw ValidationError("--shift: a list says which map belongs to which truth; change its lines")
    }
    if let double = shift.first(where: { one in shift.count { $0.name == one.name } > 1 }) {
      throw ValidationError("--shift: '\(double.name)' is named twice")
    }
  }

  /// The first of these options that was given; nil for none.
  package var given: String? {
    let options: [(String, Bool)] = [
      ("--truth-scale", truthScale != nil), ("--truth-kind", truthKind != nil),
      ("--truth-formula", truthFormula != nil),
      ("--stereo-baseline", stereoBaseline != nil),
      ("--truth-mask", truthMask != nil), ("--ignore-mask", ignoreMask != nil), ("--images", images != nil),
      ("--truth-deviation-maps", truthDeviationMaps != nil),
      ("--match", match != nil), ("--shift", !shift.isEmpty), ("--scene-by", sceneBy != nil),
      ("--prediction-resize", predictionResize != nil),
    ]
    return options.first { $0.1 }?.0
  }

  /// Whether a list names the files.
  package var hasList: Bool { if case .list? = match { true } else { false } }

  /// - Parameter truth: A folder or file; nil where a list names the files.
  /// - Parameter invalid: Stored numbers of the truth that stand for nothing.
  /// - Parameter intrinsics: As `MapSetRequest` takes them.
  package func request(
    _ predictions: [MapRequest], truth: String?, invalid: [Double]?, intrinsics: String?,
    external: ExternalFolders
  ) -> MapSetRequest {
    func linked(_ maps: MapRequest) -> MapRequest {
      var maps = maps
      maps.external = external
      return maps
    }
    var request = MapSetRequest(
      predictions: predictions.map(linked), truth: truth.map { linked(MapRequest(name: nil, path: $0)) })
    request.truth?.invalid = invalid
    request.truth?.formula = truthFormula
    (request.truthScale, request.truthKind, request.stereoBaseline) = (truthScale, truthKind, stereoBaseline)
    (request.truthMask, request.ignoreMask, request.images) = (truthMask, ignoreMask, images)
    request.truthDeviation = truthDeviationMaps
    switch match {
    case .rule(let rule): request.matching = rule
    case .list(let path): request.list = path
    case nil: break
    }
    request.predictionResize = predictionResize
    if !shift.isEmpty { request.shifts = Dictionary(uniqueKeysWithValues: shift.map { ($0.name, $0.count) }) }
    if let sceneBy { request.scenes = sceneBy }
    (request.intrinsics, request.external) = (intrinsics, external)
    return request
  }
}

/// Maps of networks in the place of data sets.
package struct EvaluatedMapFlags: ParsableArguments {
  package init() {}
  @Option(
    help: ArgumentHelp(
      "Without a data set: a network's maps in a folder or file, NAME=DIR or NAME:KIND=DIR with the kind metric, millimetres, kitti (1/256 m), depth or disparity; once for each network. They are compared with --truth DIR: fathom evaluate --prediction mynet:metric=pred --truth gt.",
      valueName: "name=dir")) package var prediction: [NamedMaps] = []
  @Option(
    help: ArgumentHelp(
      "Standard deviations of a network's maps by pixel, NAME=DIR in the unit of the prediction, or NAME:UNIT=DIR with the unit relative (shares of the prediction) or millimetres: the report says how honest they are.",
      valueName: "name=dir", visibility: .hidden)) package var predictionDeviation: [NamedDeviations] = []
  @Option(
    help: ArgumentHelp(
      "Scores of confidence of a network's maps by pixel, larger where it is surer: NAME=DIR, which may be the folder of its .npz or EXR files; the report says whether they order the pixels.",
      valueName: "name=dir", visibility: .hidden)) package var predictionConfidence: [NamedPath] = []
  @OptionGroup package var set: MapSetFlags
  @Option(
    help: ArgumentHelp(
      "Divide errors by the ids of masks, NAME=DIR: whole numbers, whose names lines 'ID,NAME' of DIR/names.csv say.",
      valueName: "name=dir", visibility: .hidden), completion: .directory) package var byMask: NamedPath?
  @Option(
    help: ArgumentHelp(
      "fx,fy,cx,cy in the truth's pixels from the centre of the first, as in OpenCV, or with the width and height that they are for behind.",
      visibility: .hidden)) package var intrinsics: String?
  @Option(
    help: "Stored numbers of the truth that stand for nothing, with commas between them; 0 always does.")
  package var truthInvalid: NumberList?
  @Option(
    help: ArgumentHelp(
      "The same of a network's maps, NAME=V or NAME=V,V; may be given more than once.",
      valueName: "name=numbers", visibility: .hidden)) package var predictionInvalid: [NamedNumbers] = []
  @Flag(
    name: .customLong("allow-8bit"),
    help: ArgumentHelp(
      "Take maps of 256 levels, which most programs scale in each frame by itself.", visibility: .hidden))
  package var allow8bit = false
  private var certainties: [DeviationMaps] {
    predictionDeviation.map(\.maps) + predictionConfidence.map(\.confidences)
  }

  /// Whether maps take the place of data sets.
  package var isGiven: Bool { !prediction.isEmpty || set.hasList }

  /// - Parameter data: Data sets that are named, too.
  /// - Parameter hasLists: Whether lists of data sets are.
  /// - Throws: `ValidationError` where the command has maps or a truth alone, or both and data sets.
  package func check(_ truth: TruthArgument, data: [String], hasLists: Bool) throws {
    guard isGiven else {
      if case .path(let path) = truth { throw ValidationError(Self.lack(of: path, data: data)) }
      let own: [(String, Bool)] = [
        ("--by-mask", byMask != nil), ("--intrinsics", intrinsics != nil), ("--allow-8bit", allow8bit),
        ("--prediction-deviation", !predictionDeviation.isEmpty),
        ("--prediction-confidence", !predictionConfidence.isEmpty), ("--truth-invalid", truthInvalid != nil),
        ("--prediction-invalid", !predictionInvalid.isEmpty),
      ]
      if let option = set.given ?? own.first(where: \.1)?.0 {
        throw ValidationError("\(option): it goes with --prediction NAME=DIR and --truth DIR")
      }
      return
    }
    try prediction.check(predictionInvalid)
    try prediction.check(certainties)
    if set.stereoBaseline != nil && intrinsics == nil {
      throw ValidationError("--stereo-baseline: pixels of disparity take --intrinsics fx,fy,cx,cy, too")
    }
    if let first = data.first { throw ValidationError(Self.advice(for: first, prediction, truth)) }
    guard !hasLists else {
      throw ValidationError("--prediction: maps are compared with --truth DIR, not with lists of data sets")
    }
    if case .origin = truth, !set.hasList {
      throw ValidationError("--prediction: it needs the truth that the maps are compared with: --truth DIR")
    }
  }

  private static func lack(of path: String, data: [String]) -> String {
    if let folders = MapFolders(data, truth: path) {
      return "--prediction: it names the maps that are compared with the truth: '\(folders.command)'"
    }
    return data.isEmpty
      ? "--truth: no maps are named that '\(path)' is the truth of; add --prediction NAME=DIR"
      : "--truth: of data sets it is stored or multiview; '\(path)' goes with --prediction NAME=DIR, without data sets"
  }

  private static func advice(for data: String, _ predictions: [NamedMaps], _ truth: TruthArgument) -> String {
    if case .origin = truth, let first = predictions.first?.request,
      MapFolders([first.path], truth: data) != nil
    {
      let words =
        ["fathom", "evaluate", "--truth", data] + predictions.flatMap { ["--prediction", $0.words] }
      return "--truth: it names the folder of the truth: '\(words.map(\.shellQuoted).joined(separator: " "))'"
    }
    let isDataset = [".h5", ".hdf5"].contains { data.lowercased().hasSuffix($0) }
    let words = ["fathom"] + (isDataset ? ["attach", data] : ["import", data, "OUT.h5"])
    let command = words + ["--prediction", predictions.first?.words ?? "NAME=DIR"]
    return
      "--prediction: with --truth DIR it takes no data set; to score it with '\(data)', make it a part of that: "
      + command.map(\.shellQuoted).joined(separator: " ")
  }

  /// nil where data sets are evaluated.
  package func request(_ truth: TruthArgument, external: ExternalFolders) throws(FathomError)
    -> MapSetRequest?
  {
    guard isGiven else { return nil }
    var predictions = prediction.requests(predictionInvalid)
    for index in predictions.indices { predictions[index].allowsEightBits = allow8bit }
    var path: String?
    if case .path(let given) = truth { path = given }
    var request = set.request(
      predictions, truth: path, invalid: truthInvalid?.numbers, intrinsics: intrinsics, external: external)
    request.truth?.allowsEightBits = allow8bit
    if !certainties.isEmpty { request.deviations = certainties }
    request.idMask = try byMask.map { mask throws(FathomError) in try IDMask(mask.name, at: mask.path) }
    return request
  }
}

/// "fathom evaluate --truth gt --prediction pred:metric=pred"; nil where a folder does not hold a truth and a network's maps.
package func comparison(ofMapsIn path: String) -> String? { MapFolders([path])?.command }
