internal import DepthCore
internal import DepthDataset
private import Foundation
internal import FathomMapFiles
internal import FathomStorage

extension FolderRecording.SceneDecoder {
  /// What tells whether frames would be decoded to the same numbers again: the files' names, sizes and times, and what is done with
  /// them. 64 hexadecimal digits.
  func fingerprint(_ range: Range<Int>) -> String {
    let decoder = plan.decoder
    var header = plan.header.part(range)
    // What happened to frames of other parts changes nothing here.
    header.importRecord = nil
    var lines = ["\(header)", "\(decoder.depth.words)", "\(decoder.truth?.words ?? "")"]
    lines.append(
      "\(String(describing: decoder.confidence)) \(decoder.predictions) \(String(describing: decoder.turn))")
    lines += [decoder.depthReader, decoder.confidenceReader, decoder.truthReader].map(\.words)
    lines += decoder.predictions.map { decoder.predictionReaders[$0.name]?.words ?? "" }
    let folder = decoder.folder
    var seen: [String: String] = [:]
    func state(_ path: String) -> String {
      if let known = seen[path] { return known }
      var status = stat()
      let words =
        stat(path, &status) == 0
        ? "\(path) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)" : path
      seen[path] = words
      return words
    }
    if folder.isUnpacked { lines.append(state(folder.source)) }
    if let video = decoder.video { lines.append(state(folder.path(of: video.name))) }
    for index in range {
      var frame = plan.frames[index]
      // A dictionary has no order.
      lines += frame.numbers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      frame.numbers = [:]
      lines.append("\(frame)")
      // What was unpacked has the time of unpacking.
      if !folder.isUnpacked {
        let files =
          [frame.depth, frame.confidence, frame.picture, frame.truth].compactMap(\.self) + frame.predictions
        lines += files.map { state(folder.path(of: folder.fileName(of: $0))) }
      }
      lines += decoder.maps.map { maps in
        var (request, file) = (maps.request, maps.file(of: index))
        if let root = request.unpacked {
          file = file.map { state(request.path) + $0.dropFirst(root.count) }
          request.unpacked = nil
        } else {
          file = file.map(state)
        }
        return "\(request) \(maps.meaning) \(file ?? "")"
      }
    }
    return Digest.hexadecimal(Array(lines.joined(separator: "\n").utf8))
  }
}

extension MapReader {
  fileprivate var words: String { "\(String(describing: raw)) \(reading.words) \(invalid.sorted())" }
}

extension DepthDecoding {
  /// What it does, without its table.
  fileprivate var words: String { "\(metresPerUnit) \(offset) \(invalid.sorted()) \(kind)" }
}
