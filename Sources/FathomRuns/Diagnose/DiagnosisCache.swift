import DepthDataset
import DepthDiagnosis
import FathomRunFolders
import FathomStorage
import FathomTables
import Foundation

/// What was found about the conventions of scenes, kept between runs: data, build and seed determine it, whatever is evaluated.
///
/// A file for each scene, named by the digest of all that determines it. A file that was changed is ignored, and so is a folder that
/// cannot be written: the scene is diagnosed again then.
public struct DiagnosisCache: Sendable {
  package let folder: String
  /// The program and its linear algebra, which determine findings besides.
  private let build: [String]

  /// - Parameter folder: Made where it is not there.
  public init?(in folder: String) {
    // Sources that were changed after a commit have its name.
    var program = stat()
    guard stat("/proc/self/exe", &program) == 0 else { return nil }
    self.folder = folder
    build = [
      Version.name,
      "\(program.st_size) \(program.st_mtim.tv_sec) \(program.st_mtim.tv_nsec) \(program.st_ino)",
      RunManifest.ownLinearAlgebra,
    ]
  }

  /// The folder that `FATHOM_CACHE` names, or `fathom` in that of `XDG_CACHE_HOME` or in `~/.cache`; nil where `FATHOM_CACHE` is empty
  /// or none of them is an absolute path.
  public static var ofUser: DiagnosisCache? { ofUser(ProcessInfo.processInfo.environment) }

  package static func ofUser(_ environment: [String: String]) -> DiagnosisCache? {
    if let named = environment["FATHOM_CACHE"] { return named.isEmpty ? nil : Self(in: named) }
    let home = environment["HOME"].map { $0 + "/.cache" }
    let folders = [environment["XDG_CACHE_HOME"], home].compactMap(\.self)
    return folders.first { $0.hasPrefix("/") }.flatMap { Self(in: $0 + "/fathom") }
  }

  /// What is kept of the scenes of a data set.
  struct OfData: Sendable {
    let cache: DiagnosisCache
    /// Digest of the data and all files that they lead to; which truth is diagnosed, and with which seed.
    let data: String, truth: TruthOrigin, seed: UInt64

    /// - Parameter scene: As the data call it.
    func entry(_ scene: String) -> Entry {
      let text = (cache.build + [data, truth.rawValue, "\(seed)", scene]).joined(separator: "\n")
      return Entry(path: cache.folder + "/diagnosis-" + Digest.hexadecimal(Array(text.utf8)))
    }
  }

  /// What is kept of a scene.
  struct Entry: Sendable {
    fileprivate let path: String

    /// nil where nothing is kept.
    var findings: [Finding]? {
      guard let sealed = FileManager.default.contents(atPath: path),
        let bytes = SealedBytes.open(Array(sealed))
      else { return nil }
      utimensat(AT_FDCWD, path, nil, 0)  // The longest unused go first.
      return try? CanonicalJSON.value(from: String(decoding: bytes, as: UTF8.self))
    }

    /// To be asked when the data are known not to have changed since they were read.
    func keep(_ findings: [Finding]) {
      guard let text = try? CanonicalJSON.text(findings.said, isPretty: false, spellsNonFinite: true) else {
        return
      }
      let place = URL(fileURLWithPath: path)
      try? FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try? Data(SealedBytes.seal(Array(text.utf8))).write(to: place, options: .atomic)
    }
  }

  /// Takes away what was unused for longest, where more is kept than some thousand scenes.
  /// - Parameter most: Bytes that are kept.
  package func prune(most: Int = 64 << 20) {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files = try? FileManager.default.contentsOfDirectory(
      at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys))
    let known = (files ?? []).filter { $0.lastPathComponent.hasPrefix("diagnosis-") }.compactMap { file in
      (try? file.resourceValues(forKeys: keys)).map { (file, $0.fileSize ?? 0, $0.contentModificationDate) }
    }
    var bytes = known.reduce(0) { $0 + $1.1 }
    for (file, size, _) in known.sorted(by: { ($0.2 ?? .distantPast) < ($1.2 ?? .distantPast) }) {
      guard bytes > most else { return }
      try? FileManager.default.removeItem(at: file)
      bytes -= size
    }
  }
}

extension [Finding] {
  /// What a run says of them.
  var said: [Finding] {
    map { finding in
      var finding = finding
      (finding.readings, finding.witnesses, finding.flips, finding.correction) = ([], [], nil, nil)
      return finding
    }
  }
}
