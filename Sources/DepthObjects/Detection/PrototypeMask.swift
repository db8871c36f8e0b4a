internal import DepthCore
internal import Foundation

/// Masks from coefficients and prototypes.
enum PrototypeMask {
  /// sigmoid(Σ coefficient · prototype) at prototype resolution, 0 outside the box.
  ///
  /// A pixel belongs to the box if its index does: minX ≤ column < maxX, rows alike, in mask pixels (ultralytics'
  /// `crop_mask`). Only the inside of the box is computed, in plain loops: it is small.
  /// - Parameter box: In pixels of the network's input.
  static func decoded(_ output: DetectorOutput, anchor: Int, box: PixelRectangle) -> Raster<Float> {
    let (head, size) = (output.head, output.head.prototypeSize)
    var mask = Raster(width: size.width, height: size.height, filledWith: Float(0))
    let columns = indices(box.minX, box.maxX, inputLength: head.inputSize.width, length: size.width)
    let rows = indices(box.minY, box.maxY, inputLength: head.inputSize.height, length: size.height)
    guard !columns.isEmpty, !rows.isEmpty else { return mask }
    let coefficients = (0..<head.coefficientCount).map {
      output.value(row: 4 + head.classCount + $0, anchor: anchor)
    }
    output.prototypes.withUnsafeBufferPointer { prototypes in
      for row in rows {
        for column in columns {
          var (sum, index) = (Float(0), row * size.width + column)
          for coefficient in coefficients {
            sum += coefficient * prototypes[index]
            index += size.count
          }
          mask[row, column] = 1 / (1 + exp(-sum))
        }
      }
    }
    return mask
  }

  /// The mask pixels whose index lies in [low, high), given in pixels of the input.
  private static func indices(_ low: Float, _ high: Float, inputLength: Int, length: Int) -> Range<Int> {
    let ratio = Float(length) / Float(inputLength)
    func index(_ edge: Float) -> Int {
      Int(saturating: min(max((edge * ratio).rounded(.up), 0), Float(length)))
    }
    let (first, end) = (index(low), index(high))
    return first..<max(first, end)
  }
}
