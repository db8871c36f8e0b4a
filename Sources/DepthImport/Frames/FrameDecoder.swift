internal import DepthCore
internal import DepthDataset
internal import FathomMapFiles
internal import FathomPictureFiles

/// Reads the pixels of planned frames, on any thread.
struct FrameDecoder: Sendable {
  let folder: RecordingFolder
  var depth: DepthDecoding
  var truth: DepthDecoding?, confidence: ConfidenceCode?
  /// What every frame must have.
  var depthSize: RasterSize
  var pictureSize: RasterSize?, truthSize: RasterSize?
  var predictions: [StoredPrediction] = []
  var depthReader = MapReader(), truthReader = MapReader(), confidenceReader = MapReader()
  var predictionReaders: [String: MapReader] = [:]
  /// Where pictures are the frames of a video.
  var video: RecordedVideo?
  /// What a user added.
  var maps: [FrameMaps] = []
  /// Applied to everything that is read.
  var turn: ImageTurn?

  func frame(
    _ plan: PlannedFrame, at index: Int, including arrays: FrameArrays
  ) throws(FrameFault) -> DepthFrame {
    var frame = DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
    frame.timestampSeconds = plan.time
    let camera = plan.intrinsics
    if arrays.contains(.camera) { (frame.intrinsics, frame.worldFromCamera) = (camera, plan.pose) }
    if arrays.contains(.lidar) { frame.lidar = try map(plan.depth, depth, depthSize, plan, depthReader) }
    if arrays.contains(.confidence), let name = plan.confidence { frame.confidence = try levels(name, plan) }
    if arrays.contains(.truth), let name = plan.truth, let truth, let truthSize {
      frame.truth = try map(name, truth, truthSize, plan, truthReader)
    }
    if arrays.contains(.predictions) {
      for (stored, name) in zip(predictions, plan.predictions) {
        frame.predictions.append((stored, try prediction(name, stored, plan)))
      }
    }
    for maps in maps where arrays.contains(maps.request.name == nil ? .relative : .predictions) {
      let map: DepthMap
      do throws(FrameMaps.MapFault) { map = try maps.map(index) } catch {
        throw FrameFault(
          file: error.file, reason: error.reason, kind: error.kind, isOfRecording: true, isOfMaps: true)
      }
      if let prediction = maps.prediction {
        frame.predictions.append((prediction, map))
      } else {
        frame.relative = map
      }
    }
    if arrays.contains(.image), let number = plan.videoFrame, let video {
      do throws(PictureFault) { frame.image = try video.frame(number).map(turned) } catch {
        throw FrameFault(
          file: FrameFault.name(ofVideoFrame: number, video.name), reason: error.reason, kind: error.kind,
          isOfPicture: true)
      }
    }
    if arrays.contains(.image), let name = plan.picture {
      let picture: Raster<RGB>
      do throws(PictureFault) { picture = try folder.picture(name) } catch {
        throw FrameFault(file: name, reason: error.reason, kind: error.kind, isOfPicture: true)
      }
      guard picture.size == pictureSize else {
        throw FrameFault(
          file: name, reason: Self.unlike(picture.size, pictureSize ?? picture.size), isOfPicture: true)
      }
      do throws(PictureFault) { frame.image = turned(try seen(picture, plan)) } catch {
        throw FrameFault(file: plan.depth, reason: error.reason, kind: error.kind)
      }
    }
    return frame
  }

  /// A picture as the depth camera would see it.
  private func seen(_ picture: Raster<RGB>, _ plan: PlannedFrame) throws(PictureFault) -> Raster<RGB> {
    guard let view = plan.colourView else { return picture }
    let map = try depth.metres(try folder.map(plan.depth, depthReader, numbers(plan, depthSize)))
    return view.picture(
      picture, over: depth.kind == .distance ? map.planarDepth(fromRayLengthsSeenBy: view.depth) : map)
  }

  static func unlike(_ size: RasterSize, _ usual: RasterSize) -> String {
    "it has \(size) pixels, and the first one \(usual)"
  }

  private func map(
    _ name: String, _ decoding: DepthDecoding, _ size: RasterSize, _ plan: PlannedFrame, _ reader: MapReader
  ) throws(FrameFault) -> DepthMap {
    do throws(PictureFault) {
      let stored = try folder.map(name, reader, numbers(plan, size))
      guard stored.size == size else { throw PictureFault(Self.unlike(stored.size, size)) }
      let map = turned(try decoding.metres(stored))
      guard decoding.kind == .distance else { return map }
      guard let camera = plan.intrinsics
      else { throw PictureFault("it holds lengths of rays, which need the camera's intrinsics") }
      return map.planarDepth(fromRayLengthsSeenBy: camera)
    } catch { throw FrameFault(file: name, reason: error.reason, kind: error.kind) }
  }

  /// What the formula of a map may name.
  private func numbers(_ plan: PlannedFrame, _ size: RasterSize) -> [String: Double] {
    var numbers = plan.numbers
    if let camera = plan.intrinsics {
      // It was turned with the map, which is not yet.
      let (isTurned, own) = (turn == .clockwise || turn == .counterclockwise, camera.scaled(to: turned(size)))
      (numbers["fx"], numbers["fy"]) = isTurned ? (own.fy, own.fx) : (own.fx, own.fy)
    }
    return numbers
  }

  private func prediction(
    _ name: String, _ stored: StoredPrediction, _ plan: PlannedFrame
  ) throws(FrameFault) -> DepthMap {
    do throws(PictureFault) {
      let reader = predictionReaders[stored.name] ?? MapReader()
      let map = try folder.map(name, reader, numbers(plan, stored.size))
      guard map.size == stored.size else { throw PictureFault(Self.unlike(map.size, stored.size)) }
      var numbers = map.reals
      if reader.reading.isPlain, !reader.invalid.isEmpty {
        for index in numbers.values.indices where reader.invalid.contains(Double(numbers.values[index])) {
          numbers.values[index] = .nan
        }
      }
      return turned(numbers)
    } catch { throw FrameFault(file: name, reason: error.reason, kind: error.kind) }
  }

  private func levels(_ name: String, _ plan: PlannedFrame) throws(FrameFault) -> Raster<UInt8> {
    let map: StoredMap
    do throws(PictureFault) { map = try folder.map(name, confidenceReader, numbers(plan, depthSize)) } catch {
      throw FrameFault(file: name, reason: error.reason, kind: error.kind)
    }
    guard map.size == depthSize else {
      throw FrameFault(
        file: name, reason: "it has \(map.size) pixels, and its depth \(depthSize)")
    }
    let code = confidence ?? .levels
    var (levels, unknown): ([UInt8], Double?)
    switch map {
    case .counts(let counts): (levels, unknown) = code.levels(counts.values)
    case .array, .reals: (levels, unknown) = code.levels(map.values)
    }
    if let unknown {
      throw FrameFault(
        file: name,
        reason:
          "it holds the confidence \(DepthWords.number(unknown)), and the recording's is \(code.rawValue)",
        isOfRecording: true)
    }
    return turned(Raster(width: map.size.width, height: map.size.height, values: levels))
  }

  private func turned(_ size: RasterSize) -> RasterSize { turn.map { size.turned($0) } ?? size }
  private func turned<Pixel>(_ map: Raster<Pixel>) -> Raster<Pixel> { turn.map { map.turned($0) } ?? map }
}
