import DepthDataset
import DepthReport
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// Data sets that lead to other files. h5py makes them: Fathom writes none.
@Suite(
  "data in other files", .enabled(if: PackageFiles.python != nil, Comment(rawValue: PackageFiles.noPython)))
struct ExternalFileTests {
  let folder: TemporaryFolder
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("other.h5"))
  }

  /// A copy of the sample after some lines of Python, in which `f` is the file and `path` the truth of its first scene.
  private func file(_ name: String, _ lines: String) throws -> String {
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path(name))
    let script = """
      import h5py, numpy as np
      with h5py.File('\(folder.path(name))', 'r+') as f:
          path = 'scenes/room-01/truth/depth'
          attributes, values = dict(f[path].attrs), f[path][...].astype('<f4')
          del f[path]
      \(lines.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
      """
    let process = Process()
    process.executableURL = PackageFiles.python
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return folder.path(name)
  }

  private static let link = "f[path] = h5py.ExternalLink('other.h5', '/' + path)"
  private static let virtual = """
    layout = h5py.VirtualLayout(values.shape, 'f4')
    layout[:] = h5py.VirtualSource('other.h5', '/' + path, shape=values.shape)
    f.create_virtual_dataset(path, layout)
    f[path].attrs.update(attributes)
    """
  private var storage: String {
    """
    values.tofile('\(folder.path("raw.bin"))')
    f.create_dataset(path, values.shape, '<f4', external=[('\(folder.path("raw.bin"))', 0, values.nbytes)])
    f[path].attrs.update(attributes)
    """
  }
  private static let behind = """
    f['out'] = h5py.ExternalLink('other.h5', '/')
    f[path] = h5py.SoftLink('/out/' + path)
    """

  @Test("is refused by name, by every command, before it is read")
  func refused() async throws {
    let cases = [
      ("link", Self.link, "it is an external link to 'other.h5'"),
      ("virtual", Self.virtual, "it is a virtual dataset"),
      ("storage", storage, "it is a dataset whose numbers lie in the file '\(folder.path("raw.bin"))'"),
      ("behind", Self.behind, "it is an external link to 'other.h5'"),
    ]
    for (name, lines, words) in cases {
      let path = try file(name + ".h5", lines)
      for command in ["inspect", "diagnose", "evaluate", "calibrate", "tune", "render"] {
        let output = ["evaluate", "calibrate", "tune", "render"].contains(command)
        let failure = await run(
          [command, path, "--quiet"] + (output ? ["--output", folder.path("out-\(command)")] : []))
        #expect(failure?.code == Failure.badData, "\(command) \(name)")
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("--allow-external") == true)
      }
      #expect(!folder.names.contains { $0.hasPrefix("out-") })
    }
  }

  @Test("is read as if it lay in the file where that is allowed, and is named and hashed")
  func followed() async throws {
    #expect(await evaluate(sample, to: "whole") == nil)
    let expected = try summary("whole")
    let cases = [
      ("link", Self.link, "other.h5"), ("virtual", Self.virtual, "other.h5"),
      ("storage", storage, folder.path("raw.bin")), ("behind", Self.behind, "other.h5"),
    ]
    for (name, lines, other) in cases {
      let path = try file(name + ".h5", lines)
      #expect(await run("inspect", path, "--quiet", "--allow-external") == nil)
      #expect(await evaluate(path, to: name, "--allow-external") == nil)
      #expect(try summary(name) == expected)
      let data = try Data(contentsOf: URL(fileURLWithPath: folder.path(name + "/run.json")))
      let inputs = try #require(
        (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["inputs"] as? [[String: Any]])
      let external = try #require(inputs.first?["external"] as? [[String: String]])
      let place = other.hasPrefix("/") ? other : folder.path(other)
      #expect(external == [["file": other, "sha256": try FileDigest.sha256(ofFile: place)]])
    }
  }

  @Test(
    "beside the data only, unless a folder is named: elsewhere it is refused by name, and cannot be opened")
  func elsewhere() async throws {
    let other = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: sample, toPath: other.path("other.h5"))
    try FileManager.default.createDirectory(atPath: folder.path("below"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: sample, toPath: folder.path("below/other.h5"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("beside.h5"), withDestinationPath: other.path("other.h5"))
    let place = try #require(ExternalFolders.resolved(other.url.path))
    #expect(await evaluate(sample, to: "whole") == nil)
    let expected = try summary("whole")
    let cases = [
      ("link", Self.link.replacingOccurrences(of: "other.h5", with: other.path("other.h5"))),
      ("virtual", Self.virtual.replacingOccurrences(of: "other.h5", with: other.path("other.h5"))),
      ("storage", storage.replacingOccurrences(of: folder.path("raw.bin"), with: other.path("raw.bin"))),
      ("through a link beside it", Self.link.replacingOccurrences(of: "other.h5", with: "beside.h5")),
      (
        "up",
        Self.link.replacingOccurrences(
          of: "other.h5", with: "below/../../\(other.url.lastPathComponent)/other.h5")
      ),
    ]
    for (name, lines) in cases {
      let path = try file(name + ".h5", lines)
      for command in ["inspect", "diagnose"] {
        let failure = await run(command, path, "--quiet", "--allow-external")
        #expect(failure?.code == Failure.badData, "\(command) \(name)")
        #expect(
          failure?.message.contains("which lies outside of the folders that may be read") == true,
          "\(name): \(failure?.message ?? "accepted")")
        #expect(failure?.message.contains("--external-folder \(place)") == true)
      }
      #expect(await evaluate(path, to: "named-" + name, "--external-folder", other.url.path) == nil)
      #expect(try summary("named-" + name) == expected)
      // The same by a reader of its own.
      guard BuiltCommand.path != nil else { continue }
      let words = ["inspect", path, "--quiet"]
      let refused = try BuiltCommand(words + ["--allow-external"], in: folder.url, seconds: 60)
      #expect(refused.code == 65 && refused.errorLines.count == 1, "\(name): \(refused.errors)")
      let read = try BuiltCommand(words + ["--external-folder", place], in: folder.url, seconds: 60)
      #expect(read.code == 0, "\(name): \(read.errors)")
    }
    // Below the data it is beside them; a folder that is named is the only one.
    let path = try file("below.h5", Self.link.replacingOccurrences(of: "other.h5", with: "below/other.h5"))
    #expect(await run("inspect", path, "--quiet", "--allow-external") == nil)
    #expect(await run("inspect", path, "--quiet", "--external-folder", folder.path("below")) == nil)
    #expect(await run("inspect", path, "--quiet", "--external-folder", place)?.code == Failure.badData)
    #expect(await run("inspect", path, "--external-folder", folder.path("absent"))?.code == Failure.usage)
    #expect(await run("inspect", path, "--external-folder", path)?.code == Failure.usage)
  }

  private func evaluate(_ path: String, to name: String, _ options: String...) async -> Failure? {
    await run(
      [
        "evaluate", path, "--methods", "ols", "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet",
        "--output",
        folder.path(name),
      ] + options)
  }

  private func summary(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name + "/summary.csv"), encoding: .utf8)
  }

  @Test("traps are refused although it is allowed: devices, pipes, circles, patterns, missing files")
  func traps() async throws {
    try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
    let cases = [
      (
        "f.create_dataset(path, values.shape, '<f4', external=[('/dev/urandom', 0, values.nbytes)])",
        "'/dev/urandom', which is a device"
      ),
      ("f[path] = h5py.ExternalLink('pipe', '/' + path)", "'pipe', which is a pipe"),
      ("f[path] = h5py.ExternalLink('trap-2.h5', '/' + path)", "it is a link to"),
      ("f[path] = h5py.ExternalLink('absent.h5', '/' + path)", "'absent.h5', a file that does not exist"),
      (Self.virtual.replacingOccurrences(of: "other.h5", with: "."), "refers to itself"),
      (Self.virtual.replacingOccurrences(of: "other.h5", with: "trap-5.h5"), "refers to itself"),
      (Self.virtual.replacingOccurrences(of: "other.h5", with: "part-%%.h5"), "are a pattern"),
    ]
    for (index, (lines, words)) in cases.enumerated() {
      let path = try file("trap-\(index).h5", lines)
      for command in ["inspect", "diagnose"] {
        let failure = await run(command, path, "--quiet", "--allow-external")
        #expect(
          failure?.code == Failure.badData && failure?.message.contains(words) == true,
          "\(index): \(failure?.message ?? "accepted")")
      }
    }
  }

  @Test("another file that changes after it was followed is noticed")
  func changed() throws {
    let path = try file("link.h5", Self.link)
    let reader = try DatasetReader(readingFrom: path, external: .own)
    try reader.sources.requireUnchanged()
    #expect(reader.sources.externalNames == ["other.h5"])
    let handle = try #require(FileHandle(forWritingAtPath: folder.path("other.h5")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    let error = try #require(throws: FathomError.self) { try reader.sources.requireUnchanged() }
    #expect(
      error.kind == .badData && error.reason == "'other.h5', which it leads to, changed while it was read")
  }
}
