import FathomHDF5
import FathomTestSupport
import Testing

/// HDF5's, h5py's and MATLAB's own files, where they are at hand.
@Suite(.enabled(if: PackageFiles.realData != nil, "no foreign files: set FATHOM_REAL_DATA"))
struct ForeignFileTests {
  @Test(arguments: [
    "Array", "Deflate_float_data", "Fletcher_float_data", "Nbit_float_data", "Shuffle_float_data",
    "Scale_offset_float_data", "Scale_offset_short_data", "Scale_offset_int_data",
  ])
  func bothByteOrdersGiveTheSameNumbers(_ name: String) throws {
    let file = try HDF5File(readingFrom: PackageFiles.realDataPath("sources/hdf5-features/le_data.h5"))
    let little = try file.dataset(name + "_le").read(as: Double.self)
    let big = try file.dataset(name + "_be").read(as: Double.self)
    #expect(little.count == 42)
    #expect(little == big)
    #expect(Set(little).count > 1)
  }

  @Test func halfPrecisionIsRead() throws {
    let file = try HDF5File(
      readingFrom: PackageFiles.realDataPath("sources/hypersim/frame.0000.depth_meters.hdf5"))
    let depth = try file.dataset("dataset")
    #expect(depth.storedType == .float(bits: 16, bigEndian: false))
    let values = try depth.read(as: Float.self)
    #expect(values.count == 768 * 1024)
    #expect(abs((values.min() ?? 0) - 2.961) < 1e-3)
    #expect(abs((values.max() ?? 0) - 13.234) < 1e-3)
  }

  @Test func aMissingFilterIsNamed() throws {
    let file = try HDF5File(readingFrom: PackageFiles.realDataPath("sources/hdf5-features/filter_error.h5"))
    let dataset = try file.dataset("dataset_with_filter")
    #expect(try dataset.storage().filters.map(\.isAvailable) == [false])
    let error = try #require(throws: HDF5Error.self) { _ = try dataset.read(as: Int32.self) }
    guard case .missingFilter(let name) = error.cause else {
      Issue.record("unexpected cause \(error.cause): \(error.stack)")
      return
    }
    #expect(!name.isEmpty && name != "unnamed", "\(error.stack)")
  }

  @Test func stringsOfH5pyAreRead() throws {
    let file = try HDF5File(
      readingFrom: PackageFiles.realDataPath("sources/hdf5-features/h5py_vlen_string_dset.h5"))
    #expect(
      try file.dataset("DS1").readStrings() == ["Parting", "is such", "sweet", "sorrow."])
  }

  @Test(arguments: ["testfile1.mat", "testfile2.mat", "testfile3.mat", "testfile4.mat", "testfile5.mat"])
  func everyObjectOfAMATLABFileIsReadOrRefused(_ name: String) throws {
    let file = try HDF5File(readingFrom: PackageFiles.realDataPath("sources/matlab73/" + name))
    var visited = 0
    var pending = try file.members()
    while let name = pending.popLast() {
      guard try file.kind(of: name) == .dataset else {
        pending += try file.members(of: name).map { name + "/" + $0 }
        continue
      }
      let dataset = try file.dataset(name)
      if dataset.storedType.isNumeric {
        #expect(try dataset.read(as: Double.self).count == dataset.shape.reduce(1, *))
      } else {
        #expect(throws: HDF5Error.self) { _ = try dataset.read(as: Double.self) }
      }
      visited += 1
    }
    #expect(visited > 0)
  }
}
