internal import FathomArchives
internal import DepthDataset
internal import FathomMapFiles
public import FathomStorage

/// Archives of maps, each unpacked once into a temporary folder, which is there as long as this.
public struct MapArchives: Sendable {
  /// Where the files of an archive lie, by its path.
  package private(set) var folders: [String: String] = [:]
  private var owners: [any Sendable] = []

  /// The same, or the only folder in it: packers put the folder itself into the archive.
  func root(of path: String) -> String? {
    folders[path].map { root in root + (RecordingFolder.onlyFolder(root).map { "/" + $0 } ?? "") }
  }

  /// The same maps, of where the archive's files lie.
  public func applied(to request: MapRequest) -> MapRequest {
    var own = request
    own.unpacked = root(of: request.path)
    return own
  }

  /// Unpacks what is an archive, in the process that `ReaderProcess.executable` names, or in this one.
  /// - Throws: `FathomError` as `UnpackedArchive` does, and where the reader fails.
  public init(_ paths: [String]) throws(FathomError) {
    for path in paths
    where folders[path] == nil && FileEnding.of(path) != "npz" && UnpackedArchive.isArchive(path) {
      if let executable = ReaderProcess.executable {
        let (start, scratch) = try RecordingReader.start(RecordingRequest(path))
        var question = WireWriter()
        question.put(RecordingQuestion.unpack.rawValue)
        try RecordingReader.process(start, executable, noun: "archive", scratch: scratch).ask(question) { _ in
        }
        guard let scratch else { continue }
        (folders[path], owners) = (scratch.path, owners + [scratch])
      } else {
        let archive = try UnpackedArchive(path)
        (folders[path], owners) = (archive.folder, owners + [archive])
      }
    }
  }
}
