import DepthCore
import Testing

@testable import DepthDiagnosis

@Suite("Width and height of camera and maps")
struct AspectRatioTests {
  private let room = BrokenRoom(frames: 4)

  @Test(
    "K of a part of the sensor beside maps of all of it is a contradiction, but not where fx and fy say so")
  func ratio() throws {
    let k = BrokenRoom.intrinsics
    func found(fy: Double, height: Int, relative: RasterSize? = nil) -> Finding? {
      let other = CameraIntrinsics(
        fx: k.fx, fy: fy, cx: k.cx, cy: Double(height) / 2,
        imageSize: RasterSize(width: k.imageSize.width, height: height))
      var wrong = room.changed { $0.intrinsics = other }
      wrong.header.intrinsics = other
      if let relative { wrong.header.relativeSize = relative }
      return AspectRatioConvention().findings(in: wrong.sample, after: [], seed: 0).first
    }
    let cropped = found(fy: k.fy, height: 360)
    #expect(cropped?.verdict == .contradicted && cropped?.supported == "other-ratio")
    #expect(cropped?.summary.contains("lidar/depth 64×48") == true, "\(cropped?.summary ?? "")")
    // A LiDAR that was squeezed lies beside maps that have the camera's ratio.
    #expect(
      found(fy: k.fy, height: 360, relative: RasterSize(width: 64, height: 36))?.verdict == .undecidable)
    // The picture was squeezed, and K with it.
    #expect(found(fy: 0.75 * k.fy, height: 360)?.verdict == .confirmed)
    // Networks round sides to multiples, and squeeze pictures to squares.
    #expect(found(fy: k.fy, height: 480, relative: RasterSize(width: 70, height: 56))?.verdict == .confirmed)
    let square = found(fy: k.fy, height: 480, relative: RasterSize(width: 64, height: 64))
    #expect(square?.verdict == .confirmed && square?.summary.contains("relative/values") == false)
  }
}
