public import DepthCore
public import DepthDataset
public import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
public import FathomStorage

/// A source whose frames are maps of networks and a truth; it has no LiDAR.
///
/// Each folder is read by a process of its own where `ReaderProcess.executable` names one, so that as many maps are decoded at once.
public final class MapSetSource: FrameSource, Sendable {
  public let path: String, scenes: [SceneHeader], issues: [SchemaIssue], sources: SourceFiles
  public let protections: [String]?
  /// How maps and truth were matched: "by their names".
  public let matching: String
  let parts: [Part]
  private let rows: [MapSetPlan.Row], rowsOfScenes: [String: (scene: Int, rows: [Int])]
  private let request: MapSetRequest, camera: CameraIntrinsics?, checks: MapSetChecks
  let probe: MapSetProbe
  private let assumed: [Int: MapEvidence], archives: MapArchives

  struct Part: Sendable {
    let role: MapSide.Role, series: MapSeries
    /// By rows: which of the series' maps; nil where there is none.
    let layers: [Int?]
    func size(_ row: Int) -> RasterSize? { layers[row].map { series.sizes[$0] } }
  }

  /// - Throws: `FathomError` `.noInput` where there is no such file or folder; `.badData` where nothing tells which map belongs to
  ///   which truth, or the maps cannot be what they are said to be; `.usage` where the request makes no sense.
  public init(_ request: MapSetRequest) throws(FathomError) {
    var request = request
    let plan = try MapSetPlan(request)
    (path, rows, matching) = (plan.sides[0].setup.request.path, plan.rows, plan.matching)
    archives = plan.archives
    var parts: [Part] = []
    for (number, side) in plan.sides.enumerated() {
      parts.append(try Self.open(side, plan.rows.map { $0.layers[number] }))
    }
    let kind = DepthKind(ofFilesNamed: [parts[0].series.path(of: 0)])
    let isByName = request.truthKind == nil && kind == .distance
    request.truthKind = request.truthKind ?? kind
    (self.request, camera) = (request, try Self.camera(request, parts[0].size(0), isByName))
    let rays = request.truthKind == .distance ? camera : nil
    func checks(_ parts: [Part]) -> MapSetChecks {
      MapSetChecks(
        parts: parts, rows: plan.rows, resize: request.predictionResize, deviations: request.deviations ?? []
      )
    }
    try checks(parts).requireSizes()
    try checks(parts).requireScale()
    var probe = try MapSetProbe(parts, rows: plan.rows.count, rays: rays)
    let assumed = try Self.settle(&parts, by: probe, checks(parts))
    if assumed.values.contains(where: { $0.meaning.factor != 1 }) {
      probe = try MapSetProbe(parts, rows: plan.rows.count, rays: rays)
    }
    (self.parts, self.checks, self.probe, self.assumed) = (parts, checks(parts), probe, assumed)
    var (headers, positions) = ([SceneHeader](), [String: (scene: Int, rows: [Int])]())
    for (name, rows) in plan.scenes {
      positions[name] = (headers.count, rows)
      headers.append(try Self.header(name, rows, plan, parts, camera, request))
    }
    (scenes, rowsOfScenes) = (headers, positions)
    sources = try Self.sources(request, plan)
    let layers = parts.map(\.series.description.layers).reduce(~0, &)
    protections = ReaderProcess.executable == nil ? nil : ReaderLayers.names(layers)
    let isNumbered = plan.rows.count >= 16 && plan.rows.allSatisfy { FrameKey.number($0.id) != nil }
    let kinds =
      isByName
      ? [
        SchemaIssue(
          severity: .note, object: path, problem: "the truth is converted to depth: \(DepthKind.whyRays)",
          advice: "if they are depth already, give \(option: "truth-kind") planar")
      ] : []
    issues =
      plan.notes + kinds + assumed.sorted { $0.key < $1.key }.map { $1.issue(parts[$0].series.setup.request) }
      + (try self.checks.look(at: probe, isSequence: plan.isImagesByDefault && isNumbered))
      + (try self.checks.lookAtDeviations())
  }

  /// Gives maps the meaning that the truth shows, where nothing else says one.
  /// - Returns: What was assumed, by the numbers of the parts.
  private static func settle(
    _ parts: inout [Part], by probe: MapSetProbe, _ checks: MapSetChecks
  ) throws(FathomError) -> [Int: MapEvidence] {
    var found: [Int: MapEvidence] = [:]
    for (index, part) in parts.enumerated()
    where part.role == .prediction && part.series.description.meaning == nil {
      guard let evidence = MapEvidence(probe.maps[index] ?? []) else {
        // A truth in millimetres read as metres hides what the maps are: nothing in it is nearer than 200 "metres".
        _ = try checks.look(at: probe, within: 0...200)
        throw FrameMaps.unknownMeaning(part.series.setup.request, part.series.path(of: 0))
      }
      found[index] = evidence
      parts[index] = Part(
        role: part.role, series: part.series.taken(as: evidence.meaning), layers: part.layers)
    }
    return found
  }

  /// Whether the truth's distances along the ray were converted.
  public var convertsRays: Bool { request.truthKind == .distance }

  /// How the numbers of a network's maps are taken; nil for no such network.
  /// - Returns: Also what decided it, where that was the truth.
  public func meaning(of network: String) -> (meaning: MapMeaning, evidence: String?)? {
    let index = parts.firstIndex {
      $0.role == .prediction && $0.series.setup.request.name == network
    }
    return index.flatMap { index in
      parts[index].series.description.meaning.map { ($0, assumed[index]?.words) }
    }
  }

  private static func open(_ side: MapSide, _ layers: [Int?]) throws(FathomError) -> Part {
    if let stack = side.stack { return Part(role: side.role, series: stack, layers: layers) }
    var setup = side.setup
    let used = layers.compactMap(\.self)
    setup.places = used.map { index in
      let file = side.files[index]
      return MapPlace(path: file.path, layer: file.layer ?? 0, isOfStack: file.layer != nil)
    }
    var next = 0
    let own = layers.map { layer -> Int? in
      if layer == nil { return nil }
      defer { next += 1 }
      return next
    }
    return Part(role: side.role, series: try MapSeries.opened(setup), layers: own)
  }

  private static func header(
    _ name: String, _ rows: [Int], _ plan: MapSetPlan, _ parts: [Part], _ camera: CameraIntrinsics?,
    _ request: MapSetRequest
  ) throws(FathomError) -> SceneHeader {
    /// The one size of the scene's maps.
    func size(_ part: Part, _ title: String) throws(FathomError) -> RasterSize? {
      let sizes = rows.compactMap(part.size).firstAppearances
      guard sizes.count > 1 else { return sizes.first }
      throw FathomError(
        .badData, attempted: "read scene '\(name)'", file: part.series.setup.request.path,
        reason: "its \(title) has \(sizes[0]) and \(sizes[1]) pixels",
        advice: "\(option: "scene-by") image takes sizes apart")
    }
    var header = SceneHeader(name: name, frameCount: rows.count)
    header.frameIDs = rows.map { plan.rows[$0].id }
    header.truthIndependence = .independent
    (header.intrinsics, header.stereoBaseline) = (camera, request.stereoBaseline)
    for part in parts {
      switch part.role {
      case .truth: header.truthSize = try size(part, "truth")
      case .prediction:
        let maps = part.series.setup.request, own = try size(part, maps.title)
        header.predictions.append(
          StoredPrediction(
            name: maps.name ?? "", kind: part.series.description.meaning?.predictionKind,
            size: own ?? header.truthSize ?? RasterSize(width: 0, height: 0)))
      case .image:
        header.colourSize = try size(part, "pictures")
        let positions = rows.indices.filter { part.layers[rows[$0]] != nil }
        header.imageFrames = positions.count == rows.count ? nil : positions
      case .truthDeviation: header.hasTruthDeviation = true
      case .deviation:
        for index in header.predictions.indices
        where header.predictions[index].name == part.series.setup.request.name {
          header.predictions[index].certainty = part.series.setup.request.beside
        }
      case .truthMask, .ignoreMask, .ids: break
      }
    }
    return header
  }

  /// The truth's files, and all others by the names of their sides.
  private static func sources(
    _ request: MapSetRequest, _ plan: MapSetPlan
  ) throws(FathomError) -> SourceFiles {
    var others: [(name: String, path: String)] = []
    for (number, side) in plan.sides.enumerated() where number > 0 || request.list != nil {
      let files = plan.rows.compactMap { $0.layers[number] }.map { side.files[$0] }
      if side.stack != nil || side.setup.request.unpacked != nil {
        others.append((side.title, side.setup.request.path))
      } else {
        var known: Set<String> = []
        others += files.filter { known.insert($0.path).inserted }
          .map { (side.title + "/" + $0.name, $0.path) }
      }
    }
    if case .list(let path) = request.scenes { others.append((path, path)) }
    let truth = plan.sides[0], root = truth.setup.request.path
    let isFile = request.list != nil || truth.stack != nil || truth.setup.request.unpacked != nil
    let names = plan.rows.compactMap { $0.layers[0] }.map { truth.files[$0].name }
    return try
      (isFile ? SourceFiles(ofFile: root) : SourceFiles(ofFolder: root, files: names.firstAppearances))
      .leading(to: others)
  }

  /// - Throws: `FathomError` `.usage` where the numbers do not make a camera.
  /// - Parameter isByName: Whether only the names of the truth's files say that it holds distances.
  private static func camera(
    _ request: MapSetRequest, _ size: RasterSize?, _ isByName: Bool
  ) throws(FathomError) -> CameraIntrinsics? {
    func problem(_ advice: Wording) -> FathomError {
      FathomError(
        .usage, attempted: "use", place: "\(flag: "intrinsics") \(request.intrinsics ?? "")",
        reason: "it makes no sense", advice: advice)
    }
    guard let words = request.intrinsics else {
      guard request.truthKind == .distance else { return nil }
      throw FathomError(
        .usage, attempted: isByName ? "read" : "use",
        place: isByName ? "the truth" : "\(flag: "truth-kind") distance",
        reason:
          "distances along the ray become depth by the camera's intrinsics\(isByName ? ", and \(DepthKind.whyRays)" : "")",
        advice: isByName
          ? "give \(option: "intrinsics") fx,fy,cx,cy of the scene's camera; or \(option: "truth-kind") planar"
          : "give \(option: "intrinsics") fx,fy,cx,cy")
    }
    let numbers = words.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.filter { !$0.isWhitespace })
    }
    let known = numbers.compactMap(\.self)
    guard known.count == numbers.count, known.count == 4 || known.count == 6, let size
    else { throw problem("give fx,fy,cx,cy or fx,fy,cx,cy,width,height") }
    var own = size
    if known.count == 6 {
      guard let width = Int(exactly: known[4]), let height = Int(exactly: known[5])
      else { throw problem("width and height are whole numbers of pixels") }
      own = RasterSize(width: width, height: height)
    }
    // Given from the centre of the first pixel; cameras count from its outer corner.
    let camera = CameraIntrinsics(
      fx: known[0], fy: known[1], cx: known[2] + 0.5, cy: known[3] + 0.5, imageSize: own)
    guard camera.isSensible else { throw problem("give fx,fy,cx,cy in pixels") }
    return camera
  }

  /// Compares the truth of a few frames with the depths that count, metres.
  /// - Returns: What a user should know.
  /// - Throws: `FathomError` `.badData` where none of it counts: millimetres that were read as metres.
  public func requireTruth(within range: ClosedRange<Double>) throws(FathomError) -> [SchemaIssue] {
    try checks.look(at: probe, within: range)
  }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    guard let (known, own) = rowsOfScenes[scene.name], own.indices.contains(index) else {
      throw FathomError(
        .badData, attempted: "read frame \(index) of scene '\(scene.name)'", file: path,
        reason: "there is no such frame", advice: "count frames from 0")
    }
    let (header, row) = (scenes[known], own[index])
    let wanted = parts.indices.filter { Self.isWanted(parts[$0].role, arrays) }
    let found = try parts.layers(of: row, wanted)
    var frame = DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
    if arrays.contains(.camera) { frame.intrinsics = camera }
    var networks = header.predictions.makeIterator()
    for (number, layer) in zip(wanted, found) {
      switch (parts[number].role, layer) {
      case (.truth, .map(let map)?):
        let camera = request.truthKind == .distance ? camera : nil
        frame.truth = camera.map { map.planarDepth(fromRayLengthsSeenBy: $0) } ?? map
      case (.prediction, let layer):
        guard let stored = networks.next() else { continue }
        var map = DepthMap(width: stored.size.width, height: stored.size.height, filledWith: .nan)
        if case .map(let own)? = layer { map = own }
        frame.predictions.append((stored, map))
      case (.image, .picture(let picture)?): frame.image = picture
      case (.truthMask, .map(let mask)?): frame.truth?.forget { mask.values[$0] == 0 }
      case (.ignoreMask, .map(let mask)?): frame.truth?.forget { mask.values[$0] != 0 }
      case (.truthDeviation, .map(let map)?): frame.truthDeviation = truthDeviation(map, parts[number])
      case (.deviation, .map(let map)?): take(map, of: parts[number].series.setup.request.name, to: &frame)
      case (.deviation, nil):
        // A frame without a map of the network.
        let own = frame.predictions.first { $0.header.name == parts[number].series.setup.request.name }
        if let size = own?.header.size, let name = own?.header.name {
          frame.certainties[name] = DepthMap(width: size.width, height: size.height, filledWith: .nan)
        }
      case (.ids, .map(let ids)?): frame.ids = try Self.ids(ids, parts[number], row)
      default: break
      }
    }
    return frame
  }

  /// - Parameter stored: Metres, or counts of the truth's scale.
  private func truthDeviation(_ stored: DepthMap, _ part: Part) -> DepthMap {
    let isWhole = part.series.description.firstOfWholeNumbers != nil
    let factor = Float(isWhole ? request.truthScale ?? 1 : 1)
    let map = DepthMap(width: stored.width, height: stored.height, values: stored.values.map { $0 * factor })
    guard request.truthKind == .distance, let camera else { return map }
    return map.planarDepth(fromRayLengthsSeenBy: camera)
  }

  /// - Parameter name: Of the prediction, which the frame holds.
  private func take(_ deviation: DepthMap, of name: String?, to frame: inout DepthFrame) {
    guard let maps = request.deviations?.first(where: { $0.name == name }),
      let prediction = frame.predictions.first(where: { $0.header.name == name })?.map
    else { return }
    frame.certainties[maps.name] = maps.usable(deviation, of: prediction, meaning(of: maps.name)?.meaning)
  }

  /// - Throws: `FathomError` `.badData` where its numbers are not ids, or too many.
  private static func ids(_ map: DepthMap, _ part: Part, _ row: Int) throws(FathomError) -> Raster<UInt16> {
    func failure(_ reason: String) -> FathomError {
      part.series.setup.failure(
        part.layers[row].map(part.series.path), reason,
        "give masks of at most \(IDMask.most) different whole numbers from 0 to 65535")
    }
    let ids = map.values.map { UInt16(exactly: $0) }
    guard let wrong = ids.firstIndex(of: nil) else {
      let known = ids.compactMap(\.self), count = Set(known).count
      guard count <= IDMask.most else { throw failure("it has \(count) ids") }
      return Raster(width: map.width, height: map.height, values: known)
    }
    throw failure("it holds \(map.values[wrong]), which is not an id")
  }

  private static func isWanted(_ role: MapSide.Role, _ arrays: FrameArrays) -> Bool {
    switch role {
    case .truth, .truthMask, .ignoreMask, .truthDeviation: arrays.contains(.truth)
    case .prediction, .deviation: arrays.contains(.predictions)
    case .image: arrays.contains(.image)
    case .ids: arrays.contains(.ids)
    }
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? { nil }
  public func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  public func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}

extension DepthMap {
  /// Makes pixels unknown.
  fileprivate mutating func forget(where isUnknown: (Int) -> Bool) {
    for index in values.indices where isUnknown(index) { values[index] = .nan }
  }
}
