internal import DepthCore
internal import DepthDataset
internal import PictureFiles

/// Reads the pixels of planned frames, on any thread.
struct FrameDecoder: Sendable {
  let root: String
  var depth: DepthDecoding
  var truth: DepthDecoding?
  var confidence: ConfidenceCode?
  /// What every frame must have.
  var depthSize: RasterSize
  var pictureSize: RasterSize?
  var truthSize: RasterSize?
  var predictions: [StoredPrediction] = []

  /// - Throws: `FrameFault`.
  func frame(
    _ plan: PlannedFrame, at index: Int, including arrays: FrameArrays
  ) throws(FrameFault) -> DepthFrame {
    var frame = DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
    frame.timestampSeconds = plan.time
    let camera = plan.intrinsics
    if arrays.contains(.camera) { (frame.intrinsics, frame.worldFromCamera) = (camera, plan.pose) }
    if arrays.contains(.lidar) {
      frame.lidar = try map(plan.depth, depth, depthSize, camera)
    }
    if arrays.contains(.confidence), let name = plan.confidence {
      frame.confidence = try levels(name)
    }
    if arrays.contains(.truth), let name = plan.truth, let truth, let truthSize {
      frame.truth = try map(name, truth, truthSize, camera)
    }
    if arrays.contains(.predictions) {
      for (stored, name) in zip(predictions, plan.predictions) {
        frame.predictions.append((stored, try prediction(name, stored.size)))
      }
    }
    if arrays.contains(.image), let name = plan.picture {
      let picture: Raster<RGB>
      do throws(PictureFault) {
        picture = try PictureReader.picture(try FileBytes.read(root + "/" + name))
      } catch {
        throw FrameFault(file: name, reason: error.reason, isOfPicture: true)
      }
      guard picture.size == pictureSize else {
        throw FrameFault(
          file: name, reason: Self.unlike(picture.size, pictureSize ?? picture.size), isOfPicture: true)
      }
      frame.image = picture
    }
    return frame
  }

  static func unlike(_ size: RasterSize, _ usual: RasterSize) -> String {
    "it has \(size) pixels, and the first one \(usual)"
  }

  private func map(
    _ name: String, _ decoding: DepthDecoding, _ size: RasterSize, _ camera: CameraIntrinsics?
  ) throws(FrameFault) -> DepthMap {
    do throws(PictureFault) {
      let bytes = try FileBytes.read(root + "/" + name)
      let map: DepthMap
      if name.hasSuffix(".npy") {
        map = try decoding.metres(try NumpyArray(bytes), bytes)
      } else {
        map = try decoding.metres(try PNGReader.grey(bytes))
      }
      guard map.size == size else { throw PictureFault(Self.unlike(map.size, size)) }
      guard decoding.kind == .distance else { return map }
      guard let camera else {
        throw PictureFault("it holds lengths of rays, which need the camera's intrinsics")
      }
      return map.planarDepth(fromRayLengthsSeenBy: camera)
    } catch {
      throw FrameFault(file: name, reason: error.reason)
    }
  }

  private func prediction(_ name: String, _ size: RasterSize) throws(FrameFault) -> DepthMap {
    do throws(PictureFault) {
      let bytes = try FileBytes.read(root + "/" + name)
      let array = try NumpyArray(bytes)
      guard array.size == size else { throw PictureFault(Self.unlike(array.size, size)) }
      return Raster(width: size.width, height: size.height, values: array.values(bytes).map { Float($0) })
    } catch {
      throw FrameFault(file: name, reason: error.reason)
    }
  }

  private func levels(_ name: String) throws(FrameFault) -> Raster<UInt8> {
    let map: Raster<Double>
    do throws(PictureFault) { map = try Self.confidenceNumbers(root + "/" + name) } catch {
      throw FrameFault(file: name, reason: error.reason)
    }
    guard map.size == depthSize else {
      throw FrameFault(
        file: name, reason: "it has \(map.size) pixels, and its depth \(depthSize)")
    }
    let code = confidence ?? .levels
    let (low, medium, high) = (code.values[0], code.values[1], code.values[2])
    var levels = [UInt8](repeating: 0, count: map.values.count)
    for (index, number) in map.values.enumerated() {
      guard let level: UInt8 = number == high ? 2 : number == medium ? 1 : number == low ? 0 : nil else {
        throw FrameFault(
          file: name,
          reason:
            "it holds the confidence \(DepthWords.number(number)), and the recording's is \(code.rawValue)",
          isOfRecording: true)
      }
      levels[index] = level
    }
    return Raster(width: map.width, height: map.height, values: levels)
  }

  /// The numbers of a map of confidence, whatever they mean.
  static func confidenceNumbers(_ path: String) throws(PictureFault) -> Raster<Double> {
    let bytes = try FileBytes.read(path)
    if path.hasSuffix(".npy") {
      let array = try NumpyArray(bytes)
      return Raster(width: array.size.width, height: array.size.height, values: array.values(bytes))
    }
    let map = try PNGReader.grey(bytes)
    return Raster(width: map.width, height: map.height, values: map.values.map { Double($0) })
  }
}
