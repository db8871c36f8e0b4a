import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Testing

/// Recordings of real apps and data sets.
@Suite(.enabled(if: PackageFiles.realData != nil, "the real recordings are absent; set FATHOM_REAL_DATA"))
struct RealRecordingTests {
  struct Known: Sendable {
    var folder: String, format: String
    var frames: Int, pictures: Int
    var size: RasterSize
    var range: ClosedRange<Float>
    var convention: CameraConvention
  }

  @Test(arguments: [
    Known(
      folder: "stray", format: "stray", frames: 122, pictures: 0, size: RasterSize(width: 256, height: 192),
      range: 0.41...6.53, convention: .opencv),
    Known(
      folder: "scanner3d", format: "scanner3d", frames: 45, pictures: 15,
      size: RasterSize(width: 256, height: 192),
      range: 0.37...0.75, convention: .arkit),
    Known(
      folder: "tum-fr1-rpy", format: "tum", frames: 12, pictures: 12,
      size: RasterSize(width: 640, height: 480),
      range: 0.7...9.8, convention: .opencv),
    Known(
      folder: "seven-scenes", format: "seven-scenes", frames: 20, pictures: 20,
      size: RasterSize(width: 640, height: 480), range: 0.80...3.61, convention: .opencv),
    Known(
      folder: "redwood", format: "redwood", frames: 5, pictures: 5, size: RasterSize(width: 640, height: 480),
      range: 0.955...2.702, convention: .opencv),
    Known(
      folder: "record3d", format: "record3d", frames: 17, pictures: 17,
      size: RasterSize(width: 192, height: 256), range: 0.13...1.56, convention: .arkit),
  ])
  func recordingsHoldWhatTheirReadmeSays(_ known: Known) throws {
    let recording = try FolderRecording(PackageFiles.realDataPath("sources/" + known.folder))
    #expect(recording.format == known.format)
    let scene = recording.scenes[0]
    #expect(scene.frameCount == known.frames && scene.lidarSize == known.size)
    #expect((scene.colourSize == nil ? 0 : scene.imageFrames?.count ?? scene.frameCount) == known.pictures)
    #expect(scene.cameraConvention == known.convention)
    #expect(scene.importRecord?.entries.contains { $0.step == .dropped } == false)
    for index in 0..<scene.frameCount {
      let frame = try recording.frame(index, of: scene, including: [.lidar, .camera, .confidence])
      for value in frame.lidar.values where value > 0 { #expect(known.range.contains(value)) }
      #expect(frame.worldFromCamera != nil && frame.intrinsics != nil)
    }
  }

  @Test func aPhonesRecordingIsThePackThatOthersMadeOfIt() throws {
    let recording = try FolderRecording(PackageFiles.realDataPath("sources/stray"))
    let pack = try DatasetReader(readingFrom: PackageFiles.realDataPath("iphone-stray.h5"))
    let scene = recording.scenes[0]
    let positions = Dictionary(uniqueKeysWithValues: (scene.frameIDs ?? []).enumerated().map { ($1, $0) })
    for other in pack.scenes {
      for index in 0..<other.frameCount {
        let position = try #require(positions[other.frameID(index)])
        let (ours, theirs) = (try recording.frame(position, of: scene), try pack.frame(index, of: other))
        #expect(ours.lidar == theirs.lidar && ours.confidence == theirs.confidence)
        let (a, b) = (
          try #require(ours.worldFromCamera).rowMajor, try #require(theirs.worldFromCamera).rowMajor
        )
        #expect(zip(a, b).allSatisfy { abs($0 - $1) < 1e-6 })
        // They left ARKit's numbers as they are.
        let (k, l) = (try #require(ours.intrinsics), try #require(theirs.intrinsics))
        #expect(k.fx == l.fx && abs(k.cx - l.cx - 0.5) < 1e-9 && abs(k.cy - l.cy - 0.5) < 1e-9)
      }
    }
  }

  @Test func theScannersFramesFallOntoEachOther() throws {
    let recording = try FolderRecording(PackageFiles.realDataPath("sources/scanner3d"))
    let scene = recording.scenes[0]
    var frames: [DepthFrame] = []
    for index in 0..<scene.frameCount { frames.append(try recording.frame(index, of: scene)) }
    #expect(Set(frames.compactMap { $0.intrinsics?.fx }).count > 10)
    var differences: [Double] = []
    for (first, second) in zip(frames, frames.dropFirst(5)) {
      let from = try #require(first.intrinsics).scaled(to: first.lidar.size)
      let to = try #require(second.intrinsics).scaled(to: second.lidar.size)
      let (pose, back) = (try #require(first.worldFromCamera), try #require(second.worldFromCamera).inverse)
      for row in stride(from: 0, to: first.lidar.height, by: 4) {
        for column in stride(from: 0, to: first.lidar.width, by: 4) where first.confidence?[row, column] == 2
        {
          let z = Double(first.lidar[row, column])
          // ARKit's axes: y up, looking along −z.
          let p = SIMD3(
            (Double(column) + 0.5 - from.cx) / from.fx * z, -(Double(row) + 0.5 - from.cy) / from.fy * z, -z)
          let q = back(pose(p))
          let (u, v) = (to.cx + to.fx * q.x / -q.z, to.cy - to.fy * q.y / -q.z)
          guard q.z < 0, u >= 0, v >= 0, u < Double(to.imageSize.width), v < Double(to.imageSize.height),
            second.confidence?[Int(v), Int(u)] == 2
          else { continue }
          let seen = Double(second.lidar[Int(v), Int(u)])
          differences.append(abs(-q.z - seen) / seen)
        }
      }
    }
    let median = differences.sorted()[differences.count / 2]
    #expect(differences.count > 10_000 && median <= 0.0035)
  }

  struct TwoFiles: Sendable {
    var folder: String
    /// Metres of one count.
    var scale: Double
    var size: RasterSize
    /// The smallest and the largest count.
    var counts: ClosedRange<Double>
    var validShare: Double
  }

  @Test(arguments: [
    TwoFiles(
      folder: "promptda", scale: 0.001, size: RasterSize(width: 256, height: 192), counts: 1566...3512,
      validShare: 1),
    TwoFiles(
      folder: "prior-sample-1", scale: 0.001, size: RasterSize(width: 640, height: 480), counts: 1160...3490,
      validShare: 0.92718),
    TwoFiles(
      folder: "kitti", scale: 1.0 / 256, size: RasterSize(width: 1242, height: 375), counts: 1365...21_733,
      validShare: 0.19504),
    TwoFiles(
      folder: "tum", scale: 0.0002, size: RasterSize(width: 640, height: 480), counts: 7320...46_655,
      validShare: 0.80811),
  ])
  func foldersOfTwoFilesComeInByTheGeneralMapping(_ known: TwoFiles) throws {
    var options = ImportOptions()
    options.depthScale = known.scale
    let recording = try FolderRecording(
      PackageFiles.realDataPath("sources/" + known.folder), as: .format("folder"), options)
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 1 && scene.lidarSize == known.size)
    let frame = try recording.frame(0, of: scene, including: .all)
    let depths = frame.lidar.values.filter { $0 > 0 }
    #expect(depths.min() == Float(known.counts.lowerBound * known.scale))
    #expect(depths.max() == Float(known.counts.upperBound * known.scale))
    #expect(abs(Double(depths.count) / Double(known.size.count) - known.validShare) < 1e-5)
    #expect(frame.image != nil && frame.image?.size == scene.colourSize)
  }

  @Test func aMapBesideTheDepthComesInAsWhatItIsSaidToBe() throws {
    let folder = PackageFiles.realDataPath("sources/prior-sample-1")
    var options = ImportOptions()
    options.depthScale = 0.001
    options.maps = [
      MapRequest(name: nil, path: folder + "/geo_depth.npy", meaning: MapMeaning(rawValue: "depth"))
    ]
    let recording = try FolderRecording(folder, as: .format("folder"), options)
    let scene = recording.scenes[0]
    #expect(scene.relativeKind == .depth && scene.relativeSize == RasterSize(width: 640, height: 480))
    let frame = try recording.frame(0, of: scene, including: .all)
    let (map, depth) = (try #require(frame.relative).values, frame.lidar.values)
    // Larger is farther: the half that is near in one is near in the other.
    let known = depth.indices.filter { depth[$0] > 0 }
    let (near, far) = (known.filter { depth[$0] < 1.965 }, known.filter { depth[$0] >= 1.965 })
    let means = [near, far].map { half in half.reduce(0) { $0 + map[$1] } / Float(half.count) }
    #expect(means[0] < means[1])
  }

  @Test(arguments: ["kitti", "hdf5-features", "matlab73"])
  func whatIsNoRecordingIsRefusedWithTheReason(_ name: String) throws {
    let reasons = [
      "kitti": "it has the files of no format", "hdf5-features": "it is an HDF5 file",
      "matlab73": "it is a MATLAB 7.3 file",
    ]
    let path = PackageFiles.realDataPath("sources/" + name)
    let choices: [FolderRecording.Choice] =
      name == "kitti" ? [.recognised] : [.recognised, .format("folder")]
    for choice in choices {
      do {
        var options = ImportOptions()
        options.depthScale = 1
        _ = try FolderRecording(path, as: choice, options)
        Issue.record("\(name) was taken")
      } catch { #expect(error.kind == .badData && error.reason.hasPrefix(reasons[name] ?? "no reason")) }
    }
  }

  @Test(arguments: [
    ("hdf5-features/deflate.h5", "an HDF5 file"), ("matlab73/testfile1.mat", "a MATLAB 7.3 file"),
  ])
  func aFileOfAnotherProgramIsNamed(_ name: String, _ kind: String) throws {
    do {
      _ = try FolderRecording(PackageFiles.realDataPath("sources/" + name))
      Issue.record("\(name) was taken")
    } catch { #expect(error.kind == .badData && error.reason.hasPrefix("it is \(kind)")) }
  }
}
