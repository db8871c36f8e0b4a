private import Foundation
internal import DepthImport
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomPlainText
internal import FathomStorage

/// A file of lines `prediction truth [image]`, as papers publish them.
struct MapSetList {
  let path: String
  private(set) var truth: [MapSide.File] = []
  /// By networks.
  private(set) var predictions: [[MapSide.File]]
  /// Empty where no line names one.
  private(set) var images: [MapSide.File] = []

  /// - Throws: `FathomError` `.noInput` where a file is not there; `.badData` where a line says too little or too much.
  init(_ path: String, _ request: MapSetRequest, _ archives: MapArchives) throws(FathomError) {
    func folder(_ path: String?) -> String? { path.map { archives.folders[$0] ?? $0 } }
    self.path = path
    predictions = request.predictions.map { _ in [] }
    var lines = request.predictions.map { _ in [String: Int]() }
    var read = try Self.lines(path)
    // A first line that names columns orders those of the others.
    if let order = read.first.flatMap({ Self.columns($0.words) }) {
      read = read.dropFirst().map { line in
        (line.number, order.compactMap { line.words.indices.contains($0) ? line.words[$0] : nil })
      }
    }
    for (number, words) in read {
      var own = [String?](repeating: nil, count: request.predictions.count)
      var others: [String] = []
      for word in words {
        let named = request.predictions.firstIndex { word.hasPrefix("\($0.name ?? "")=") }
        if let named {
          own[named] = String(word.dropFirst((request.predictions[named].name ?? "").count + 1))
        } else {
          others.append(word)
        }
      }
      // Without names, the first is every network's, each in its own folder.
      if own.allSatisfy({ $0 == nil }), !others.isEmpty {
        own = own.map { _ in others[0] }
        others.removeFirst()
      }
      guard (1...2).contains(others.count), !own.contains(nil) else {
        throw Self.failure(
          path, "line \(number) is not `prediction truth [image]`",
          "write a prediction, its truth and, where there is one, its image; for several networks NAME=prediction"
        )
      }
      for (index, name) in own.enumerated() {
        let file = try file(name ?? "", folder(request.predictions[index].path), number)
        if let other = lines[index].updateValue(number, forKey: file.path) {
          throw Self.failure(
            path, "lines \(other) and \(number) name one prediction, \(file.name)", "give each truth its own")
        }
        predictions[index].append(file)
      }
      truth.append(try file(others[0], folder(request.truth?.path), number))
      guard others.count > 1 else { continue }
      images.append(try file(others[1], folder(request.images ?? request.truth?.path), number))
    }
    guard !truth.isEmpty else { throw Self.failure(path, "it holds no lines", "write one for each frame") }
    // The folder that all of them share does not name a scene.
    let leading = MapSide.common(truth.map(\.folder))
    truth = truth.map { file in
      var file = file
      file.folder.removeFirst(leading)
      return file
    }
    guard images.isEmpty || images.count == truth.count else {
      throw Self.failure(
        path, "\(images.count) of \(truth.count) lines name an image", "name one in every line, or in none")
    }
  }

  /// The words of each line with its number. Tabs or commas part them where there are any, else spaces.
  /// - Throws: `FathomError` `.noInput` where it cannot be read.
  static func lines(_ path: String) throws(FathomError) -> [(number: Int, words: [String])] {
    let text: String
    do throws(PictureFault) { text = try FileBytes.text(path) } catch {
      throw failure(
        path, error.reason, "give a text file", kind: error.kind == .badData ? .noInput : error.kind)
    }
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .compactMap { index, line in
        let separator: Character? = ["\t", ","].first(where: line.contains)
        let words = line.split { separator == nil ? $0.isWhitespace : $0 == separator }
          .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return words.first.map { $0.hasPrefix("#") } ?? true ? nil : (index + 1, words)
      }
  }

  /// Where "image,depth,pred" has the prediction, the truth and the image; nil where a line is not such a heading.
  private static func columns(_ words: [String]) -> [Int]? {
    let kinds = words.map { GroupRole.kind(namedIn: GroupRole.nameWords($0))?.0 }
    guard words.allSatisfy({ !$0.contains(".") && !$0.contains("/") }),
      let prediction = kinds.firstIndex(of: .prediction),
      let truth = kinds.firstIndex(of: .truth) ?? kinds.firstIndex(of: .depth)
    else { return nil }
    return [prediction, truth] + (kinds.firstIndex(of: .colour).map { [$0] } ?? [])
  }

  /// A file by its name in the list.
  /// - Parameter folder: The folder of its side.
  private func file(_ name: String, _ folder: String?, _ line: Int) throws(FathomError) -> MapSide.File {
    let folders = name.hasPrefix("/") ? [] : [folder, PathText.folder(of: path)].compactMap(\.self)
    let places = folders.map { $0 + "/" + name } + [name]
    var isFolder: ObjCBool = false
    let found = places.first {
      FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
    }
    guard let found else {
      throw Self.failure(
        path, "line \(line) names \(name), and there is no such file", "check the path", kind: .noInput)
    }
    return MapSide.file(name, at: found)
  }

  static func failure(
    _ path: String, _ reason: String, _ advice: Wording, kind: FathomError.Kind = .badData
  ) -> FathomError {
    FathomError(kind, attempted: "read the list", file: path, reason: "\(reason)", advice: advice)
  }
}
