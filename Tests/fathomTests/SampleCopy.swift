import DepthCore
import DepthDataset
import Foundation
import FathomTestSupport

/// The committed example data set.
let sample = PackageFiles.root.appendingPathComponent("Datasets/sample.h5").path

/// A copy of the sample without image and detections, with every header and frame changed.
func sampleCopy(
  to path: String, header change: (inout SceneHeader) -> Void = { _ in },
  frame edit: (inout DepthFrame) -> Void = { _ in }
) throws {
  let reader = try DatasetReader(readingFrom: sample)
  var writer = try DatasetWriter(creating: path, attributes: reader.attributes)
  for scene in reader.scenes {
    var header = scene
    header.colourSize = nil
    change(&header)
    try writer.addScene(header)
    for index in 0..<scene.frameCount {
      var frame = try reader.frame(index, of: scene)
      edit(&frame)
      try writer.write(frame, to: header.name)
    }
  }
  try writer.commit()
}
