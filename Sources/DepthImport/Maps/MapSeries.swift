package import DepthCore
package import FathomMapFiles
internal import FathomPictureFiles
package import FathomPlainText
package import FathomStorage

/// Maps or pictures of one kind by their places in files, each of its own size.
package struct MapSeries: Sendable {
  package enum Content: Sendable, Hashable, Codable {
    /// A network's maps: metres, or relative numbers; NaN where the network says nothing.
    case prediction
    /// Standard deviations or confidences of a network's maps, or deviations of the truth, as they are stored; NaN where there is none.
    case deviation
    /// Metres of one count; nil for reals in metres. What is unknown becomes 0.
    case truth(scale: Double?)
    /// Whole numbers.
    case mask
    case picture

  }

  package struct Setup: Sendable, Codable {
    /// Where it lies, and how a prediction's numbers are taken.
    package var request: MapRequest
    package var content: Content
    /// nil for every map of the file that the request names.
    package var places: [MapPlace]?
    /// A format whose maps are not depth as they are stored: it says how they are read.
    package var format: String?

    package init(
      request: MapRequest, content: Content, places: [MapPlace]? = nil, format: String? = nil
    ) { (self.request, self.content, self.places, self.format) = (request, content, places, format) }

    /// Which of several arrays in a file is meant.
    package var key: MapKeys.Role {
      switch content {
      case .prediction: .prediction
      case .truth: .truth
      case .deviation: request.beside.map { .beside($0) } ?? .any
      case .mask, .picture: .any
      }
    }

    /// nil where numbers stand for themselves.
    /// - Throws: `FathomError` `.usage` where the formula cannot be read, or names what a map does not have.
    func reading() throws(FathomError) -> MapReading? {
      guard let text = request.formula else { return nil }
      var reading = MapReading()
      do throws(MappingFault) {
        reading.formula = try MapFormula(text, of: "formula")
        if let unknown = reading.named.first {
          throw MappingFault(words: "it names '\(unknown)', which a map does not have")
        }
      } catch {
        throw FathomError(
          .usage, attempted: "use", place: "\(flag: "truth-formula") \(text)", reason: error.words,
          advice:
            "v is the stored number, r, g, b and a are channels; write all else as numbers, as in '525 * 0.12 / v'"
        )
      }
      return reading
    }

    /// "truth", "prediction mynet"
    package var title: String {
      switch content {
      case .prediction: request.title
      case .deviation: request.name == nil ? "deviation of the truth" : request.title
      case .truth: "truth"
      case .mask: "masks"
      case .picture: "images"
      }
    }

    package func failure(
      _ path: String?, _ reason: String, _ advice: Wording, kind: FathomError.Kind = .badData
    ) -> FathomError {
      let object = path.flatMap { PathText.name(of: $0, below: request.unpacked ?? request.path) }
      return FathomError(
        kind, attempted: "read the \(title)", file: request.path, object: object, reason: "\(reason)",
        advice: advice)
    }
  }

  /// All but the numbers.
  package struct Description: Sendable, Codable {
    /// After turning, one a place.
    var sizes: [RasterSize] = []
    /// Of a prediction; nil where neither the request nor a name says it.
    package var meaning: MapMeaning?
    /// Whether a file of the truth or of deviations holds whole numbers, and its number in the series.
    package var firstOfWholeNumbers: Int?
    /// As bits of `FATHOM_LAYER_…`.
    package var layers: Int32 = 0
  }

  package enum Layer: Sendable {
    case map(Raster<Float>), picture(Raster<RGB>)
  }

  package let setup: Setup, description: Description
  private let reading: @Sendable (Int) throws(FrameMaps.MapFault) -> Layer
  package var sizes: [RasterSize] { description.sizes }

  init(
    _ setup: Setup, _ description: Description,
    reading: @escaping @Sendable (Int) throws(FrameMaps.MapFault) -> Layer
  ) { (self.setup, self.description, self.reading) = (setup, description, reading) }

  /// The same maps with a meaning that was found.
  package func taken(as meaning: MapMeaning) -> MapSeries {
    var (description, reading) = (description, reading)
    description.meaning = meaning
    if meaning.factor != 1 {
      reading = { [reading] (index) throws(FrameMaps.MapFault) in
        let layer = try reading(index)
        guard case .map(var map) = layer else { return layer }
        map.values = map.values.map { $0 * meaning.factor }
        return .map(map)
      }
    }
    return MapSeries(setup, description, reading: reading)
  }

  /// One of them.
  package func layer(_ index: Int) throws(FrameMaps.MapFault) -> Layer { try reading(index) }
  /// Path of the file that one of them lies in.
  package func path(of index: Int) -> String { setup.places?[index].path ?? setup.request.path }

  /// Looks at every header.
  /// - Throws: `FathomError` `.badData` where a file cannot be read or has too few levels.
  init(here setup: Setup) throws(FathomError) {
    if setup.content == .picture {
      try self.init(picturesOf: setup)
      return
    }
    if let format = setup.format {
      try self.init(depthOf: setup, as: format)
      return
    }
    var stack: MapFile?
    let key = setup.key
    var headers: [MapHeader]
    if let places = setup.places {
      let found = PlainThreads.map(places.count) { index -> Result<MapHeader, PictureFault> in
        Result { () throws(PictureFault) in
          places[index].isOfStack
            ? try MapFile(at: places[index].path, for: key).header
            : try MapFormat.header(ofFrameAt: places[index].path, for: key)
        }
      }
      headers = []
      for (place, header) in zip(places, found) {
        do throws(PictureFault) { headers.append(try header.get()) } catch {
          throw setup.failure(place.path, error.reason, "make the file again, or remove it", kind: error.kind)
        }
      }
    } else {
      let file: MapFile
      do throws(PictureFault) { file = try MapFile(at: setup.request.path, for: key) } catch {
        throw setup.failure(nil, error.reason, "give a folder of maps, or a file of them", kind: error.kind)
      }
      headers = [MapHeader](repeating: file.header, count: file.header.layerCount)
      stack = file
    }
    let reading = try setup.reading(), invalid = Set(setup.request.invalid ?? [])
    let places = setup.places ?? headers.indices.map { MapPlace(path: setup.request.path, layer: $0) }
    var description = Description()
    if setup.content != .mask, reading == nil,
      let index = headers.firstIndex(where: { !$0.holdsDepth && !setup.request.allowsEightBits })
    {
      if headers[index].hasColours, case .truth = setup.content {
        throw setup.failure(
          places[index].path, "it has colours, and depth is one number a pixel",
          "if its channels pack depth, say how, as of CARLA: \(option: "truth-formula") '(r + 256*g + 65536*b) / 16777215 * 1000'"
        )
      }
      throw setup.failure(
        places[index].path, "it has 8 bits: at most 256 levels",
        "write arrays or maps of 16 bits, or take them with \(option: "allow-8bit")")
    }
    if setup.content == .prediction, let first = places.first {
      description.meaning = FrameMaps.knownMeaning(setup.request, first.path, headers[0])?.0
    }
    switch setup.content {
    case .truth where reading != nil: break
    case .truth, .deviation: description.firstOfWholeNumbers = headers.firstIndex { $0.isWhole }
    case .prediction, .mask, .picture: break
    }
    let isTurned = setup.request.rotation % 180 != 0
    description.sizes = headers.map { header in
      isTurned ? RasterSize(width: header.size.height, height: header.size.width) : header.size
    }
    let (file, sizes, decode) = (stack, description.sizes, Self.decoding(setup, description.meaning))
    self.init(setup, description) { (index) throws(FrameMaps.MapFault) in
      do throws(PictureFault) {
        let own = if let file { file } else { try MapFile(at: places[index].path, for: key) }
        var stored: StoredMap
        if let reading {
          // Files with names for several arrays have one channel in each.
          let channels =
            places[index].isOfStack || file != nil || !own.header.keys.isEmpty
            ? MapChannels(try own.layer(places[index].layer))
            : try MapFormat.channels(ofFrameAt: places[index].path)
          stored = .reals(try reading.map(channels, invalid: invalid, [:]))
        } else {
          stored = try own.layer(places[index].layer)
        }
        let map = try decode(stored)
        guard map.size == sizes[index]
        else { throw PictureFault("it has \(map.size) pixels, and had \(sizes[index]) before") }
        return .map(map)
      } catch { throw FrameMaps.MapFault(file: places[index].path, reason: error.reason, kind: error.kind) }
    }
  }

  private init(picturesOf setup: Setup) throws(FathomError) {
    if setup.places == nil, let ends = try? FileBytes.Ends(setup.request.path),
      PictureStack.begins(ends.first)
    {
      let stack: PictureStack
      do throws(PictureFault) { stack = try PictureStack(at: setup.request.path, ends) } catch {
        throw setup.failure(nil, error.reason, "give an array of bytes [n,h,w,3]", kind: error.kind)
      }
      let sizes = [RasterSize](repeating: stack.size, count: stack.count)
      self.init(setup, Description(sizes: sizes)) { (index) throws(FrameMaps.MapFault) in
        do throws(PictureFault) { return .picture(try stack.picture(index)) } catch {
          throw FrameMaps.MapFault(file: setup.request.path, reason: error.reason, kind: error.kind)
        }
      }
      return
    }
    let places = setup.places ?? [MapPlace(path: setup.request.path)]
    let found = PlainThreads.map(places.count) { index -> Result<RasterSize, PictureFault> in
      Result { () throws(PictureFault) in try PictureFile.size(at: places[index].path) }
    }
    var description = Description()
    for (place, size) in zip(places, found) {
      do throws(PictureFault) { description.sizes.append(try size.get()) } catch {
        throw setup.failure(place.path, error.reason, "give PNG, JPEG or TIFF files", kind: error.kind)
      }
    }
    self.init(setup, description) { (index) throws(FrameMaps.MapFault) in
      do throws(PictureFault) {
        return .picture(try PictureReader.picture(try FileBytes.read(places[index].path)))
      } catch { throw FrameMaps.MapFault(file: places[index].path, reason: error.reason, kind: error.kind) }
    }
  }

  /// What is done with stored numbers.
  private static func decoding(
    _ setup: Setup, _ meaning: MapMeaning?
  ) -> @Sendable (StoredMap) throws(PictureFault) -> Raster<Float> {
    let (rotation, invalid) = (setup.request.rotation, setup.request.invalid ?? [])
    let unknown = Array(Set(invalid.map { Float($0) }))
    switch setup.content {
    case .prediction, .deviation:
      let factor = meaning?.factor ?? 1
      return { (map) throws(PictureFault) in
        var reals = map.reals
        if !unknown.isEmpty { reals.values = reals.values.map { unknown.contains($0) ? .nan : $0 } }
        reals.values.withUnsafeMutableBufferPointer { values in
          // The compiler makes no vectors of `isFinite`.
          for index in values.indices {
            values[index] = abs(values[index]) < .infinity ? values[index] * factor : .nan
          }
        }
        return reals.turned(clockwise: rotation)
      }
    case .truth(nil):
      return { (map) throws(PictureFault) in
        var metres = map.reals
        metres.values = metres.values.map { $0.isFinite && $0 > 0 && !unknown.contains($0) ? $0 : 0 }
        return metres.turned(clockwise: rotation)
      }
    case .truth(let scale?):
      let decoding = DepthDecoding(
        metresPerUnit: scale, invalid: invalid, kind: .planar, invalidOption: "truth-invalid")
      return { (map) throws(PictureFault) in try decoding.metres(map).turned(clockwise: rotation) }
    case .mask, .picture: return { (map) throws(PictureFault) in map.reals }
    }
  }
}
