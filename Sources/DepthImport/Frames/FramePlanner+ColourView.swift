internal import DepthCore
internal import FathomMapFiles
import FathomPlainText
internal import FathomPictureFiles
internal import FathomStorage

extension FramePlanner {
  /// Gives frames whose pictures another camera took what maps them onto the depth.
  /// - Parameter pictureSize: As the files have it.
  mutating func readColourViews(
    _ candidates: inout [Candidate], _ pictureSize: RasterSize?
  ) throws(FathomError) {
    guard let camera = mapping.colour.camera, let pictureSize else { return }
    for index in candidates.indices where candidates[index].plan.hasPicture {
      let candidate = candidates[index]
      guard let depth = candidate.plan.intrinsics else {
        throw failure(
          candidate.plan.depth, "its pictures are another camera's, and the depth has no intrinsics",
          "add 'intrinsics' of the depth to the mapping, or add \(option: "no-pictures")")
      }
      let k = try numbers(camera.intrinsics, candidate), matrix = try numbers(camera.transform, candidate)
      let advice: Wording = "fix the key 'colour.camera' of the mapping, or add \(option: "no-pictures")"
      do throws(PictureFault) {
        let recorded = try RecordedIntrinsics(k, .counted)
        candidates[index].plan.colourView = ColourView(
          depth: depth, colour: try recorded.camera(camera.origin, recorded.imageSize ?? pictureSize),
          colourFromDepth: .identity)
      } catch { throw failure(nil, "of the colour camera, \(error.reason)", advice) }
      do throws(PoseFault) {
        var transform = try RigidTransform.recorded(matrix: matrix)
        transform.translation *= camera.metresPerUnit
        candidates[index].plan.colourView?.colourFromDepth =
          camera.isFromDepth ? transform : transform.inverse
      } catch { throw failure(nil, "between depth and colour camera, \(error.reason)", advice) }
    }
    guard let view = candidates.compactMap(\.plan.colourView).first else { return }
    let millimetres =
      1000 * (view.colourFromDepth.translation * view.colourFromDepth.translation).sum().squareRoot()
    record.add(
      .converted, "pictures",
      "from a colour camera \(DepthWords.significant(millimetres)) mm beside the depth camera, \(pictureSize), to the depth's pixels; black where there is no depth, or the colour camera does not see the point"
    )
  }

  private func numbers(
    _ stated: ColourCamera.Numbers, _ candidate: Candidate
  ) throws(FathomError) -> [Double] {
    guard case .named(let names) = stated else {
      if case .given(let numbers) = stated { return numbers }
      return []
    }
    let parts = names.map { candidate.numbers?.numbers($0) ?? recordingNumbers?.numbers($0) }
    if let numbers = RigidTransform.numbers(parts) { return numbers }
    let missing = zip(names, parts).first { $0.1 == nil }?.0 ?? ""
    throw failure(
      candidate.plan.depth, "nothing says '\(missing)', which 'colour.camera' names",
      "fix the mapping, or add \(option: "no-pictures")")
  }
}
