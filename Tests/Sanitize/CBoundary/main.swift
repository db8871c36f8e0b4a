// usage: fathom-c-boundary FILE.h5|MAP.exr|MAP.tiff|RECORDING …
// Calls every C library once or more, in this process and without a concurrent task: Valgrind of Debian 12 does not survive the end of
// a main thread, with which a Swift program that has one begins.
import DepthCore
import DepthDataset
import DepthGraphics
import DepthImport
import Foundation
import FathomLinearAlgebra
import FathomPictureFiles

var pixels = 0
for path in CommandLine.arguments.dropFirst() {
  if path.hasSuffix(".exr") || path.hasSuffix(".tiff") {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    pixels += (path.hasSuffix(".exr") ? try EXRReader.map(file) : try TIFFReader.map(file)).values.count
  } else if path.hasSuffix(".h5") {
    let data = try DatasetReader(readingFrom: path)
    for scene in data.scenes {
      for index in 0..<scene.frameCount {
        pixels += try data.frame(index, of: scene, including: .all).lidar.values.count
      }
    }
  } else {
    let recording = try RecordingRequest(path).opened()
    for scene in recording.scenes {
      for index in 0..<scene.frameCount {
        pixels += try recording.frame(index, of: scene, including: .all).lidar.values.count
      }
    }
  }
}

let matrix = Matrix(rows: [[2, 1, 0], [1, 3, 1], [0, 1, 4]])
var found = try SymmetricEigen(matrix).values.reduce(0, +)
found += try leastSquaresBySVD(matrix, [1, 2, 3]).coefficients.reduce(0, +)
found += try leastSquaresByQR(matrix, [1, 2, 3]).reduce(0, +)
found += try leastSquaresByQR(matrix, [1e300, 2, 3]).reduce(0, +)

let canvas = try Canvas(width: 64, height: 48)
canvas.fill(Rectangle(x: 4, y: 4, width: 40, height: 20), .black)
canvas.text("depth", at: [8, 40], TextStyle(size: 10))
let picture = try canvas.png()
print("\(pixels) pixels read, \(picture.count) bytes drawn, \(found.isFinite)")
