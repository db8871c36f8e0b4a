import FathomStatistics
import FathomDocuments
public import FathomRunFolders
import FathomTables
public import DepthCore
public import DepthEvaluation
public import DepthFusion
public import DepthGraphics
public import DepthVerdicts
import Foundation
public import FathomStorage

/// A folder with a page of every frame of a run: `index.html`, its rows in `rows.js`, pictures in `pictures/`.
///
/// The page opens from a disk, without a server. What it may load is its own folder's scripts and pictures, and nothing else; names
/// of scenes and frames reach it as texts of the script's data, never as markup.
public struct FramesPage: Sendable {
  /// A frame of the run, with its row under every method.
  public struct Frame: Sendable {
    /// In the run, from 1.
    public let number: Int
    public let scene: String, frame: String, records: [FrameRecord]

    /// The frames of a run, in its order.
    public static func all(of run: StoredRun) -> [Frame] {
      RowGroups(RowStore(run.frames.records)) { $0.scene == $1.scene && $0.frameIndex == $1.frameIndex }
        .enumerated().map { Frame(number: $0 + 1, scene: $1[0].scene, frame: $1[0].frame, records: $1) }
    }
  }

  /// Pictures of a frame as files.
  public struct Painted: Sendable {
    /// Below the folder, with their bytes.
    public let files: [(name: String, bytes: [UInt8])]
    let roles: [String: String], tallies: [String: GalleryScale.Tally]
    let highConfidence: Double?

    /// Without the bytes, which have been written.
    public var withoutBytes: Painted {
      Painted(files: [], roles: roles, tallies: tallies, highConfidence: highConfidence)
    }

    public var size: Int { files.reduce(0) { $0 + $1.bytes.count } }
  }

  /// Columns of the page, by which frames are sorted.
  static let columns = [MetricColumn.absRel, .mae, .maeMeasured, .rmse, .bias, .coverage, .temporalAbsRel]
  let width: Int  // Width of the pictures, pixels.
  let method: String  // Whose maps are shown, as people call it.
  private let basis: ComparisonBasis, scales: GalleryScales

  /// - Parameter basis: The run's, which says what methods are called.
  public init(method: MethodSelection, basis: ComparisonBasis, width: Int, _ scales: GalleryScales) {
    (self.method, self.basis, self.width) = (basis.name(of: method.description), basis, width)
    self.scales = scales
  }

  /// - Parameter number: Of the frame in the run, from 1: names come from it, never from data.
  public func paint(_ number: Int, _ pictures: FramePictures, confidence: Raster<UInt8>?)
    throws(GraphicsError)
    -> Painted
  {
    var files: [(name: String, bytes: [UInt8])] = []
    var (roles, tallies) = ([String: String](), [String: GalleryScale.Tally]())
    for picture in pictures.drawn(by: method, scales, width: width) {
      let name = "pictures/\(number)-\(picture.role.lowercased()).jpg"
      files.append((name, try JPEG.encode(picture.raster, quality: 75)))
      roles[picture.role] = name
      tallies[picture.role] = picture.tally
    }
    let levels = confidence.map { map in
      zip(map.values, pictures.lidar?.resampledLike(map) ?? []).filter { $0.1 }.map(\.0)
    }
    let high = levels.flatMap { $0.isEmpty ? nil : Double($0.count { $0 >= 2 }) / Double($0.count) }
    return Painted(files: files, roles: roles, tallies: tallies, highConfidence: high)
  }

  /// Writes the page, its rows and colour bars beside the pictures that are in the folder.
  /// - Throws: `FathomError`, `GraphicsError`.
  public func write(
    _ rows: [(frame: Frame, painted: Painted, command: String)], of run: StoredRun, link: String,
    to folder: borrowing AtomicFolder
  ) throws {
    let roles = FramePictures.depthRoles(scales.map, hasLidar: basis.hasLidar)
    let bars = try scales.bars("pictures/scale-", roles) { role in
      rows.compactMap { $0.painted.tallies[role] }
    }
    for (name, bytes) in bars.files { try folder.write(bytes, to: name) }
    let columns = Self.columns.filter { column in
      rows.contains { $0.frame.records.contains { $0.value(column) != nil } }
    }
    let content = Rows(
      run: run.name, method: method, methods: run.methods.map { basis.name(of: $0) }, link: link,
      scales: bars.blocks,
      columns: columns.map { column in
        let display = column.metric.display
        return Column(
          id: column.id, title: column.title + (display.symbol.map { " [\($0)]" } ?? ""),
          isLowerBetter: column.metric.direction == .lowerIsBetter,
          isSigned: column.metric.direction == .zeroIsBest)
      },
      frames: rows.map { row in
        FrameRow(
          number: row.frame.number, scene: row.frame.scene, frame: row.frame.frame,
          highConfidence: row.painted.highConfidence.map { ($0 * 1000).rounded() / 10 },
          pictures: row.painted.roles, command: row.command,
          values: Dictionary(
            row.frame.records.map { record in
              (
                basis.name(of: record.method),
                columns.map { column in record.value(column).map { $0 * column.metric.display.scale } }
              )
            }, uniquingKeysWith: { first, _ in first }),
          reasons: Dictionary(
            row.frame.records.compactMap { record in
              record.fusion.reason.map { (basis.name(of: record.method), $0) }
            },
            uniquingKeysWith: { first, _ in first }))
      })
    let json = try CanonicalJSON.text(content, isPretty: false)
    try folder.write("window.fathomFrames = \(Self.inScript(json));\n", to: "rows.js")
    try folder.write(PageFiles.frames(title: "\(run.name): every frame"), to: "index.html")
  }

  /// JSON as a part of a script: two separators of lines end a text in old ones.
  private static func inScript(_ json: String) -> String {
    json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029").replacing(
      "</", with: "<\\/")
  }

  /// What `rows.js` holds.
  private struct Rows: Encodable {
    let run: String, method: String, methods: [String], link: String, scales: [GalleryBlock.Scale]
    let columns: [Column], frames: [FrameRow]
  }
  private struct Column: Encodable { let id: String, title: String, isLowerBetter: Bool, isSigned: Bool }
  private struct FrameRow: Encodable {
    let number: Int, scene: String, frame: String, highConfidence: Double?
    let pictures: [String: String], command: String, values: [String: [Double?]]
    let reasons: [String: String]
  }
}

extension DepthMap {
  /// Whether this map measures anything at each pixel of another one.
  fileprivate func resampledLike(_ other: Raster<UInt8>) -> [Bool] {
    (0..<other.size.count).map { index in
      let value = nearest(index / other.width, index % other.width, of: other.size)
      return value.isFinite && value > 0
    }
  }
}
