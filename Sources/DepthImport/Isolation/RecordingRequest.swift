internal import DepthDataset
internal import FathomMapFiles
import FathomPlainText
public import FathomStorage

/// A recording and what is said about it.
public struct RecordingRequest: Sendable, Codable {
  /// A folder or an archive; with a mapping also an HDF5 file.
  public var path: String
  /// Name of the format; nil where the files show it.
  public var format: String?
  /// File of a mapping, in the place of a format; its digest belongs to what is read.
  public var mapping: String?
  public var options = ImportOptions()
  /// - Parameter path: A folder, an archive, or a folder that holds nothing but an archive.
  public init(_ path: String) { self.path = RecordingFolder.onlyArchive(in: path) ?? path }

  /// Opens it, in the process that `ReaderProcess.executable` names, or in this one. Everything is checked but the pixels.
  /// - Throws: `FathomError` as ``FolderRecording`` does, and where the reader fails.
  public func opened() throws(FathomError) -> any Recording {
    do throws(FathomError) { return try opened(decodes: false) } catch { throw explained(error) }
  }

  private func opened(decodes: Bool) throws(FathomError) -> any Recording {
    if let refusal = ForeignPath.refusal(path, to: "read the recording") { throw refusal }
    let archives = try MapArchives(options.maps.map(\.path))
    var request = self
    request.options.maps = options.maps.map(archives.applied)
    if let executable = ReaderProcess.executable {
      return try RemoteRecording(request, executable, archives, decodes: decodes)
    }
    var recording = try request.here()
    recording.archives = archives
    return decodes ? try recording.decodable() : recording
  }

  /// The same without what cannot be decoded, as an import leaves it out.
  public func decodable() throws(FathomError) -> any Recording {
    do throws(FathomError) { return try opened(decodes: true) } catch { throw explained(error) }
  }

  /// The error of a folder that is a part of a recording names the recording.
  private func explained(_ error: FathomError) -> FathomError {
    guard error.kind == .badData, format == nil, mapping == nil, let outer = Recognition.outside(of: path)
    else { return error }
    return FathomError(
      .badData, attempted: "recognise the recording", file: path,
      reason: "it is a part of a recording: the folder that it lies in is \(outer.title)",
      advice: "give \(outer.path.shellQuoted)")
  }

  /// Reads it in this process.
  /// - Parameter unpacked: Where the files of an archive lie already; nil where they do not.
  /// - Parameter videos: Who looks into videos.
  func here(unpacked: String? = nil, videos: VideoAccess = .here) throws(FathomError) -> FolderRecording {
    if let mapping {
      return try FolderRecording(path, mappedBy: mapping, options, unpacked: unpacked, videos: videos)
    }
    return try FolderRecording(
      path, as: format.map { .format($0) } ?? .recognised, options, unpacked: unpacked, videos: videos)
  }

  /// What must be readable for it.
  var paths: [String] {
    [path, mapping, options.poses, options.intrinsics].compactMap(\.self).map(ImportOptions.absolute)
      + options.external.places(besides: path) + options.maps.flatMap(\.paths) + camerasBeside
  }

  /// Files beside the folder that a format, or the mapping, takes for its camera where they are there.
  private var camerasBeside: [String] {
    let names =
      mapping.map { Self.optionalCameras([try? MappingFile.mapping(at: $0)]) } ?? Self.camerasOfFormats
    return names.compactMap { RecordingFolder.file($0, besides: path) }
  }

  private static let camerasOfFormats = optionalCameras(((try? Preset.all()) ?? []).map(\.mapping))

  private static func optionalCameras(_ mappings: [RecordingMapping?]) -> [String] {
    mappings.compactMap { $0?.intrinsics }.filter(\.hasOptionalFile).compactMap(\.file)
  }
}
