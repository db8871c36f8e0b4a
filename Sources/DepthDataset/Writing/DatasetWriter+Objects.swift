internal import DepthCore
internal import FathomHDF5
public import FathomStorage

extension DatasetWriter {
  /// Writes a scene's detections, once per scene. Masks are stored as 0…255; an unknown true box as NaN.
  /// - Throws: `FathomError` `.badData` if there is no such scene, it has detections already, one of them names
  ///   a frame that does not exist, or masks are given for some only or in different resolutions;
  ///   `.inputOutput` if the disk is full.
  public mutating func writeObjects(_ objects: SceneObjects, to scene: String) throws(FathomError) {
    let attempted = "write the objects of scene '\(scene)'", group = "scenes/\(scene)/objects"
    let progress = try progress(of: scene, attempted)
    try check(objects, progress, attempted, group)
    let list = objects.objects
    try attempt(attempted, group) { () throws(HDF5Error) in
      try file.createGroup(group)
      try column(group + "/frame", list.map { Int32(clamping: $0.frame) })
      try file.writeStrings(list.map(\.label), to: group + "/class")
      try column(group + "/score", list.map(\.score))
      try column(
        group + "/bbox", list.flatMap { [$0.box.minX, $0.box.minY, $0.box.maxX, $0.box.maxY] }, width: 4)
      let origin = objects.conventions.boxOrigin.rawValue
      try file.setAttribute("origin", of: group + "/bbox", to: .string(origin))
      try writeMasks(objects, group + "/mask", progress.compression)
      try writeTruth(list, group + "/truth")
    }
    scenes[scene]?.hasObjects = true
  }

  private func writeMasks(_ objects: SceneObjects, _ path: String, _ compression: Int) throws(HDF5Error) {
    guard let size = objects.objects.first?.mask?.size else { return }
    let masks = try file.createDataset(
      path, shape: [objects.objects.count, size.height, size.width], of: UInt8.self,
      chunk: [1, size.height, size.width], compression: compression)
    try file.setAttribute("origin", of: path, to: .string(objects.conventions.maskOrigin.rawValue))
    try file.setAttribute("stride", of: path, to: .integer(objects.conventions.maskStride))
    for (index, object) in objects.objects.enumerated() {
      guard let mask = object.mask else { continue }
      try masks.write(mask.values.map(Self.byte), at: index)
    }
  }

  private func writeTruth(_ objects: [DetectedObject], _ group: String) throws(HDF5Error) {
    guard objects.contains(where: { $0.truth != nil }) else { return }
    let unknown = OrientedBox(center: SIMD3(repeating: .nan), size: SIMD3(repeating: .nan), yaw: .nan)
    let boxes = objects.map { $0.truth ?? unknown }
    try file.createGroup(group)
    try column(group + "/center", boxes.flatMap { [$0.center.x, $0.center.y, $0.center.z] }, width: 3)
    try column(group + "/size", boxes.flatMap { [$0.size.x, $0.size.y, $0.size.z] }, width: 3)
    try column(group + "/yaw", boxes.map(\.yaw))
  }

  /// One row of `width` numbers per detection.
  private func column<Element: HDF5Scalar>(
    _ path: String, _ values: [Element], width: Int = 1
  ) throws(HDF5Error) {
    let shape = width == 1 ? [values.count] : [values.count / width, width]
    try file.createDataset(path, shape: shape, of: Element.self).write(values)
  }

  /// A mask value 0…1 as 0…255; not a number is outside the mask.
  private static func byte(_ value: Float) -> UInt8 {
    value.isNaN ? 0 : UInt8((min(max(value, 0), 1) * 255).rounded())
  }

  private func check(
    _ objects: SceneObjects, _ progress: SceneProgress, _ attempted: String, _ group: String
  ) throws(FathomError) {
    let list = objects.objects, frames = 0..<progress.header.frameCount
    let fault: (reason: String, advice: String)? =
      if progress.hasObjects {
        ("the scene has objects already", "write all of a scene's objects at once")
      } else if let wrong = list.first(where: { !frames.contains($0.frame) }) {
        ("an object names frame \(wrong.frame) of \(frames.count)", "count frames from 0")
      } else if let first = list.first, list.contains(where: { $0.mask?.size != first.mask?.size }) {
        ("its masks differ in resolution, or some are missing", "give all objects equal masks, or none")
      } else {
        nil
      }
    if let fault {
      throw FathomError(
        .badData, attempted: attempted, file: path, object: group, reason: fault.reason, advice: fault.advice)
    }
  }
}
