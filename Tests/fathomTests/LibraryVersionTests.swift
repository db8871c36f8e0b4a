import FathomTables
import DepthDataset
import DepthReport
import Testing

@testable import fathom

@Suite struct LibraryVersionTests {
  @Test func everyLibrarySaysANumber() {
    for (library, version) in LibraryVersions.all {
      #expect(version.wholeMatch(of: /[0-9]+(\.[0-9]+)+.*/) != nil, "\(library) \(version)")
    }
  }

  @Test func versionOfFathomStandsAlone() {
    let lines = LibraryVersions.described.split(separator: "\n")
    #expect(lines.first.map(String.init) == Version.current)
    #expect(lines.count == 3 + LibraryVersions.all.count)
    #expect(lines.dropLast().last?.hasPrefix("linear algebra ") == true)
    #expect(lines.last == "protections of readers: \(ReaderLayers.availableNames.joined(separator: ", "))")
  }
}
