import Foundation
import LinearAlgebra
import Testing

@Suite("The libraries of linear algebra")
struct LinearAlgebraLibraryTests {
  @Test("are those that this process has loaded")
  func loaded() throws {
    let said = LinearAlgebraLibrary.description
    let files = said.prefix { $0 != ";" }.split(separator: ", ")
    #expect((1...2).contains(files.count))
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    for file in files {
      #expect(file.contains("/") && !file.hasPrefix("/"), "\(said)")
      #expect(maps.split(separator: "\n").contains { $0.hasSuffix("/\(file)") }, "\(said)")
    }
  }
}
