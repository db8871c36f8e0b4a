import DepthCore
import Foundation
import FathomTestSupport

/// Raw heads and what ultralytics makes of them, written by Tests/Reference/make_detector_golden.py.
struct DetectorGolden: Decodable, Sendable {
  struct Case: Decodable, Sendable, CustomTestStringConvertibleByName {
    let name: String
    let classes: Int, coefficients: Int, anchors: Int
    let mask_width: Int, mask_height: Int, stride: Int
    let image_width: Int, image_height: Int
    let confidence: Float, overlap: Float
    let kept: [Int], labels: [Int], mask_pixels: [Int]
    let predictions: Data, prototypes: Data
    let scores: Data, boxes: Data, image_boxes: Data
    let masks: Data, upsampled: Data

    var maskSize: RasterSize { RasterSize(width: mask_width, height: mask_height) }
    var imageSize: RasterSize { RasterSize(width: image_width, height: image_height) }

    var output: DetectorOutput {
      let head = DetectorHead(
        classCount: classes, coefficientCount: coefficients, anchorCount: anchors, prototypeSize: maskSize,
        inputSize: RasterSize(width: mask_width * stride, height: mask_height * stride))
      return DetectorOutput(
        head: head, predictions: Self.numbers(predictions, of: Float16.self).map { Float($0) },
        prototypes: Self.numbers(prototypes, of: Float16.self).map { Float($0) })
    }

    static func rectangles(_ data: Data) -> [PixelRectangle] {
      let n = numbers(data, of: Float.self)
      return Swift.stride(from: 0, to: n.count, by: 4).map {
        PixelRectangle(minX: n[$0], minY: n[$0 + 1], maxX: n[$0 + 2], maxY: n[$0 + 3])
      }
    }

    /// 0…65535 as 0…1.
    static func shares(_ data: Data) -> [Float] { numbers(data, of: UInt16.self).map { Float($0) / 65535 } }

    static func numbers<Number: BitwiseCopyable>(_ data: Data, of type: Number.Type) -> [Number] {
      data.withUnsafeBytes { bytes in
        Swift.stride(from: 0, to: bytes.count, by: MemoryLayout<Number>.size).map {
          bytes.loadUnaligned(fromByteOffset: $0, as: type)
        }
      }
    }
  }

  let cases: [Case]

  static let shared: DetectorGolden = {
    let url = PackageFiles.root.appendingPathComponent("Tests/Reference/golden/detector.json")
    do { return try JSONDecoder().decode(DetectorGolden.self, from: Data(contentsOf: url)) } catch {
      preconditionFailure("the golden detections cannot be read: \(error)")
    }
  }()
}
