import DepthCore
import DepthDataset
import DepthDiagnosis
package import FathomRuns
package import FathomStorage

extension OpenDiagnosis {
  /// Writes pictures of what was contradicted.
  /// - Throws: `FathomError`, `GraphicsError`.
  package func drawPictures(of diagnosis: DatasetDiagnosis, in folder: borrowing AtomicFolder) throws {
    for diagnosed in diagnosis.scenes {
      guard let scene = reader.scenes.first(where: { $0.name == diagnosed.scene }) else { continue }
      let sample = try SceneSample(scene, from: reader)
      var images: [Int: Raster<RGB>] = [:]
      if scene.colourSize != nil {
        for frame in sample.frames {
          images[frame.index] = try reader.frame(frame.index, of: scene, including: .image).image
        }
      }
      let known = images
      for (name, png) in try DiagnosisPictures(diagnosed, of: sample, image: { known[$0] }).files() {
        try folder.file(name).write(png)
      }
    }
    try reader.sources.requireUnchanged()
  }
}
