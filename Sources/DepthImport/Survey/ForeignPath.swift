internal import FathomArchives
internal import FathomMapFiles
internal import FathomPictureFiles
import FathomPlainText
private import Foundation
public import FathomStorage

/// A path that is given where a recording or a data set belongs, and is neither.
public enum ForeignPath {
  /// What it is and what to give instead; nil where it may be a recording or a data set, or is not there.
  /// - Parameter attempted: "open the data set"
  public static func refusal(_ path: String, to attempted: String) -> FathomError? {
    func refused(_ reason: String, _ advice: Wording, _ kind: FathomError.Kind = .badData) -> FathomError {
      FathomError(kind, attempted: attempted, file: path, reason: "\(reason)", advice: advice)
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return path.contains("://")
        ? refused("it is an address, not a file", "download it, then give the file or the folder", .noInput)
        : nil
    }
    guard !isFolder.boolValue, let ends = try? FileBytes.Ends(path) else { return nil }
    let (ending, folder) = (FileEnding.of(path), Self.folder(of: path))
    if let kind = ForeignKind(ends.first, ending: ending) {
      return refused("it is \(kind.title)", kind.advice(for: path))
    }
    let maps: Wording =
      "give the folder of the recording (\(folder)); maps of a network are given beside it with \(option: "prediction") NAME=FILE"
    if ending == "npz", ends.first.starts(with: NumpyArchive.signature) {
      return refused("it is one file of numpy's arrays", maps)
    }
    guard !UnpackedArchive.isArchive(path), ForeignFile.kind(ends.first) == nil else { return nil }
    if let format = try? MapFormat(of: ends) {
      return refused("it is one file of maps (\(format.name))", maps)
    }
    if (try? PictureFile.size(at: path)) != nil { return refused("it is one picture", maps) }
    switch ending {
    case "yaml", "yml":
      return refused(
        "it is a text", "give the recording; a mapping is given beside it with \(option: "mapping")")
    case "csv", "tsv", "json", "jsonl", "txt", "log", "md":
      return refused(
        "it is a text, and a recording is a folder", "give the folder that it lies in: \(folder)")
    default: return nil
    }
  }

  private static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return folder.isEmpty ? "/" : folder.shellQuoted
  }
}
