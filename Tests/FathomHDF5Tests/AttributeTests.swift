import FathomHDF5
import FathomTestSupport
import Testing

@Suite struct AttributeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func numbersAndStringsSurviveARoundTrip() throws {
    let path = folder.path("attributes.h5")
    let file = try HDF5File(creating: path)
    try file.createGroup("scene")
    let values: [String: HDF5Attribute] = [
      "text": .string("Tür 3 — größer"), "empty": .string(""), "count": .integer(-7), "scale": .real(0.001),
      "size": .integers([1920, 1440]),
      "words": HDF5Attribute(shape: [2], elements: .strings(["a", "bc"])),
      "matrix": HDF5Attribute(shape: [2, 2], elements: .reals([1, 2, 3, 4])),
    ]
    for (name, value) in values { try file.setAttribute(name, of: "scene", to: value) }
    try file.setAttribute("format", to: .string("fathom"))
    try file.close()

    let reopened = try HDF5File(readingFrom: path)
    for (name, value) in values { #expect(try reopened.attribute(name, of: "scene") == value) }
    #expect(try reopened.attribute("format")?.string == "fathom")
    #expect(try reopened.attribute("absent", of: "scene") == nil)
    #expect(try reopened.attribute("size", of: "scene")?.reals == [1920, 1440])
    #expect(try reopened.attribute("size", of: "scene")?.summary == "[1920, 1440]")
    #expect(try reopened.attribute("text", of: "scene")?.real == nil)
  }

  @Test func anAttributeOfAMissingObjectIsAnError() throws {
    let file = try HDF5File(creating: folder.path("missing.h5"))
    let error = try #require(throws: HDF5Error.self) { _ = try file.attribute("kind", of: "nowhere") }
    #expect(error.operation == "H5Aexists_by_name")
    #expect(!error.stack.isEmpty)
  }
}
