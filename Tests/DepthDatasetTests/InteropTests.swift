import DepthCore
import DepthDataset
import Foundation
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

/// Files of h5py are read here, and files written here are read by h5py.
@Suite(.enabled(if: Python.path != nil, Python.comment))
struct InteropTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aFileOfH5pyIsReadExactly() throws {
    try Python.run([Python.script("write_dataset.py"), folder.url.path])
    let reader = try DatasetReader(readingFrom: folder.path("all.h5"))
    #expect(reader.attributes.name == "alles für h5py")
    #expect(reader.attributes.license == "CC0-1.0")
    let scene = try #require(reader.scenes.first)
    #expect(scene.frameIDs == ["a", "bb", "ccc"])
    #expect(scene.timestampsSeconds == [0, 1, 2])
    #expect(scene.note == "größer")
    #expect(scene.relativeKind == .disparity && scene.relativeModel == "Depth Anything V2")
    #expect(scene.truthIndependence == .independent)
    #expect(scene.cameraConvention == .arkit && scene.upAxis == .z)
    for index in 0..<3 {
      let frame = try reader.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values == (0..<24).map { Float(Double(500 + index * 24 + $0) * 0.001) })
      #expect(frame.confidence?.values == (0..<24).map { UInt8((index * 24 + $0) % 3) })
      #expect(frame.relative?.values == (0..<35).map { Float(index * 35 + $0) * 0.25 - 4 })
      #expect(frame.truth?.values == (0..<96).map { Float(index * 96 + $0) * 0.5 })
      #expect(
        frame.image?.values
          == (0..<6).map { pixel in
            let first = UInt8(index * 18 + pixel * 3)
            return RGB(red: first, green: first + 1, blue: first + 2)
          })
      #expect(
        frame.intrinsics
          == CameraIntrinsics(
            fx: 100 + Double(index), fy: 101 + Double(index), cx: 30.5, cy: 20.25,
            imageSize: RasterSize(width: 60, height: 40)))
      #expect(
        frame.worldFromCamera?.translation == [Double(index), Double(2 * index), -Double(index)])
      #expect(frame.worldFromCamera?.yAxis == [0, 1, 0])
    }
    // h5py's own chunking puts several frames into one chunk of this small array.
    #expect(reader.issues.allSatisfy { $0.severity == .note && $0.object == "scenes/all/relative/values" })
  }

  @Test func objectsOfH5pyAreReadExactly() throws {
    try Python.run([Python.script("write_dataset.py"), folder.url.path])
    let reader = try DatasetReader(readingFrom: folder.path("all.h5"))
    let read = try #require(try reader.objects(of: reader.scenes[0]))
    #expect(
      read.conventions == DetectionConventions(boxOrigin: .bottomLeft, maskOrigin: .topLeft, maskStride: 8))
    #expect(read.objects.map(\.frame) == [2, 0])
    #expect(read.objects.map(\.label) == ["Tasse ü", "chair"])
    #expect(read.objects.map(\.score) == [0.5, 0.25])
    #expect(read.objects[1].box == PixelRectangle(minX: 4, minY: 5, maxX: 6, maxY: 7))
    #expect(read.objects[0].mask?.values == [0, 0.2, 0.4, 0.6])
    #expect(read.objects[0].truth == OrientedBox(center: [1, 2, 3], size: [4, 5, 6], yaw: 0.5))
    #expect(read.objects[1].truth == nil)
  }

  @Test func aNewerFileFormatIsExplained() throws {
    try Python.run([Python.script("write_dataset.py"), folder.url.path])
    let path = folder.path("latest.h5")
    #expect(try DatasetReader(readingFrom: folder.path("v110.h5")).scenes.count == 1)
    guard HDF5Version.linked < HDF5Version(major: 2, minor: 0, release: 0) else {
      #expect(try DatasetReader(readingFrom: path).scenes.count == 1)
      return
    }
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(error.kind == .badData)
    #expect(
      error.description == "cannot read the data set: \(path): scenes/room/lidar/depth: it was written in a "
        + "newer HDF5 format than HDF5 \(HDF5Version.linked) reads; rewrite it with `h5repack --high=2 IN OUT` "
        + "of the newer HDF5, or in h5py with h5py.File(…, libver=(\"earliest\", \"v110\"))")
  }

  @Test func aMissingFilterIsNamed() throws {
    try Python.run([Python.script("write_dataset.py"), folder.url.path])
    let path = folder.path("lzf.h5")
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(error.kind == .badData)
    #expect(
      error.description
        == "cannot read the data set: \(path): scenes/room/lidar/depth: it is compressed with "
        + "the filter 'lzf', which HDF5 \(HDF5Version.linked) does not have here; rewrite the file with "
        + "`h5repack -f GZIP=4 IN OUT` where that filter is installed")
  }

  @Test func h5pyReadsWhatIsWritten() throws {
    let path = folder.path("known.h5")
    try KnownScene.write(to: path)
    let data = try Python.run([Python.script("dump_dataset.py"), path])
    let objects = try #require(try JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
    func attributes(_ name: String) -> NSDictionary? {
      (objects[name]?["attributes"] as? [String: Any]).map { $0 as NSDictionary }
    }
    #expect(
      attributes("/") == [
        "format": "fathom", "version": 1, "name": "known", "description": "every value is known",
        "license": "CC0-1.0", "source": "tests", "created_by": "DepthDatasetTests",
      ])
    let scene = "scenes/küche 1"
    #expect(attributes(scene) == ["note": "a note", "license": "CC0-1.0", "device": "made up"])
    #expect(attributes(scene + "/lidar/depth") == ["units": "m", "kind": "planar"])
    #expect(attributes(scene + "/relative/values") == ["kind": "disparity", "model": "DepthAnythingV2"])
    #expect(
      attributes(scene + "/truth/depth") == ["units": "m", "kind": "planar", "independence": "render"])
    #expect(attributes(scene + "/camera") == ["image_size": [160, 120]])
    #expect(attributes(scene + "/camera/world_from_camera") == ["convention": "arkit", "up": "z"])
    #expect(attributes(scene + "/objects/bbox") == ["origin": "bottom-left"])
    #expect(attributes(scene + "/objects/mask") == ["origin": "top-left", "stride": 8])

    struct Array { let name: String, type: String, shape: [Int], chunks: [Int]? }
    for array in [
      Array(name: "lidar/depth", type: "float32", shape: [3, 6, 8], chunks: [1, 6, 8]),
      Array(name: "lidar/confidence", type: "uint8", shape: [3, 6, 8], chunks: [1, 6, 8]),
      Array(name: "relative/values", type: "float32", shape: [3, 7, 10], chunks: [1, 7, 10]),
      Array(name: "truth/depth", type: "float32", shape: [3, 12, 16], chunks: [1, 12, 16]),
      Array(name: "image/rgb", type: "uint8", shape: [3, 4, 5, 3], chunks: [1, 4, 5, 3]),
      Array(name: "objects/mask", type: "uint8", shape: [2, 3, 4], chunks: [1, 3, 4]),
      Array(name: "camera/intrinsics", type: "float64", shape: [3, 3], chunks: nil),
      Array(name: "camera/world_from_camera", type: "float64", shape: [3, 4, 4], chunks: nil),
      Array(name: "time", type: "float64", shape: [3], chunks: nil),
      Array(name: "objects/frame", type: "int32", shape: [2], chunks: nil),
    ] {
      let entry = try #require(objects[scene + "/" + array.name])
      #expect(entry["type"] as? String == array.type)
      #expect(entry["shape"] as? [Int] == array.shape)
      #expect(entry["chunks"] as? [Int] == array.chunks)
      #expect(entry["compression"] as? String == (array.chunks == nil ? nil : "gzip"))
      #expect(entry["level"] as? Int == (array.chunks == nil ? nil : 4))
      #expect(entry["shuffle"] as? Bool == (array.chunks != nil))
    }
    #expect(objects[scene + "/frame_id"]?["strings"] as? [String] == ["a", "bé", "c"])
    #expect(objects[scene + "/objects/class"]?["strings"] as? [String] == ["cup", "Stuhl ü"])
    let frames = (0..<3).map { KnownScene.frame($0) }
    let truth = frames.flatMap { $0.truth?.values ?? [] }.reduce(0) { $0 + Double($1) }
    let sum = try #require(objects[scene + "/truth/depth"]?["sum"] as? Double)
    #expect(abs(sum - truth) < 1e-9)
    #expect(
      objects[scene + "/camera/world_from_camera"]?["last"] as? [Double]
        == frames[2].worldFromCamera?.rowMajor)
    #expect(
      objects[scene + "/image/rgb"]?["last"] as? [Int]
        == frames[2].image?.values.flatMap {
          [Int($0.red), Int($0.green), Int($0.blue)]
        })
    #expect(
      objects[scene + "/objects/mask"]?["last"] as? [Int] == [
        0, 255, 51, 102, 153, 204, 0, 0, 255, 255, 0, 0,
      ])
  }
}
