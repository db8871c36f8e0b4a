import DepthCore
import FathomPictureFiles
import FathomTestSupport
import Testing

@testable import FathomMapFiles

@Suite struct NamedNumbersTests {
  private func numpy(_ type: String, _ shape: String, _ numbers: [Float]) -> [UInt8] {
    MadeNumpy.array(numbers, shape, type: type)
  }
  private func fault(_ bytes: [UInt8]) -> String? {
    do throws(PictureFault) { _ = try NamedNumbers(bytes) } catch { return error.reason }
    return nil
  }
  private func fault(_ text: String) -> String? { fault(Array(text.utf8)) }

  private static let k: [Double] = [500, 0, 320, 0, 510, 240, 0, 0, 1]

  @Test("the same names and numbers come out of JSON, YAML and an .npz")
  func formats() throws {
    let json = """
      {"camera": {"K": [[500, 0, 320], [0, 510, 240], [0, 0, 1]]}, "fx": 500, "times": [0.5, 1], "device": "a"}
      """
    let yaml = """
      camera:
        K: [[500, 0, 320], [0, 510, 240], [0, 0, 1]]
      fx: 500
      times: [0.5, 1]
      device: a
      """
    let archive = MadeArchive.zip([
      .file("camera.K.npy", numpy("<f4", "3, 3", Self.k.map { Float($0) })),
      .file("fx.npy", numpy("<f4", "", [500])), .file("times.npy", numpy("<f4", "2,", [0.5, 1])),
      .file("device.npy", numpy("<U1", "1,", [1])),
    ])
    for bytes in [Array(json.utf8), Array(yaml.utf8), archive] {
      let found = try NamedNumbers(bytes)
      #expect(found.numbers("camera.K") == Self.k)
      #expect(found.list("camera.K")?[1] == [0, 510, 240])
      #expect(found.numbers("fx") == [500])
      #expect(found.list("times") == [[0.5], [1]])
      #expect(found.numbers("device") == nil && found.numbers("K") == nil)
      #expect(found.table == nil)
    }
  }

  @Test("rows without names come out of text, an .npy and a list of JSON alike")
  func tables() throws {
    let text = "# a comment\n500 0 320\n0, 510, 240\n0; 0; 1\n"
    let list = "[[500, 0, 320], [0, 510, 240], [0, 0, 1]]"
    let array = numpy("<f4", "3, 3", Self.k.map { Float($0) })
    for bytes in [Array(text.utf8), Array(list.utf8), array] {
      let table = try NamedNumbers(bytes).requireTable()
      #expect(table.rows == [[500, 0, 320], [0, 510, 240], [0, 0, 1]] && table.numbers == Self.k)
    }
    let poses = try NamedNumbers(numpy("<f4", "2, 1, 4", [1, 2, 3, 4, 5, 6, 7, 8])).requireTable()
    #expect(poses.rows == [[1, 2, 3, 4], [5, 6, 7, 8]])
    let header = try NamedNumbers(Array("x, y\n1, 2\n".utf8)).requireTable()
    #expect(header.header == ["x", "y"] && header.rows == [[1, 2]])
  }

  @Test(
    "a camera is found under the names that people give it",
    arguments: [
      "fx: 500\nfy: 510\ncx: 320\ncy: 240\n", "fx = 500\nfy = 510\ncx = 320\ncy = 240\n",
      "cam0=[500 0 320; 0 510 240; 0 0 1]\ncam1=[500 0 330; 0 510 240; 0 0 1]\ndoffs=12.5\n",
      "[[500.   0. 320.]\n [  0. 510. 240.]\n [  0.   0.   1.]]\n",
      "array([[500.,   0., 320.],\n       [  0., 510., 240.],\n       [  0.,   0.,   1.]])\n",
      "%YAML:1.0\n---\ncameraMatrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n   data: [ 500., 0., 320., 0., 510., 240., 0., 0., 1. ]\n",
      "width: 640\nk: [500, 0, 320, 0, 510, 240, 0, 0, 1]\np: [500, 0, 320, 0, 0, 510, 240, 0, 0, 0, 1, 0]\n",
      #"{"intrinsics": {"fx": 500, "fy": 510, "ppx": 320, "ppy": 240}}"#,
      "<?xml version=\"1.0\"?>\n<opencv_storage>\n<note>\"a &lt; b\"</note><camera_matrix type_id=\"opencv-matrix\">\n<rows>3</rows><cols>3</cols><dt>d</dt>\n<data>\n 500. 0. 320. 0. 510. 240. 0. 0. 1.</data></camera_matrix>\n</opencv_storage>\n",
      "[ColorIntrinsic]\nfx=1000\nfy=1000\ncx=640\ncy=360\nwidth=1280\nheight=720\n\n[DepthIntrinsic]\nfx=500\nfy=510\ncx=320\ncy=240\nwidth=640\nheight=480\n\n[DepthDistortion]\nk1=0\n",
      "height: 480\nwidth: 640\nd:\n- 0.0\nk:\n- 500.0\n- 0.0\n- 320.0\n- 0.0\n- 510.0\n- 240.0\n- 0.0\n- 0.0\n- 1.0\n---\nheight: 480\nk:\n- 1\n---\n",
      #"{"cameraData": [[0, {"width": 1920, "height": 1080, "intrinsicMatrix": [[900, 0, 960], [0, 900, 540], [0, 0, 1]]}], [1, {"width": 640, "height": 480, "intrinsicMatrix": [[500, 0, 320], [0, 510, 240], [0, 0, 1]]}]]}"#,
      "m_colorWidth = 1296\nm_colorHeight = 968\nm_depthWidth = 640\nm_depthHeight = 480\nm_depthShift = 1000\nm_calibrationColorIntrinsic = 1170 0 648 0 0 1170 484 0 0 0 1 0 0 0 0 1\nm_calibrationDepthIntrinsic = 500 0 320 0 0 510 240 0 0 0 1 0 0 0 0 1\n",
      #"{"intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, 240, 1]}"#,
      #"{"focalLengthX": 500, "focalLengthY": 510, "principalPointX": 320, "principalPointY": 240}"#,
      #"{"focal_length": [500, 510], "principal_point": [320, 240]}"#,
      #"{"0": {"cam_K": [500, 0, 320, 0, 510, 240, 0, 0, 1]}, "1": {"cam_K": [500, 0, 320, 0, 510, 240, 0, 0, 1]}}"#,
    ])
  func namedCameras(_ text: String) throws {
    let camera = try RecordedIntrinsics(
      try NamedNumbers(Array(text.utf8)), .counted, for: RasterSize(width: 640, height: 480))
    #expect([camera.fx, camera.fy, camera.cx, camera.cy] == [500, 510, 320, 240])
  }

  @Test("a list of objects that name poses is a table, and poses of objects in view are not the camera's")
  func listedPoses() throws {
    let zed =
      #"[{"timestamp": 5, "position": [1, 2, 3], "orientation": [0, 0, 0, 1]}, {"timestamp": 6, "position": [4, 5, 6], "orientation": [0, 0, 0, 1]}]"#
    let table = try #require(try NamedNumbers(Array(zed.utf8)).table)
    #expect(PoseSource.Column.named(table.header) == [.qx, .qy, .qz, .qw, .tx, .ty, .tz, .time])
    #expect(table.rows[1] == [0, 0, 0, 1, 4, 5, 6, 6])
    let single = #"[{"qx": 0, "qy": 0, "qz": 0, "qw": 1, "tx": 1, "ty": 2, "tz": 3}]"#
    #expect(try NamedNumbers(Array(single.utf8)).table?.header == ["qw", "qx", "qy", "qz", "tx", "ty", "tz"])
    let unit = "[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"
    let text = #"{"camera": {"extrinsics": \#(unit)}, "objects": [{"pose": \#(unit)}]}"#
    #expect(try NamedNumbers(Array(text.utf8)).pose?.direction == .worldToCamera)
  }

  @Test("a list is told from a number, and an element that is not a number from one that is missing")
  func parts() throws {
    let found = try NamedNumbers(Array(#"{"a": 3, "b": [1, null, [2, 4]], "c": [], "d": {"e.f": 7}}"#.utf8))
    #expect(found.numbers("a") == [3] && found.list("a") == nil)
    #expect(found.list("b") == [[1], nil, [2, 4]] && found.numbers("b") == nil)
    #expect(found.list("c") == [] && found.numbers("c") == [])
    #expect(found.list("none") == nil)
  }

  @Test("what is wrong with a file is said by the reader that its content asks for")
  func faults() throws {
    #expect(fault("{\"w\": 30, ") == "it is not JSON, or it is cut short")
    #expect(fault("1 2\n3 abc\n5 6\n") == "line 2 holds 'abc', which is not a number")
    #expect(fault([0xFF, 0xFE, 0x41]) == "it is not UTF-8 text")
    #expect(fault([0x93] + Array("NUMPY".utf8)) == "it is not in numpy's format")
    #expect(fault(Array("PK".utf8)) == "the .npz is cut short")
    #expect(
      fault(numpy("<f4", "2000, 1000", [Float](repeating: 0, count: 2_000_000)))
        == "it holds 2000000 numbers, more than cameras and poses have")
    let named = try NamedNumbers(Array("fx: 500\nfy: 510\n".utf8))
    do throws(PictureFault) {
      _ = try named.requireTable()
      Issue.record("numbers with names became rows")
    } catch {
      #expect(error.reason == "its numbers have names (fx, fy), and it is unclear which of them are meant")
    }
  }

  @Test("lines of numbers below a word have its name, as MVSNet writes cameras")
  func sections() throws {
    let text = """
      extrinsic
      1 0 0 5
      0 1 0 6
      0 0 1 7
      0 0 0 1

      intrinsic
      500 0 320
      0 510 240
      0 0 1

      425 2.5
      """
    let found = try NamedNumbers(Array(text.utf8)), pose = try #require(found.pose)
    let camera = try found.camera().camera
    #expect(found.numbers("intrinsic") == Self.k && camera.fy == 510)
    #expect(pose.direction == .worldToCamera && pose.numbers[3] == 5)
  }

  @Test("KITTI's rows hold the left colour camera, in P2 and P_rect_02")
  func kitti() throws {
    let p2 = "500 0 320 45 0 510 240 1 0 0 1 0"
    let object = "P0: 9 0 4 0 0 9 3 0 0 0 1 0\nP2: \(p2)\nTr_velo_to_cam: 1 0 0 0 0 1 0 0 0 0 1 0\n"
    let raw =
      "calib_time: 09-Jan-2012 13:57:47\nK_02: 9 0 4 0 9 3 0 0 1\nS_rect_02: 640 480\nP_rect_02: \(p2)\n"
    for text in [object, raw] {
      let camera = try NamedNumbers(Array(text.utf8)).camera().camera
      #expect([camera.fx, camera.fy, camera.cx, camera.cy] == [500, 510, 320, 240])
      #expect(camera.imageSize == (text == raw ? RasterSize(width: 640, height: 480) : nil))
    }
  }

  @Test(
    "of two cameras in a file, the one that is named as the depth's counts",
    arguments: [
      #"{"depth": {"fx": 50, "fy": 51, "ppx": 32, "ppy": 24}, "color": {"fx": 90, "fy": 90, "ppx": 64, "ppy": 48}}"#,
      #"{"K_color": [90, 0, 64, 0, 90, 48, 0, 0, 1], "K_depth": [50, 0, 32, 0, 51, 24, 0, 0, 1]}"#,
      "fx_color = 90\nfx_depth = 50\nfy_color = 90\nfy_depth = 51\nmx_color = 64\nmx_depth = 32\nmy_color = 48\nmy_depth = 24",
    ])
  func twoCameras(text: String) throws {
    let camera = try NamedNumbers(Array(text.utf8)).camera().camera
    #expect([camera.fx, camera.fy, camera.cx, camera.cy] == [50, 51, 32, 24] && camera.isOfDepth)
  }

  @Test("a camera of the depth's size counts before the name: depth that was brought to the colour camera")
  func registered() throws {
    let text =
      #"{"depth": {"fx": 50, "fy": 51, "ppx": 32, "ppy": 24, "width": 64, "height": 48}, "color": {"fx": 90, "fy": 90, "ppx": 64, "ppy": 48, "width": 128, "height": 96}}"#
    let numbers = try NamedNumbers(Array(text.utf8))
    #expect(try numbers.camera(for: RasterSize(width: 128, height: 96)).camera.fx == 90)
    #expect(try numbers.camera(for: RasterSize(width: 32, height: 24)).camera.fx == 50)
    let m = "[1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7]"
    let two = #"{"left": {"pose": \#(m)}, "right": {"pose": \#(m)}}"#
    #expect(try NamedNumbers(Array(two.utf8)).pose == nil)
  }

  @Test("a pose says its direction by its name")
  func directions() throws {
    let m = "[[1, 0, 0, 5], [0, 1, 0, 6], [0, 0, 1, 7], [0, 0, 0, 1]]"
    for (text, direction) in [
      (#"{"cam2world": \#(m)}"#, PoseSource.Direction.cameraToWorld), (#"{"w2c": \#(m)}"#, .worldToCamera),
      (#"{"camera": {"extrinsic": \#(m)}}"#, .worldToCamera),
      (#"{"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "t": [5, 6, 7]}"#, .worldToCamera),
    ] {
      let pose = try #require(try NamedNumbers(Array(text.utf8)).pose)
      #expect(pose.direction == direction && [3, 7, 11].map { pose.numbers[$0] } == [5, 6, 7])
    }
    #expect(PoseSource.Direction(ofFilesNamed: "a/0001_RT.txt") == .worldToCamera)
    #expect(PoseSource.Direction(ofFilesNamed: "part/pose_*.txt") == .cameraToWorld)
  }

  @Test("the first line of a table names its columns in several ways")
  func headers() throws {
    let words = "frame_id,timestamp,pos_x,pos_y,pos_z,rot_x,rot_y,rot_z,rot_w,fx"
    let columns = PoseSource.Column.named(words.split(separator: ",").map(String.init))
    #expect(columns == [.frame, .time, .tx, .ty, .tz, .qx, .qy, .qz, .qw, .skip])
    let angles = ["frame", "x", "y", "z", "rot_x", "rot_y", "rot_z"]
    #expect(PoseSource.Column.named(angles) == nil)
    let table = try NumberTable("frame cameraID K[0,0] K[1,1]\n0 0 5 6\n")
    #expect(table.header == ["frame", "cameraID", "K[0,0]", "K[1,1]"])
  }
}
