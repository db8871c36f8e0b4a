public import DepthCore
private import Foundation
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomPlainText
public import FathomStorage

/// The maps of one request by the frames of a scene, checked but for their pixels.
public struct FrameMaps: Sendable {
  public let request: MapRequest, meaning: MapMeaning
  /// After turning.
  public let size: RasterSize
  /// By what the meaning is known: "MiDaS", or what the user said.
  public let source: String
  /// How maps and frames were matched.
  public let matching: String
  /// Positions of the frames without a map.
  public let missing: [Int]
  /// What is said of maps of another aspect than the frames'; nil where theirs is the same.
  public let resizing: String?
  /// The file of each frame's map; empty where another process reads them.
  private var files: [String?] = []
  private let reading: @Sendable (Int) throws(MapFault) -> Raster<Float>

  /// Finds the maps of frames.
  /// - Parameter frames: What each frame may be called: its own name, and those of its files, without endings.
  /// - Parameter view: Sizes of the scene's other maps and pictures; one must have the maps' aspect.
  /// - Throws: `FathomError` `.noInput` where there is no such file or folder; `.badData` where no map fits a frame, or they are
  ///   turned, of 8 bits, colours or pickles, or nothing settles what they mean.
  public init(_ request: MapRequest, frames: [[String]], view: [RasterSize]) throws(FathomError) {
    self.request = request
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: request.place, isDirectory: &isFolder) else {
      throw FathomError(
        .noInput, attempted: "read the \(request.title)", file: request.path,
        reason: "there is no such file or folder", advice: "check the path")
    }
    let found =
      isFolder.boolValue
      ? try Self.inFolder(request, frames) : try Self.inFile(request, frames.count)
    let (places, stack) = (found.places, found.stack)
    files = places.map { $0?.path }
    matching = found.matching
    missing = places.indices.filter { places[$0] == nil }
    guard let first = places.compactMap(\.self).first else {
      throw request.failure(nil, "no map belongs to any frame", "name the files as the frames are named")
    }
    let file: MapFile
    do throws(PictureFault) { file = try Self.file(first, stack, request) } catch {
      throw request.failure(
        Self.last(first.path), error.reason, "give arrays or maps of 16 bits", kind: error.kind)
    }
    guard file.header.holdsDepth || request.allowsEightBits else {
      throw request.failure(
        Self.last(first.path), "it has 8 bits: at most 256 levels, scaled in each frame by itself",
        "write arrays instead, or take them with \(option: "allow-8bit")")
    }
    (meaning, source) = try Self.meaning(request, first.path, file.header)
    let stored = file.header.size
    size = request.rotation % 180 == 0 ? stored : RasterSize(width: stored.height, height: stored.width)
    resizing = try Self.requireView(size, view, request, Self.last(first.path))
    let (shape, factor) = (size, meaning.factor)
    let invalid = Set((request.invalid ?? []).map { Float($0) })
    reading = { (frame) throws(MapFault) in
      try Self.map(places[frame], stack, shape, factor, request, invalid)
    }
  }

  /// What another process reads.
  init(_ description: Description, reading: @escaping @Sendable (Int) throws(MapFault) -> Raster<Float>) {
    (request, meaning, size) = (description.request, description.meaning, description.size)
    (source, matching, missing) = (description.source, description.matching, description.missing)
    (resizing, self.reading) = (description.resizing, reading)
  }

  /// All but the maps.
  struct Description: Codable {
    var request: MapRequest, meaning: MapMeaning, size: RasterSize, source: String, matching: String
    var missing: [Int]
    var resizing: String?
  }

  var description: Description {
    Description(
      request: request, meaning: meaning, size: size, source: source, matching: matching, missing: missing,
      resizing: resizing)
  }

  /// What the data set says of a prediction; nil for relative depth.
  public var prediction: StoredPrediction? {
    request.name.map { StoredPrediction(name: $0, kind: meaning.predictionKind, size: size) }
  }

  /// The attribute `kind` of a data set.
  public var kind: String { prediction?.kind?.rawValue ?? meaning.relativeKind.rawValue }
  /// The file that a frame's map is in; nil where there is none.
  func file(of frame: Int) -> String? { files.indices.contains(frame) ? files[frame] : nil }
  /// The map of a frame; NaN where the network says nothing, and everywhere where there is no map.
  /// - Throws: `MapFault` where it cannot be read, or has another size than the first.
  public func map(_ frame: Int) throws(MapFault) -> Raster<Float> { try reading(frame) }

  private static func map(
    _ place: MapPlace?, _ stack: MapFile?, _ size: RasterSize, _ factor: Float, _ request: MapRequest,
    _ invalid: Set<Float>
  ) throws(MapFault) -> Raster<Float> {
    guard let place else {
      return Raster(
        width: size.width, height: size.height, values: [Float](repeating: .nan, count: size.count))
    }
    do throws(PictureFault) {
      let file = try file(place, stack, request)
      var map = try file.layer(place.layer).reals
      map = Raster(
        width: map.width, height: map.height,
        values: map.values.map { $0.isFinite && !invalid.contains($0) ? $0 * factor : .nan })
      map = map.turned(clockwise: request.rotation)
      guard map.size == size else { throw PictureFault(FrameDecoder.unlike(map.size, size)) }
      return map
    } catch { throw MapFault(file: place.path, reason: error.reason, kind: error.kind) }
  }

  private static func file(
    _ place: MapPlace, _ stack: MapFile?, _ request: MapRequest
  ) throws(PictureFault) -> MapFile {
    if let stack { return stack }
    return try MapFile(at: place.path, for: request.role)
  }

  /// A map that cannot be used.
  public struct MapFault: Error, Sendable {
    public let file: String, reason: String
    /// What kind of error it is: the file's, unless the machine failed.
    public let kind: FathomError.Kind
  }

  private typealias Found = (places: [MapPlace?], stack: MapFile?, matching: String)

  private static func inFile(_ request: MapRequest, _ count: Int) throws(FathomError) -> Found {
    let file: MapFile
    do throws(PictureFault) { file = try MapFile(at: request.path, for: request.role) } catch {
      throw request.failure(
        nil, error.reason, "give a folder of maps, or a file with one for each frame", kind: error.kind)
    }
    let layers = file.header.layerCount
    guard layers == count else {
      throw request.failure(
        nil, "it holds \(layers) maps, and there are \(count) frames; nothing else tells them apart",
        "give a folder of files that are named as the frames are, or as many maps as frames")
    }
    return ((0..<count).map { MapPlace(path: request.path, layer: $0) }, file, "by their order")
  }

  private static func inFolder(_ request: MapRequest, _ frames: [[String]]) throws(FathomError) -> Found {
    let folder = try RecordingFolder(request.place, unpacked: nil, external: request.external)
    let named = folder.names.filter { MapFormat.rank(ofName: $0) != nil }
    // Where no name says that a file is a map, its first bytes do.
    let files = named.isEmpty ? folder.names.filter { MapFormat.mayBeMap(at: folder.path(of: $0)) } : named
    guard !files.isEmpty else {
      let (reason, kind) = noMaps(in: folder)
      throw request.failure(nil, reason, "give a folder of \(MapFormat.usualEndings)", kind: kind)
    }
    let names = Set(frames.joined())
    var byName: [String: String] = [:]
    for file in files {
      guard let name = Self.stems(file).first(where: names.contains) else { continue }
      if let other = byName.updateValue(file, forKey: name), other != file {
        func rank(_ name: String) -> Int { MapFormat.rank(ofName: name) ?? MapFormat.all.count }
        guard rank(other) != rank(file)
        else { throw request.failure(file, "it belongs to the same frame as \(other)", "remove one of them") }
        byName[name] = rank(other) < rank(file) ? other : file
      }
    }
    if !byName.isEmpty {
      let places = frames.map { frame in
        frame.lazy.compactMap { byName[$0] }.first.map { MapPlace(path: folder.path(of: $0)) }
      }
      return (places, nil, "by their names")
    }
    return try byNumber(request, folder, files, frames)
  }

  /// What is said of a folder without maps, and of its first file.
  package static func noMaps(in folder: RecordingFolder) -> (reason: String, kind: FathomError.Kind) {
    guard let first = folder.names.first else { return ("it is empty", .badData) }
    do throws(PictureFault) { _ = try MapFile(at: folder.path(of: first)) } catch {
      return ("it holds no maps; \(first): \(error.reason)", error.kind)
    }
    return ("it holds no maps", .badData)
  }

  /// Frames are "000012", and maps "frame_12_depth".
  private static func byNumber(
    _ request: MapRequest, _ folder: RecordingFolder, _ files: [String], _ frames: [[String]]
  ) throws(FathomError) -> Found {
    var byNumber: [Int: String] = [:]
    for file in files {
      guard let number = FrameKey.number(Self.stems(file).last ?? "") else { continue }
      if let other = byNumber.updateValue(file, forKey: number) {
        throw request.failure(
          file, "it has the same number as \(other), and neither has the name of a frame",
          "name the files as the frames are named: \(frames.first?.first ?? "")")
      }
    }
    let places = frames.map { frame in
      frame.first.flatMap(FrameKey.number).flatMap { byNumber[$0] }
        .map { MapPlace(path: folder.path(of: $0)) }
    }
    return (places, nil, "by their numbers, as no name is that of a frame")
  }

  /// What networks and data sets hang on the name of a picture.
  private static let suffixes = [
    "_raw_depth_meter", "_depths", "_depth", "_pred", "_disp", "_raw", "_gt", "_truth", "_mask", "_valid",
    // COLMAP's depth maps, and maps that keep the ending of their picture: "0001.png.npy".
    ".geometric", ".photometric", ".png", ".PNG", ".jpg", ".JPG", ".jpeg", ".JPEG",
  ]

  /// What a file may stand for: its name without ending, then without what is hung on, in this order.
  package static func stems(_ file: String) -> [String] {
    let parts = file.split(separator: "/").map(String.init)
    guard let last = parts.last else { return [] }
    var stem =
      last.split(separator: ".").count > 1
      ? String(last[..<(last.lastIndex(of: ".") ?? last.endIndex)]) : last
    // A folder for each picture: IMG_0001/depth.exr.
    if ["depth", "disparity", "disp0", "disp0GT"].contains(stem), parts.count > 1 {
      return [parts[parts.count - 2]]
    }
    var stems = [stem]
    while let suffix = suffixes.first(where: { stem.hasSuffix($0) && stem.count > $0.count }) {
      stem = String(stem.dropLast(suffix.count))
      stems.append(stem)
    }
    // A model's name; "frame-000000.depth" has a number there.
    if let dash = stem.lastIndex(of: "-"), dash > stem.startIndex,
      stem[dash...].dropFirst().first?.isLetter == true
    {
      stems.append(String(stem[..<dash]))
    }
    return stems
  }

  /// What the numbers of a file mean, and by what that is known; nil where nothing says it.
  static func knownMeaning(_ request: MapRequest, _ path: String, _ file: MapHeader) -> (MapMeaning, String)?
  {
    if let meaning = request.meaning { return (meaning, "as requested") }
    let root = URL(fileURLWithPath: request.place).standardizedFileURL
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    let named = String(whole.dropFirst(root.deletingLastPathComponent().path.count).drop { $0 == "/" })
    let producers = MapProducer.all.filter { $0.wrote(named, file) }
    let meanings = Set(producers.map(\.meaning))
    return meanings.count == 1 ? producers.first.map { ($0.meaning, $0.title) } : nil
  }

  static func meaning(
    _ request: MapRequest, _ path: String, _ file: MapHeader
  ) throws(FathomError) -> (MapMeaning, String) {
    guard let known = knownMeaning(request, path, file) else { throw unknownMeaning(request, path) }
    return known
  }

  package static func unknownMeaning(_ request: MapRequest, _ path: String) -> FathomError {
    let option: Wording =
      request.name.map { "\(option: "prediction") \($0):KIND=…" } ?? "\(option: "relative-kind")"
    return request.failure(
      last(path), "neither its name nor its numbers say what the numbers mean",
      "say it with \(option): \(MapMeaning.allCases.map(\.rawValue).joined(separator: ", ")); disparity is larger where it is nearer (Depth Anything, MiDaS), depth where it is farther (Marigold)"
    )
  }

  /// - Returns: What is said of maps whose sides are not in the proportion of the frames'; nil where they are.
  private static func requireView(
    _ size: RasterSize, _ view: [RasterSize], _ request: MapRequest, _ file: String
  ) throws(FathomError) -> String? {
    if view.isEmpty || view.contains(where: { size.hasAspect(of: $0, slack: 1) }) { return nil }
    let listed = view.map { "\($0)" }.firstAppearances.joined(separator: ", ")
    let stretched = "\(size) is taken as the whole picture with \(listed): each axis is stretched by itself"
    if request.resize == .stretch { return stretched + ", as requested" }
    if let patch = view.lazy.compactMap({ size.patch(roundedFrom: $0) }).first {
      return stretched + "; sides in multiples of \(patch) explain its aspect"
    }
    let turned = RasterSize(width: size.height, height: size.width)
    if view.contains(where: { turned.hasAspect(of: $0, slack: 1) }) {
      throw request.failure(
        file, "it has \(size) pixels, and the frames have \(listed): the maps are turned",
        "turn them with \(option: "relative-rotate") 90, 180 or 270, clockwise until they stand as the frames do"
      )
    }
    throw request.failure(
      file, "it has \(size) pixels, another aspect than the frames with \(listed)",
      "give maps of the whole picture, not cut or padded; if it was squashed to that size, give \(option: "prediction-resize") stretch"
    )
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

extension RasterSize {
  /// Whether it shows the view of another, as a smaller or larger picture.
  /// - Parameter slack: Pixels by which a side may differ.
  package func hasAspect(of other: RasterSize, slack: Double) -> Bool {
    let expected = Double(width) * Double(other.height) / Double(other.width)
    let across = Double(height) * Double(other.width) / Double(other.height)
    return abs(expected - Double(height)) <= slack || abs(across - Double(width)) <= slack
  }

  /// The patch of a network whose multiples both sides are, each less than a patch from the other side's share of a picture; nil where
  /// none explains them. Where as little was added to each side of the picture itself, it may have been padded.
  fileprivate func patch(roundedFrom picture: RasterSize) -> Int? {
    let (own, its) = (Double(width) / Double(height), Double(picture.width) / Double(picture.height))
    return [14, 16, 32].first { patch in
      let isPadded =
        (0..<patch).contains(width - picture.width) && (0..<patch).contains(height - picture.height)
      return width % patch == 0 && height % patch == 0 && !isPadded
        && abs(Double(width) / its - Double(height)) < Double(patch)
        && abs(Double(height) * its - Double(width)) < Double(patch) && abs(own / its - 1) < 0.1
    }
  }
}

extension Raster where Element == Float {
  /// - Parameter degrees: 0, 90, 180 or 270.
  func turned(clockwise degrees: Int) -> Raster<Float> {
    let turns = degrees / 90 % 4
    guard turns != 0 else { return self }
    let (columns, rows) = turns == 2 ? (width, height) : (height, width)
    return Raster(
      width: columns, height: rows,
      values: (0..<rows * columns).map { index in
        let (row, column) = (index / columns, index % columns)
        return switch turns {
        case 1: self[height - 1 - column, row]
        case 2: self[height - 1 - row, width - 1 - column]
        default: self[column, width - 1 - row]
        }
      })
  }
}
