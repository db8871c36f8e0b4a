internal import DepthCore
public import DepthImport
internal import FathomMapFiles
internal import FathomPlainText
public import FathomStorage
private import Foundation

extension IDMask {
  /// Reads `names.csv` in the folder, or beside the file, where there is one: lines `ID,NAME`.
  /// - Throws: `FathomError` `.badData` where a line is something else.
  public init(_ title: String, at path: String) throws(FathomError) {
    self.init(path: path, labels: PixelLabels(title: title))
    var isFolder: ObjCBool = false
    let files = FileManager.default
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    let table = (isFolder.boolValue ? path : PathText.folder(of: path)) + "/names.csv"
    guard files.fileExists(atPath: table) else { return }
    for (line, (number, words)) in try MapSetList.lines(table).enumerated() {
      // A head has no number.
      guard let id = Int(words[0]) else {
        if line == 0 { continue }
        throw MapSetList.failure(table, "line \(number) begins with no id", "write `ID,NAME` in every line")
      }
      guard words.count > 1, labels.names.updateValue(words[1], forKey: id) == nil else {
        throw MapSetList.failure(
          table, "line \(number) \(words.count > 1 ? "names \(id) again" : "has no name")",
          "write `ID,NAME` in every line")
      }
    }
  }
}
