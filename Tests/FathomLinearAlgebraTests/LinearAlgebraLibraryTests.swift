import Foundation
import FathomLinearAlgebra
import Testing

@Suite("The libraries of linear algebra")
struct LinearAlgebraLibraryTests {
  @Test("are those that this process has loaded")
  func loaded() throws {
    let said = LinearAlgebraLibrary.description
    let files = said.prefix { $0 != ";" }.split(separator: ", ")
    #expect((1...2).contains(files.count))
    // A file of /proc has no size to be read by.
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
    let maps = String(decoding: try #require(try handle.readToEnd()), as: UTF8.self)
    for file in files {
      #expect(file.contains("/") && !file.hasPrefix("/"), "\(said)")
      #expect(maps.split(separator: "\n").contains { $0.hasSuffix("/\(file)") }, "\(said)")
    }
  }
}
