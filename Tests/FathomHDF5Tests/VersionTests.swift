import Testing

@testable import FathomHDF5

@Suite struct VersionTests {
  @Test func theConstantIsWhatTheLibrarySays() {
    #expect(HDF5Version.linked == HDF5Version.asked)
  }

  @Test func versionsInWords() {
    let release = HDF5Version(major: 1, minor: 14, release: 4)
    for text in ["HDF5 library version: 1.14.4", "HDF5 library version: 1.14.4.3", "1.14.4-patch1"] {
      #expect(HDF5Version(inWords: text) == release)
    }
    for text in ["", "HDF5", "1.14", "a.b.c"] { #expect(HDF5Version(inWords: text) == nil) }
  }
}
