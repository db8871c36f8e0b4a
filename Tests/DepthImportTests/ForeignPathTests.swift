import DepthImport
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// What can be neither a recording nor a data set is called what it is, with what to give instead.
@Suite struct ForeignPathTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let kinds: [(String, [UInt8], String)] = [
    ("a.bag", Array("#ROSBAG V2.0\n".utf8), "a ROS bag"),
    ("a.mcap", [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A], "an MCAP file"),
    ("a.db3", Array("SQLite format 3\0".utf8), "ROS 2"),
    ("a.sens", [4, 0, 0, 0, 9, 9], "a ScanNet .sens file"),
    ("a.rar", Array("Rar!\u{1A}\u{7}".utf8), "a RAR archive"),
    ("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
    ("a.mp4", [0, 0, 0, 24] + Array("ftypmp42".utf8), "a video"),
    ("a.heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "a HEIC picture"),
    ("a.ply", Array("ply\nformat ascii 1.0\n".utf8), "a mesh or a point cloud"),
    ("a.pt", [0x80, 2, 0x7D], "pickle"),
    ("new.pt", MadeArchive.zip([.file("archive/data.pkl", [0x80, 2])]), "pickle"),
    ("a.h5", [], "an empty file; copy or download it again"),
    ("a.tar", Array("version https://git-lfs.github.com/spec/v1\n".utf8), "git lfs pull"),
    ("a.zip", Array("<html><title>404".utf8), "a web page, as a failed download leaves it; copy or download"),
    ("a.mat", Array("MATLAB 5.0 MAT-file".utf8), "a MATLAB 5 file"),
    ("a.png", MadePNG.grey16(2, 2, [1, 2, 3, 4]), "one file of maps (PNG)"),
    ("a.tiff", MadeTIFF.floats(2, 2, [1, 2, 3, 4]), "one file of maps (TIFF)"),
    ("odometry.csv", Array("timestamp, frame\n".utf8), "the folder that it lies in"),
    ("map.yaml", Array("name: x\n".utf8), "--mapping"),
  ]

  @Test("wrong kinds of files are called what they are", arguments: kinds)
  func wrongKinds(kind: (name: String, bytes: [UInt8], words: String)) throws {
    try folder.put(kind.bytes, kind.name)
    let error = try #require(ForeignPath.refusal(folder.path(kind.name), to: "open the data set"))
    #expect(error.kind == .badData && error.onCommandLine.contains(kind.words), "\(error)")
  }

  @Test("a recording of ROS, as a file or as its folder, is answered by the command that converts it")
  func recordingsOfROS() throws {
    try folder.put(Array("SQLite format 3\0".utf8), "my run/run_0.db3")
    try folder.put("rosbag2_bagfile_information:\n  version: 5\n", "my run/metadata.yaml")
    let file = try #require(ForeignPath.refusal(folder.path("my run/run_0.db3"), to: "open it"))
    let command = "python -m fathom.bags '\(folder.path("my run"))"
    #expect(file.onCommandLine.contains(command + "/run_0.db3' FOLDER"), "\(file)")
    #expect {
      _ = try FolderRecording(folder.path("my run"))
    } throws: { ($0 as? FathomError)?.onCommandLine.contains(command + "' FOLDER") == true }
  }

  @Test("an address is not a file")
  func addresses() {
    #expect(ForeignPath.refusal("https://example.org/scan.zip", to: "open it")?.kind == .noInput)
  }

  @Test("what may be a recording or a data set is not judged")
  func others() throws {
    try folder.put(MadeArchive.zip([.file("a", [1])]), "a.zip")
    try folder.put([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], "a.h5")
    try folder.put("not HDF5", "text.h5")
    for name in ["a.zip", "a.h5", "text.h5", "missing", ""] {
      #expect(ForeignPath.refusal(folder.path(name), to: "open it") == nil)
    }
  }
}
