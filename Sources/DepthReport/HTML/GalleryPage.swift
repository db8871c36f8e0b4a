import Foundation

/// A gallery as its template wants it.
struct GalleryPage: Sendable {
  struct Scale: Sendable {
    let roles: Markup, title: Markup, source: Markup, width: Markup, height: Markup
    let dark: [Markup]  // The same on a dark page; none in documents that have no such picture.
  }
  struct Picture: Sendable {
    let role: Markup, source: Markup, width: Markup, height: Markup, alt: Markup

    init(_ picture: GalleryBlock.Picture, file: (String) throws -> [UInt8]) throws {
      let embedded = try EmbeddedPicture(file(picture.file), file: picture.file)
      (role, alt, source) = (Markup(picture.role), Markup(picture.alt), Markup(trusted: embedded.source))
      (width, height) = (Markup("\(embedded.width)"), Markup("\(embedded.height)"))
    }
  }
  struct Cloud: Sendable {
    let count: Markup, colours: Markup, bytes: Markup, alt: Markup

    init(_ cloud: GalleryBlock.Cloud, file: (String) throws -> [UInt8]) throws {
      let bytes = try file(cloud.file)
      guard bytes.count == CloudFile.length(points: cloud.count, colours: cloud.colours.count) else {
        throw PageError(cloud.file, "it does not hold \(cloud.count) points")
      }
      (count, colours) = (Markup("\(cloud.count)"), Markup(cloud.colours.joined(separator: ",")))
      (self.bytes, alt) = (Markup(trusted: Data(bytes).base64EncodedString()), Markup(cloud.alt))
    }
  }
  struct Frame: Sendable {
    let id: Markup, level: Markup, rank: Markup, title: Markup, caption: Markup
    let pictures: [Picture]
    /// None or one.
    let clouds: [Cloud]
  }
  let scales: [Scale], frames: [Frame]

  /// - Parameter section: Id of the section that holds it.
  /// - Parameter index: Which block of the section it is, for ids.
  /// - Parameter level: Of the frames' headings, 1 to 6.
  /// - Parameter file: Bytes of a file below the run folder.
  init(
    _ block: GalleryBlock, section: String, index: Int, level: Int, file: (String) throws -> [UInt8]
  ) throws {
    scales = try block.scales.map { scale in
      let picture = try EmbeddedPicture(file(scale.file), file: scale.file)
      return Scale(
        roles: Markup(scale.roles.joined(separator: ", ")),
        title: Markup(scale.roles.joined(separator: ", ") + ": " + scale.title),
        source: Markup(picture.source), width: Markup("\(picture.width)"),
        height: Markup("\(picture.height)"),
        dark: try scale.darkFile.map { [Markup(try EmbeddedPicture(file($0), file: $0).source)] } ?? [])
    }
    frames = try block.frames.enumerated().map { number, frame in
      Frame(
        id: Markup(frame.anchor ?? "\(section)-\(index)-frame-\(number + 1)"), level: Markup("\(level)"),
        rank: Markup(frame.rank),
        title: Markup(frame.title), caption: Markup(sentence: frame.caption),
        pictures: try frame.pictures.map { try Picture($0, file: file) },
        clouds: try frame.cloud.map { [try Cloud($0, file: file)] } ?? [])
    }
  }
}
