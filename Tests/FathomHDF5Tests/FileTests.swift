import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

@Suite struct FileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func cause(ofOpening path: String) throws -> HDF5Error.Cause {
    try #require(throws: HDF5Error.self) { _ = try HDF5File(readingFrom: path) }.cause
  }

  @Test func membersAreListedByNameAndTold() throws {
    let path = folder.path("groups.h5")
    let file = try HDF5File(creating: path)
    for group in ["scenes", "scenes/b", "scenes/a", "scenes/ü"] { try file.createGroup(group) }
    try file.createDataset("scenes/a/v", shape: [], of: Float.self).write([Float(2)])
    #expect(try file.members(of: "scenes") == ["a", "b", "ü"])
    #expect(try file.members() == ["scenes"])
    #expect(try file.kind(of: "scenes/a") == .group)
    #expect(try file.kind(of: "scenes/a/v") == .dataset)
    #expect(try file.kind(of: "scenes/a/w") == nil)
    #expect(try file.kind(of: "nothing/at/all") == nil)
    #expect(try file.kind(of: "scenes/a/v/w") == nil)
    #expect(try file.dataset("scenes/a/v").read(as: Double.self) == [2])
  }

  @Test func theCauseOfAFailureIsTold() throws {
    #expect(try cause(ofOpening: folder.path("absent.h5")) == .noSuchFile)

    let text = folder.path("text.h5")
    try Data("this is not an HDF5 file, whatever its name says".utf8).write(to: URL(filePath: text))
    #expect(try cause(ofOpening: text) == .notHDF5)

    let empty = folder.path("empty.h5")
    try Data().write(to: URL(filePath: empty))
    #expect(try cause(ofOpening: empty) == .notHDF5)

    let whole = folder.path("whole.h5")
    let file = try HDF5File(creating: whole)
    try file.createDataset("v", shape: [4096], of: Double.self).write([Double](repeating: 1, count: 4096))
    try file.close()
    let half = folder.path("half.h5")
    try Data(contentsOf: URL(filePath: whole)).prefix(9000).write(to: URL(filePath: half))
    #expect(try cause(ofOpening: half) == .truncated)
  }

  @Test("what the system failed in is told by its number, in whatever language")
  func systemNumbers() {
    func cause(_ name: String, _ number: Int32) -> HDF5Error.Cause {
      HDF5Error(
        operation: "H5Dwrite", object: "v",
        stack: [
          "H5Dwrite: can't write data",
          "H5FD__sec2_write: file write failed: time = Fri, filename = '\(name)', file descriptor = 3, "
            + "errno = \(number), error message = 'Alles voll', buf = 0x7f, total write size = 8",
        ]
      ).cause
    }
    for number in [ENOSPC, EFBIG, EDQUOT] { #expect(cause("a.h5", number) == .noSpace) }
    #expect(cause("a.h5", ENOENT) == .noSuchFile)
    #expect(cause("a.h5", EACCES) == .noPermission)
    #expect(cause("a.h5", EWOULDBLOCK) == .locked)
    #expect(cause("a.h5", EIO) == .other)
    // A name says nothing.
    #expect(cause("No space left, errno = 28, quota.h5", EACCES) == .noPermission)
    #expect(HDF5Error(operation: "H5Dwrite", object: "v", stack: ["No space left"]).cause == .other)
  }

  @Test func equalContentGivesEqualBytes() throws {
    func write(_ name: String) throws -> Data {
      let file = try HDF5File(creating: folder.path(name))
      try file.createGroup("g")
      try file.setAttribute("format", to: .string("fathom"))
      try file.writeStrings(["x", "y"], to: "g/names")
      try file.createDataset("g/v", shape: [2, 3], of: Float.self, chunk: [1, 3], compression: 4)
        .write([Float](repeating: 0.1, count: 6))
      try file.close()
      return try Data(contentsOf: URL(filePath: folder.path(name)))
    }
    let first = try write("first.h5")
    Thread.sleep(forTimeInterval: 1.1)  // HDF5's object times have a resolution of one second
    #expect(try write("second.h5") == first)
  }
}

/// Locks of files, which belong to open descriptions and so to every duplicate of a descriptor.
extension FileTests {
  @Test func aFileThatIsBeingWrittenElsewhereIsLocked() throws {
    let path = folder.path("busy.h5")
    try HDF5File(creating: path).close()
    let elsewhere = open(path, O_RDWR)
    defer { close(elsewhere) }
    #expect(flock(elsewhere, LOCK_EX) == 0)
    #expect(try cause(ofOpening: path) == .locked)
  }

  @Test func aClosedFileIsFreeThoughAChildInheritedItsDescriptor() throws {
    let path = folder.path("inherited.h5")
    let file = try HDF5File(creating: path)
    try file.createGroup("g")
    let descriptor = try #require(
      (0..<1024).first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      })
    let inherited = dup(Int32(descriptor))  // as a child process would have it
    defer { close(inherited) }
    try file.close()
    #expect(try HDF5File(readingFrom: path).members() == ["g"])
  }
}
