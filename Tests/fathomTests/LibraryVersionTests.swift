import FathomTables
import DepthDataset
import DepthReport
import Testing

@testable import FathomLibraryVersions

@Suite struct LibraryVersionTests {
  @Test func everyLibrarySaysANumber() {
    for (library, version) in LibraryVersions.all {
      #expect(version.wholeMatch(of: /[0-9]+(\.[0-9]+)+.*/) != nil, "\(library) \(version)")
    }
  }

  @Test("the build is a commit, of modified sources or not, or unknown")
  func build() {
    #expect(Version.build.wholeMatch(of: /[0-9a-f]{40}(, modified)?|unknown/) != nil, "\(Version.build)")
  }

  @Test func versionOfFathomStandsAlone() {
    let lines = LibraryVersions.described.split(separator: "\n")
    #expect(lines.first.map(String.init) == Version.current)
    #expect(lines.dropFirst().first == "build \(Version.build)")
    #expect(lines.count == 4 + LibraryVersions.all.count)
    #expect(lines.dropLast().last?.hasPrefix("linear algebra ") == true)
    #expect(lines.last == "protections of readers: \(ReaderLayers.availableNames.joined(separator: ", "))")
  }
}
