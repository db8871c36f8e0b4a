import DepthReport
package import ArgumentParser

/// How many frames a report shows.
package struct GalleryFlags: ParsableArguments {
  package init() {}
  @Option(
    help: ArgumentHelp(
      "Number of worst, median and best frames to draw, from different scenes where possible; 0 for none (default: \(GallerySelection.standardCount)).",
      valueName: "number")) package var gallery: Int?
  @Flag(help: "Draw no frames.") package var noGallery = false
  package var count: Int { noGallery ? 0 : gallery ?? GallerySelection.standardCount }  // Of each rank.
  /// More would make a page of hundreds of megabytes; `fathom frames` is for that.
  private static let most = 50

  package func validate() throws {
    if noGallery, gallery != nil { throw ValidationError("--gallery and --no-gallery exclude each other") }
    if let gallery, !(0...Self.most).contains(gallery) {
      throw ValidationError(
        "--gallery: \(gallery) is not from 0 to \(Self.most); 'fathom frames' makes a page of all frames")
    }
  }
}
