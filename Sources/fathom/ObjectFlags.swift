public import ArgumentParser
public import DepthCore
public import DepthEvaluation
public import DepthObjects

extension ObjectPlan.Detections: ExpressibleByArgument {}
extension ObjectPlan.Sampling: ExpressibleByArgument {}
extension Letterbox.Rounding: ExpressibleByArgument {}
extension ImageOrigin: ExpressibleByArgument {}

/// Settings of boxes, placements and detections; like all of ``EvaluationFlags``, also keys of `--config` files.
struct ObjectFlags: ParsableArguments {
  @Flag(
    inversion: .prefixedNo, help: "Box the detected objects, where the data have some (default: --objects).")
  var objects: Bool?
  @Option(
    help:
      "Box methods, comma-separated or repeated: \(BoxMethod.all.map(\.id).joined(separator: ", ")) (default: all)."
  )
  var boxMethods: [WordList] = []
  @Option(
    help:
      "Depth maps to box objects in, comma-separated or repeated: lidar, truth and evaluated methods (default: lidar,spec,auto,truth)."
  )
  var objectDepths: [WordList] = []
  @Option(
    help:
      "Look at every depth map where the LiDAR is confident, at all of the LiDAR's pixels, or at the map's own: confident, lidar or map (default: confident)."
  )
  var objectSampling: ObjectPlan.Sampling?
  @Option(
    help:
      "Detections of the data, or its raw detector output: stored or decoded (default: what there is, stored first)."
  )
  var detections: ObjectPlan.Detections?
  @Option(help: "A detection's score must be above this; below it is a miss (default: 0.75).")
  var detectionConfidence: Float?
  @Option(
    help: "Decoding drops a box that overlaps a better one of its class by more than this (default: 0.5).")
  var detectionOverlap: Float?
  @Option(help: "Decoding keeps this many detections of a frame (default: 300).") var mostDetections: Int?
  @Option(help: "A detection matches a true object from this overlap in the image on (default: 0.5).")
  var matchOverlap: Float?
  @Option(help: "How the image was fitted into the network's input: none or whole-pixels (default: none).")
  var letterboxRounding: Letterbox.Rounding?
  @Option(help: "From where decoded boxes and masks count rows: top-left or bottom-left (default: top-left).")
  var detectorOrigin: ImageOrigin?

  @Option(help: "Lowest confidence of a LiDAR return on an object (default: 2).") var objectConfidence: UInt8?
  @Option(help: "Depths that an object may have, metres (default: 0.1,4).") var objectRange: NumberPair?
  @Option(help: "A point's mask value must be above this (default: 0.5).") var maskThreshold: Float?
  @Option(help: "With fewer depths under the mask all of the box count (default: 3).") var maskedDepths: Int?
  @Option(
    help:
      "Rows to turn over: conventions for what the data call for, app for the app's code, or any of box, mask, image, none (default: conventions)."
  )
  var objectFlips: FlipChoice?
  @Option(help: "Where in a depth pixel its ray starts; the app's code uses 0 (default: 0.5).")
  var unprojectionOffset: Double?

  @Option(help: "Fewest points of a box (default: 10).") var boxPoints: Int?
  @Option(help: "Least side of a box, metres (default: 0.02).") var boxSizeFloor: Double?
  @Option(help: "pca-xz: shares of the sorted depths between which points are taken (default: 0.1,0.9).")
  var specifiedDepths: NumberPair?
  @Option(help: "The same of the methods with an eroded mask (default: 0.05,0.95).") var erodedDepths:
    NumberPair?
  @Option(help: "Erosion of their mask, as a share of the box's shorter side (default: 0.05).")
  var erosionShare: Double?
  @Option(help: "Fewest and most steps of that erosion, mask pixels (default: 1,3).") var erosionSteps:
    NumberPair?

  @OptionGroup(title: "Planes for hit tests, and effects") var planes: PlaneFlags

  /// Overrides what is set here.
  func apply(to settings: inout EvaluationSettings) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&settings.looksAtObjects, objects)
    if !boxMethods.isEmpty { settings.objects.boxMethods = WordList.all(boxMethods) }
    if !objectDepths.isEmpty { settings.objects.depths = WordList.all(objectDepths) }
    set(&settings.objects.sampling, objectSampling)
    if let detections { settings.objects.detections = detections }
    set(&settings.objects.matchOverlap, matchOverlap)
    apply(to: &settings.objects.decoding)
    apply(to: &settings.objects.points)
    apply(to: &settings.objects.boxes)
    planes.apply(to: &settings.objects)
  }

  private func apply(to options: inout DecodingOptions) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&options.confidenceThreshold, detectionConfidence)
    set(&options.overlapThreshold, detectionOverlap)
    set(&options.largestCount, mostDetections)
    set(&options.origin, detectorOrigin)
    set(&options.letterboxRounding, letterboxRounding)
  }

  private func apply(to options: inout ObjectOptions) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&options.minimumConfidence, objectConfidence)
    set(&options.depthRange, objectRange?.floats)
    set(&options.maskThreshold, maskThreshold)
    set(&options.fewestMaskedDepths, maskedDepths)
    if let objectFlips { options.flips = objectFlips.flips }
    set(&options.unprojectionOffset, unprojectionOffset)
    set(&options.letterboxRounding, letterboxRounding)
  }

  private func apply(to options: inout BoxOptions) {
    func set<Value>(_ target: inout Value, _ value: Value?) { if let value { target = value } }
    set(&options.minimumPoints, boxPoints)
    set(&options.sizeFloor, boxSizeFloor)
    set(&options.specifiedDepthShares, specifiedDepths?.range)
    set(&options.erodedDepthShares, erodedDepths?.range)
    set(&options.erosionShare, erosionShare)
    set(&options.erosionSteps, erosionSteps?.integers)
  }
}
