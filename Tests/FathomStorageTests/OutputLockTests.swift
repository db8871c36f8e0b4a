import Foundation
import FathomTestSupport
import Testing

@testable import FathomStorage

@Suite("The lock of what is written")
struct OutputLockTests {
  @Test("is given up with its owner, though a process that was started meanwhile still has the file open")
  func inherited() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.partial")
    var inherited: Int32 = -1
    do {
      let lock = try OutputLock(path)
      // What a child has between fork and exec: the same open file.
      inherited = dup(lock.descriptor)
      #expect(throws: OutputLock.Refusal.self) { _ = try OutputLock(path) }
    }
    defer { close(inherited) }
    #expect(throws: Never.self) { _ = try OutputLock(path) }
  }
}
