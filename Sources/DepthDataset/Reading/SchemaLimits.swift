/// What a file may declare. A declared size costs nothing to write and everything to read, so each is compared with
/// these, and against the bytes that are there, before anything is read. Datasets/SCHEMA.md gives the reasons.
package enum SchemaLimits {
  /// Pixels of a depth map, confidence map or network's map: 50 million, a picture of a phone of 48 megapixels. A frame takes about
  /// 140 bytes a pixel to evaluate, so these take 7 GB.
  package static let mapPixels = 3 << 24
  /// Pixels of an image: 67 million, more than any phone's camera has.
  package static let imagePixels = 1 << 26
  /// Pixels of a mask, 2048 × 2048, and of all masks of a frame.
  package static let maskPixels = 1 << 22, frameMaskPixels = 1 << 26
  /// Numbers of a frame in one array of raw detector output.
  package static let detectorNumbers = 1 << 24
  /// Side of an image that a camera or a detector declares.
  package static let imageSide = 65_536.0
  /// Frames or detections of a scene: 46 hours at 60 Hz.
  package static let entries = 10_000_000
  /// Scenes of a file, and stored predictions of a scene.
  package static let scenes = 4096, predictions = 256
  /// Bytes of a name, of a class or frame say.
  package static let nameBytes = 1024
  /// Size of a coordinate, length, pose or intrinsic: a thousand kilometres, a million pixels.
  package static let coordinate = 1e6
  /// Smallest focal length, pixels.
  package static let focalLength = 1e-3
  /// Largest depth, metres; what lies beyond is missing.
  package static let depth: Float = 1e6
  /// Size of a time, seconds: 30,000 years.
  package static let seconds = 1e12
  /// gzip makes at most 1,032 bytes of one; no other filter does better on what a sensor measures.
  package static let expansion = 1032
  /// Declared bytes that need no such proof: they are read in a fraction of a second.
  package static let smallArray = 1 << 26
  /// Entries that need no proof either, and bytes of the file that each of more takes: a chunk's place alone is larger.
  package static let fewEntries = 1024, bytesPerEntry = 8

  /// Whether so many bytes cannot come from what is stored.
  static func isBomb(declared: Int, stored: Int) -> Bool {
    declared > smallArray && declared / expansion > stored
  }

  /// Whether a file is too short for so many frames or detections.
  static func isTooMany(_ entries: Int, in fileBytes: Int) -> Bool {
    entries > fewEntries && entries > fileBytes / bytesPerEntry
  }

  /// Whether a number that is known is beyond what is sensible; what is not finite is unknown.
  static func isAbsurd(_ number: Double, limit: Double = coordinate) -> Bool {
    number.isFinite && abs(number) > limit
  }
}
