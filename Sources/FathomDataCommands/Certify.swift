import FathomCommandLine
import FathomJobReports
import FathomDocuments
package import ArgumentParser
import DepthCertification
import FathomRuns
import FathomStudies
import FathomStorage

/// States the range errors of a depth sensor with an uncertainty, from a short recording.
package struct Certify: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract:
      "State the range errors of a depth sensor with an uncertainty budget, from walls at taped distances, parallel faces at taped separations, or a printed board.",
    discussion: """
      Every scene is one placement of the still camera before a flat wall. Finds the wall in the sensor's depth, measures its distance, tilt, noise, \
      flatness and fill, and states the errors of differences of range and of scale with an expanded uncertainty (95 %), in the manner of \
      ASTM E2938 and the GUM. With --test two-walls every scene shows two parallel faces, and the error of their separation is stated. \
      With --test board scenes show a printed board in pictures and in depth, still or from a moving camera; the board's pose in each picture is the \
      reference, in the manner of ASTM E2919. \
      With limits it decides after JCGM 106: conforms, does not conform, or undecided. Writes a folder with \
      certificate.json, report.html, report.md, report.json, pictures of what was taken for the wall, the faces or the board, and calibration.yaml \
      (for evaluate --calibration) with the noise of pixels where distances differ.
      """)

  @Argument(
    help: "HDF5 data sets, or folders of recordings that import knows.", completion: .file(extensions: ["h5"])
  ) var data: [String]
  @Option(
    help:
      "What every scene shows: a flat wall, two parallel flat faces, one before the other, with a taped separation, or a printed board."
  )
  var test = WallTest.Target.wall
  @Option(
    help: "Taped distances, or separations of two faces, one for each scene in their order: 1.000m,2.000m.")
  var distances: LengthList?
  @Option(help: "Standard uncertainty of each taped distance (default: 2mm).") var distanceDeviation: Length?
  @Option(
    help:
      "What the tape measures: from the camera centre to the nearest point of the wall, or along the optical axis."
  ) var tape = TapeReading.perpendicular
  @Flag(
    help:
      "The tape begins at the sensor's zero, so that distances have errors and not only their differences.")
  var zeroKnown = false
  @Option(help: "Relative standard uncertainty of the focal length (default: 0.5%).") var focalDeviation:
    Percentage?
  @Option(
    help: "Standard uncertainty of the principal point, as a share of the focal length (default: 0.5%).")
  var centreDeviation: Percentage?
  @Option(
    help:
      "With --test board, the board: charuco:11x8,square=0.022m,marker=0.017m,dictionary=6x6,legacy. Measure a row of squares, and give the side of one."
  )
  var board: BoardArgument?
  @Option(help: "Relative standard uncertainty of the side of a square (default: 0.1%).")
  var printDeviation: Percentage?
  @Option(
    help:
      "The board's corners in the pictures, as corners.json of a certificate has them; OpenCV is not needed then.",
    completion: .file(extensions: ["json"])) var corners: String?
  @Option(help: "Python interpreter with OpenCV that finds the board (default: python3 in PATH).")
  var python: String?
  @Option(
    help: "File of limits: lines range_error: 10mm, scale_error: 0.5%.",
    completion: .file(extensions: ["yaml"]))
  var limits: String?
  @Option(help: "Largest range error allowed: 10mm.") var limit: Length?
  @Option(help: "Largest scale error allowed: 0.5%.") var scaleLimit: Percentage?
  @Flag(help: "Say what the recording lacks, and write nothing; exit with 1 where it cannot be certified.")
  var check = false
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "Folder to write (default: Reports/<data name>-certificate).", completion: .directory)
  var output: String?
  @OptionGroup var files: DataFlags
  @Flag(help: "Also write report.pdf, with an installed Chromium or Chrome.") var pdf = false
  @Flag(help: "Replace an existing folder of a certificate.") var overwrite = false
  @Flag(help: "Print certificate.json instead of sentences.") var json = false
  @OptionGroup var console: Console

  package func validate() throws {
    if output?.isEmpty == true { throw ValidationError("--output: a folder's name is needed") }
    if check && (output != nil || overwrite || pdf) {
      throw ValidationError("--check writes nothing: leave out --output, --overwrite and --pdf")
    }
    if (test == .board) != (board != nil) {
      throw ValidationError(
        "--test board and --board belong together: describe the board, as in charuco:11x8,square=0.022m,marker=0.017m,dictionary=6x6"
      )
    }
    if test == .board {
      if distances != nil || distanceDeviation != nil || tape != .perpendicular || zeroKnown {
        throw ValidationError(
          "--test board has its distances from the board: leave out --distances, --distance-deviation, --tape and --zero-known"
        )
      }
      if corners != nil && python != nil {
        throw ValidationError("--corners and --python exclude each other")
      }
    } else if printDeviation != nil || corners != nil || python != nil {
      throw ValidationError("--print-deviation, --corners and --python belong to --test board")
    }
    if limits != nil && (limit != nil || scaleLimit != nil) {
      throw ValidationError("--limits holds them all: leave out --limit and --scale-limit")
    }
    if distances == nil, !check, test != .board {
      throw ValidationError(
        "--distances: tape the distance, or the separation, of every placement and give it, as in 1.000m,2.000m; --check looks at a recording without them"
      )
    }
    if test == .twoWalls && (tape != .perpendicular || zeroKnown) {
      throw ValidationError(
        "--test two-walls measures along the normal of the faces, without the sensor's zero: leave out --tape and --zero-known"
      )
    }
    if scaleLimit?.share == 0 { throw ValidationError("--scale-limit: it must be above 0") }
  }

  private func job() throws -> CertifyJob {
    var declaration = WallTest.Declaration()
    if let distanceDeviation { declaration.tapeDeviation = distanceDeviation.metres }
    if let focalDeviation { declaration.focalDeviation = focalDeviation.share }
    if let centreDeviation { declaration.centreDeviation = centreDeviation.share }
    (declaration.tape, declaration.isZeroKnown) = (tape, zeroKnown)
    (declaration.rangeLimit, declaration.scaleLimit) = (limit?.metres, scaleLimit?.share)
    if let limits {
      (declaration.rangeLimit, declaration.scaleLimit) = try LimitsFile(
        limits, example: "range_error: 10mm"
      ).certified
    }
    let selection = files.selection(data, scenes: scenes, frames: frames)
    guard var printed = board?.board else {
      return CertifyJob(selection, distances: distances?.metres ?? [], declaration, target: test)
    }
    if let printDeviation { printed.printDeviation = printDeviation.share }
    var request = BoardRequest(printed, corners: corners, python: python)
    request.began = { Interruption.endsOnInterrupt($0) }
    request.ended = { Interruption.forgets($0) }
    return CertifyJob(selection, request, declaration)
  }

  package func run() async throws {
    console.warnOfOmissions(in: data, mapping: files.mapping)
    let printer = pdf ? try PagePrinter() : nil
    let result = try await job().run(console.observe)
    let words = CertificateWords(result.certificate)
    guard !check else {
      try show(result, words.checked)
      let preventing = result.certificate.findings.filter(\.prevents)
      guard let first = preventing.first else { return }
      throw Failure(message: "cannot certify yet: \(words.text(first).withoutMarks)", code: .failure)
    }
    let folder = try AtomicFolder(
      output ?? "Reports/\(result.name)-certificate", kind: .certificate, overwrite: overwrite)
    try result.write(to: folder)
    let path = folder.path
    let files = folder.partial
    try printer?.print(files + "/report.html", to: files + "/report.pdf")
    try folder.commit(manifest: result.certificate.json)
    try show(result, words.summary + (json ? [] : ["Report: \(path)/report.html"]), beside: path)
  }

  private func show(_ result: CertifyResult, _ sentences: [String], beside path: String? = nil) throws {
    guard !json else { return try console.show(json: try result.certificate.json, beside: path) }
    for sentence in sentences { try console.show(sentence.withoutMarks, beside: path) }
  }
}
