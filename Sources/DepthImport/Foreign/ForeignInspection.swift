internal import DepthCore
public import DepthDataset
private import Foundation
internal import FathomHDF5
internal import FathomMapFiles
internal import FathomPictureFiles
public import FathomStorage

/// What is in an HDF5 file of another program, and a mapping that its names, shapes and ranges suggest.
public struct ForeignInspection: Sendable, Codable {
  /// What an array looks like.
  public enum Role: String, Sendable, Codable {
    case depth, truth, confidence, pictures, intrinsics, poses
  }

  public struct ForeignArray: Sendable, Codable {
    /// Path inside the file.
    public var name: String
    /// Extents, slowest-varying first.
    public var shape: [Int]
    /// As it is stored: "uint16".
    public var type: String
    /// Of the first map; nil where there is none. Valid is what is finite, above 0 and below a billion.
    public var values: ValueSummary?
    /// nil where nothing can be said.
    public var role: Role?
  }

  public var path: String, arrays: [ForeignArray]
  /// YAML for `--mapping`; nil where no array looks like depth.
  public var mapping: String?

  /// Reads the first map of each array that has the shape of maps.
  /// - Throws: `FathomError` `.badData` where it is not an HDF5 file, or cannot be read.
  public init(of path: String) throws(FathomError) {
    self.path = path
    let described: [StoredArray.Described]
    do throws(PictureFault) { described = try StoredArray.arrays(of: path) } catch {
      throw FathomError(
        error.kind, attempted: "inspect the file", file: path, reason: error.reason,
        advice: "check that it is HDF5 and whole")
    }
    let file = URL(fileURLWithPath: path).lastPathComponent
    let isColumnMajor = ForeignFile.kind(of: path)?.contains("MATLAB") ?? false
    let guesses = described.prefix(Self.mostLooked).map {
      ArrayGuess($0, in: path, named: file, isColumnMajor: isColumnMajor)
    }
    arrays = described.enumerated().map { index, array in
      ForeignArray(
        name: array.name, shape: array.shape, type: "\(array.type)",
        values: index < guesses.count ? guesses[index].values : nil,
        role: index < guesses.count ? guesses[index].role : nil)
    }
    mapping = MappingProposal(guesses, file: file)?.text
  }

  /// A file may hold an array for each of ten thousand frames, which say the same.
  private static let mostLooked = 400
}

/// What an array of a foreign file may be, by its name, shape and range.
struct ArrayGuess {
  let name: String, shape: [Int], isReal: Bool, bits: Int
  /// nil where it has not the shape of maps.
  let axes: [ArraySource.Axis]?
  /// Of the first map.
  private(set) var values: ValueSummary?
  /// The largest finite number of the first map.
  private(set) var largest = 0.0
  private(set) var role: ForeignInspection.Role?
  /// Smaller ones are tables.
  private static let smallestSide = 16

  init(_ array: StoredArray.Described, in path: String, named file: String, isColumnMajor: Bool) {
    (name, shape) = (array.name, array.shape)
    let isSigned: Bool
    switch array.type {
    case .integer(let width, let signed, _): (isReal, bits, isSigned) = (false, width, signed)
    case .float(let width, _): (isReal, bits, isSigned) = (true, width, true)
    case .string, .other: (isReal, bits, isSigned) = (false, 0, false)
    }
    let last = array.name.split(separator: "/").last.map { $0.lowercased() } ?? ""
    // "dataset" says nothing; the file's name may.
    let words = ["dataset", "data", "values", "array"].contains(last) ? file.lowercased() : last
    func says(_ names: String...) -> Bool { names.contains { words.contains($0) } }
    let hasColours = bits == 8 && !isSigned
    axes = bits == 0 ? nil : Self.axes(array.shape, hasColours: hasColours, isColumnMajor: isColumnMajor)
    guard let axes else {
      if bits > 0 {
        let tail = array.shape.suffix(2)
        if tail == [3, 3], says("intrinsic", "k", "cam") { role = .intrinsics }
        if tail == [4, 4] || tail == [3, 4], says("pose", "extrinsic", "cam", "world", "transform") {
          role = .poses
        }
      }
      return
    }
    if axes.contains(.channel) {
      if hasColours, says("rgb", "colo", "image", "img", "dataset") { role = .pictures }
      return
    }
    read(
      StoredArray(
        path: path, array: name, layer: axes.contains(.frame) ? 0 : nil, axes: axes, shape: shape, bits: bits,
        isReal: isReal, isSigned: isSigned))
    if says("conf"), bits <= 32 {
      role = .confidence
    } else if bits > 8, says("gt", "truth", "ground", "laser", "highres"), !says("disp") {
      role = .truth
    } else if bits > 8, says("depth", "distance", "range", "lidar", "tof") || words == "z",
      !says("disp", "inv")
    {
      role = .depth
    }
  }

  /// Which axis is which; nil for what has not the shape of maps.
  private static func axes(_ shape: [Int], hasColours: Bool, isColumnMajor: Bool) -> [ArraySource.Axis]? {
    func isSide(_ extent: Int) -> Bool { (smallestSide...65_536).contains(extent) }
    func isColour(_ extent: Int) -> Bool { hasColours && (extent == 3 || extent == 4) }
    // MATLAB's first index runs fastest: rows and columns come turned.
    let map: [ArraySource.Axis] = isColumnMajor ? [.width, .height] : [.height, .width]
    switch shape.count {
    case 2 where shape.allSatisfy(isSide): return map
    case 3 where isSide(shape[0]) && isSide(shape[1]) && isColour(shape[2]): return map + [.channel]
    case 3 where isColour(shape[0]) && isSide(shape[1]) && isSide(shape[2]): return [.channel] + map
    case 3 where isSide(shape[1]) && isSide(shape[2]): return [shape[0] == 1 ? .single : .frame] + map
    case 3 where isSide(shape[0]) && isSide(shape[1]): return map + [shape[2] == 1 ? .single : .frame]
    case 4 where isSide(shape[1]) && isSide(shape[2]) && isColour(shape[3]):
      return [.frame] + map + [.channel]
    case 4 where isSide(shape[1]) && isSide(shape[2]) && shape[3] == 1: return [.frame] + map + [.single]
    case 4 where isSide(shape[2]) && isSide(shape[3]) && isColour(shape[1]): return [.frame, .channel] + map
    case 4 where isSide(shape[2]) && isSide(shape[3]) && shape[1] == 1: return [.frame, .single] + map
    default: return nil
    }
  }

  private mutating func read(_ first: StoredArray) {
    guard first.size.isWithin(SchemaLimits.mapPixels), let map = try? first.map() else { return }
    let numbers = map.values
    largest = numbers.filter(\.isFinite).max() ?? 0
    let valid = numbers.filter { $0.isFinite && $0 > 0 && $0 < 1e9 }.sorted()
    values = ValueSummary(
      validShare: Double(valid.count) / Double(max(1, numbers.count)), minimum: valid.first,
      median: valid.isEmpty ? nil : valid[(valid.count - 1) / 2], maximum: valid.last)
  }
}
