import Foundation

/// A gallery as a part of the page.
struct GalleryPage {
  let section: String  // Id of the section that holds it.
  let index: Int  // Which block of the section it is, for ids.
  let level: Int  // Of the frames' headings, 1 to 6.
  let file: (String) throws -> [UInt8]  // Bytes of a file below the run folder.

  func markup(_ gallery: GalleryBlock) throws -> Markup {
    let frames = try gallery.frames.enumerated().map { number, frame in
      try markup(frame, id: frame.anchor ?? "\(section)-\(index)-frame-\(number + 1)")
    }
    return """
      <div class="gallery">
      \(lines: try gallery.scales.map(markup) + frames + [gallery.scene].compactMap(\.self).map(cloud))</div>

      """
  }

  private func markup(_ scale: GalleryBlock.Scale) throws -> Markup {
    let picture = try EmbeddedPicture(file(scale.file), file: scale.file)
    let dark = try scale.darkFile.map { try EmbeddedPicture(file($0), file: $0) }.map { picture -> Markup in
      #"<source media="screen and (prefers-color-scheme: dark)" srcset="\#(picture.source)"/>"#
    }
    let roles = scale.roles.joined(separator: ", ")
    return """
      <figure class="scale" data-roles="\(roles)">
      <picture>\(dark ?? "")<img \(picture.attributes) alt="" decoding="async"/></picture>
      <figcaption>\(roles): \(scale.title)</figcaption>
      </figure>
      """
  }

  private func markup(_ frame: GalleryBlock.Frame, id: String) throws -> Markup {
    let pictures = try frame.pictures.map { picture -> Markup in
      #"<figure data-role="\#(picture.role)">\#(try Self.picture(picture, isLazy: true, file: file))</figure>"#
    }
    let cloud = try frame.cloud.map(cloud)
    return """
      <article class="frame" aria-labelledby="\(id)">
      <h\(level) id="\(id)"><span class="rank">\(frame.rank)</span> <span class="name">\(frame.title)</span></h\(level)>
      <p>\(sentence: frame.caption)</p>
      <div class="pictures">
      \(lines: pictures)</div>
      \(lines: [cloud].compactMap(\.self))</article>
      """
  }

  /// A picture with its role below it.
  static func picture(
    _ picture: GalleryBlock.Picture, isLazy: Bool = false, file: (String) throws -> [UInt8]
  ) throws -> Markup {
    let embedded = try EmbeddedPicture(file(picture.file), file: picture.file)
    return #"""
      <img \#(embedded.attributes) alt="\#(picture.alt)"\#(#" loading="lazy""#, if: isLazy) decoding="async"/>\#
      <figcaption>\#(picture.role)</figcaption>
      """#
  }

  func cloud(_ cloud: GalleryBlock.Cloud) throws -> Markup {
    let bytes = try file(cloud.file)
    guard bytes.count == CloudFile.length(points: cloud.count, colours: cloud.colours.count) else {
      throw PageError(cloud.file, "it does not hold \(cloud.count) points")
    }
    return """
      <figure class="cloud" data-count="\(cloud.count)" data-colours="\(cloud.colours.joined(separator: ","))" \
      \(#"data-yaw="\#(cloud.yaw ?? 0)" "#, if: cloud.yaw != nil)data-bytes="\(Markup(trusted: Data(bytes).base64EncodedString()))">
      <figcaption>\(cloud.alt)</figcaption>
      </figure>
      """
  }
}
