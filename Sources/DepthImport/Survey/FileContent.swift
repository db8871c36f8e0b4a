internal import FathomArchives
package import DepthCore
internal import DepthDataset
package import FathomMapFiles
package import FathomPictureFiles

/// What the files of a group hold, as one of them shows.
package enum FileContent: Sendable {
  /// Numbers of one channel, one a pixel.
  case map(MapHeader, MapNumbers?)
  /// Pictures with colours.
  case picture(RasterSize)
  /// Numbers as text, JSON, YAML or a small array.
  case numbers(NamedNumbers)
  /// "an HDF5 file", "a ROS bag", "several maps in a file".
  case other(String)
  /// Bytes that begin as no format does: how they begin.
  case unknown(String)

  /// Looks into one file of a folder, whatever its name says.
  package init(_ name: String, of folder: RecordingFolder) {
    let path = folder.path(of: name)
    let ends: FileBytes.Ends
    do throws(PictureFault) { ends = try FileBytes.Ends(path) } catch {
      self = .other(error.reason)
      return
    }
    if let kind = ForeignKind.leftover(ends.first) {
      self = .other(kind.title)
      return
    }
    if Self.mayBeNumbers(ends) {
      let numbers = ends.fileSize <= Self.mostNumberBytes ? try? NamedNumbers(at: path) : nil
      self = numbers.map { $0.holdsSomething ? .numbers($0) : .other("text") } ?? .other("text")
      return
    }
    let isHDF5 = MapFormat.hdf5.begins(ends.first)
    if !MapFormat.matlab.begins(ends.first), !isHDF5,
      let kind = ForeignKind(ends.first, ending: FileEnding.of(name))?.title ?? ForeignFile.kind(ends.first)
    {
      self = .other(kind)
    } else if FileEnding.of(name) != "npz", UnpackedArchive.isArchive(path) {
      self = .other(Self.archive)
    } else if !MapFormat.begins(ends), let size = try? PictureFile.size(at: path) {
      self = .picture(size)
    } else if !MapFormat.begins(ends), FileEnding.of(name) != "npz" {
      self = .unknown(MapFormat.refusal(of: ends.first))
    } else {
      do throws(PictureFault) {
        let header = try MapFormat.header(ofFrameAt: path)
        if header.hasColours {
          self = header.bits == 8 ? .picture(header.size) : .other(header.form)
        } else {
          self = .map(header, nil)
        }
      } catch {
        let numbers = FileEnding.of(name) == "npz" ? try? NamedNumbers(at: path) : nil
        self = numbers.map { .numbers($0) } ?? .other(isHDF5 ? ForeignFile.hdf5 : error.reason)
      }
    }
  }

  static let archive = "an archive"
  /// Larger texts are meshes and logs of sensors.
  private static let mostNumberBytes = 8 << 20

  /// Whether it is text, or an array of numpy that has the shape of matrices or of a table of poses.
  private static func mayBeNumbers(_ ends: FileBytes.Ends) -> Bool {
    if ends.first.starts(with: NumpyArray.signature) {
      guard
        let array = try? NumpyArray(
          ends.first, fileSize: ends.fileSize, allowsStacks: true, allowsVectors: true)
      else { return false }
      let (width, height) = (array.size.width, array.size.height)
      return width == 1 || (3...4).contains(width) && height <= 4
        || [6, 7, 8, 9, 12, 16].contains(width) && (height == 1 || height > width) && array.layerCount == 1
    }
    if MapFormat.table.begins(ends.first) || MapFormat.openCV.begins(ends.first) { return false }
    return !ends.first.isEmpty && ends.first.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
  }
}

extension NamedNumbers {
  /// Whether there is any number.
  fileprivate var holdsSomething: Bool { !entries.isEmpty || table?.rows.contains { !$0.isEmpty } ?? false }
}

/// What the numbers of some maps of a group have in common.
package struct MapNumbers: Sendable {
  /// Of what is finite and above 0.
  let minimum: Double, median: Double, maximum: Double
  /// Shares of all pixels.
  let valid: Double, negative: Double
  let areWhole: Bool
  /// Whether every count is a multiple of 8: its lowest three bits hold nothing, as in SUN3D's rotated millimetres.
  let areMultiplesOf8: Bool
  /// The largest number, where it can be no length: Blender writes 1e10 where nothing is.
  let fill: Double?
  /// Different numbers; nil where there are more than a few.
  package let levels: Set<Double>?

  /// Of the first map, the last and one between them.
  /// - Throws: `PictureFault` where one cannot be read, or none has a number above 0.
  package init(_ names: [String], of folder: RecordingFolder) throws(PictureFault) {
    var numbers: [Double] = []
    for index in Set([0, names.count / 2, names.count - 1]).sorted() {
      numbers += try folder.map(names[index]).values
    }
    let positive = numbers.filter { $0.isFinite && $0 > 0 && $0 < 1e9 }.sorted()
    guard let first = positive.first, let last = positive.last
    else { throw PictureFault("no number in it is above 0") }
    (minimum, maximum, median) = (first, last, positive[positive.count / 2])
    valid = Double(positive.count) / Double(numbers.count)
    // −∞ is what stereo cameras write for too near.
    negative = Double(numbers.count { $0.isFinite && $0 < 0 }) / Double(numbers.count)
    areWhole = positive.allSatisfy { $0 == $0.rounded() }
    areMultiplesOf8 = areWhole && last > 64 && positive.allSatisfy { $0.remainder(dividingBy: 8) == 0 }
    fill = numbers.filter { $0.isFinite && $0 >= 1e9 }.max()
    var levels: Set<Double> = []
    for number in numbers where number.isFinite {
      levels.insert(number)
      if levels.count > Self.mostLevels { break }
    }
    self.levels = levels.count > Self.mostLevels ? nil : levels
  }

  private static let mostLevels = 32
}
