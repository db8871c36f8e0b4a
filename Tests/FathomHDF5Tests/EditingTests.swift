import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

@Suite("Editing a file in place")
struct EditingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file() throws -> String {
    let path = folder.path("file.h5")
    let file = try HDF5File(creating: path)
    try file.createDataset("stack", shape: [4, 2], of: Int64.self, chunk: [1, 2], compression: 4)
      .write([Int64.max, 1, 20, 21, 30, 31, 40, .min])
    try file.writeStrings(["a", "längerer Name", "", "d"], to: "names")
    try file.setAttribute(
      "texts", of: "stack", to: HDF5Attribute(shape: [2], elements: .strings(["x", "yz"])))
    try file.setAttribute("count", of: "stack", to: .integer(7))
    try file.close()
    return path
  }

  @Test(
    "entries of numbers and of texts are put in any order, exactly",
    arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 0, 3], [1, 2, 3, 0], [2, 3, 0, 1]])
  func reordering(_ order: [Int]) throws {
    let path = try file()
    let numbers: [Int64] = [Int64.max, 1, 20, 21, 30, 31, 40, .min]
    let names = ["a", "längerer Name", "", "d"]
    let file = try HDF5File(updating: path)
    try file.dataset("stack").reorderEntries(order)
    try file.dataset("names").reorderEntries(order)
    try file.close()
    let read = try HDF5File(readingFrom: path)
    #expect(try read.dataset("stack").read(as: Int64.self) == order.flatMap { numbers[2 * $0...2 * $0 + 1] })
    #expect(try read.dataset("names").readStrings() == order.map { names[$0] })
  }

  @Test("a dataset like another one has its type, and its attributes once they are copied")
  func likeAnother() throws {
    let file = try HDF5File(updating: try file())
    let model = try file.dataset("stack")
    let copy = try file.createDataset("copy", shape: [3], like: model)
    #expect(copy.storedType == model.storedType && copy.shape == [3])
    try file.copyAttributes(of: "stack", to: "copy")
    #expect(try file.attributeNames(of: "copy") == ["count", "texts"])
    for name in ["count", "texts"] {
      #expect(try file.attribute(name, of: "copy") == file.attribute(name, of: "stack"))
    }
    // They exist now.
    #expect(throws: HDF5Error.self) { try file.copyAttributes(of: "stack", to: "copy") }
    try file.copyAttributes(of: "names", to: "copy")
    try file.move("copy", to: "moved")
    #expect(try file.attribute("count", of: "moved") == .integer(7))
    #expect(try file.kind(of: "copy") == nil)
  }
}
