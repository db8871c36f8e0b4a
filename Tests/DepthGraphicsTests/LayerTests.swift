import DepthCore
import DepthGraphics
import FathomDrawingScales
import Testing

private func map(_ values: [Float]) -> Raster<Float> {
  Raster(width: values.count, height: 1, values: values)
}

@Suite("Layers")
struct LayerTests {
  @Test("perceptual depth has the table's colours, clamps, and lets through what is missing")
  func perceptual() {
    let depth = map([0.2, 1, 2, 2.999, 3, 9, .nan, 0, -1, .infinity])
    let scale = ColourScale(.turbo, range: 1...3, label: "depth", unit: "m")
    let picture = Raster<RGBA>([PerceptualDepth(depth, scale: scale)], size: depth.size)
    for (pixel, value) in zip(picture.values, depth.values) {
      let isKnown = value > 0 && value.isFinite
      #expect(pixel == (isKnown ? scale.colour(of: Double(value)).map { RGBA($0) } : .clear))
    }
  }

  @Test("opacities add up, and an opaque layer hides what is below")
  func stacking() {
    let depth = map([2, 2, .nan])
    let scale = ColourScale(.viridis, range: 1...3, label: "depth")
    let half = PerceptualDepth(depth, scale: scale, opacity: 0.5)
    let twice = Raster<RGBA>([half, half], size: depth.size)
    // Half of 255 is 128, and half of it again over that 191.5.
    #expect(twice.values[0].alpha == 192 && twice.values[0].opaque == scale.colour(of: 2))
    #expect(twice.values[2] == .clear)
    let covered = Raster<RGBA>(
      [DepthRamp(depth, opacity: 1), PerceptualDepth(depth, scale: scale)], size: depth.size)
    #expect(covered.values[1] == scale.colour(of: 2).map { RGBA($0) })
  }

  @Test("a sample on a pixel's centre does not see its missing neighbour")
  func centres() {
    let depth = map([1, .nan, 3])
    let scale = ColourScale(.viridis, range: 1...3, label: "")
    let picture = Raster<RGBA>([PerceptualDepth(depth, scale: scale)], size: depth.size)
    #expect(picture.values.map(\.alpha) == [255, 0, 255])
    let wide = Raster<RGBA>(
      [PerceptualDepth(depth, scale: scale)], size: RasterSize(width: 9, height: 1))
    // Between the centres of a known and a missing pixel nothing is known.
    #expect(wide.values.map(\.alpha) == [255, 255, 0, 0, 0, 0, 0, 255, 255])
  }

  @Test("signed errors: blue too near, brown too far, and what has none is grey or clear")
  func signedError() {
    let differences = map([-0.2, -0.043, 0, 0.043, 0.2, .nan])
    let scale = ColourScale(.vik, range: -0.1...0.1, label: "")
    let grey = Raster<RGBA>([SignedError(differences, limit: 0.1)], size: differences.size)
    #expect(
      grey.values.dropLast().map(\.opaque)
        == differences.values.dropLast().map { scale.colour(of: Double($0)) })
    #expect(grey.values[0].blue > grey.values[0].red && grey.values[4].red > grey.values[4].blue)
    #expect(grey.values[5] == RGBA(SignedError.noValue))
    #expect(!ColourMap.vik.table.contains(SignedError.noValue))
    let clear = Raster<RGBA>([SignedError(differences, limit: 0.1, missing: nil)], size: differences.size)
    #expect(clear.values[5] == .clear)
    #expect(
      SignedError.scale(limit: 0.1).title == "error [mm]" && SignedError.scale(limit: 2).title == "error [m]")
  }

  @Test("differences are taken at the reference's pixels, between those of the prediction")
  func differences() {
    let prediction = map([1, 3])
    let truth = map([1, 1, 2, 0])
    let bilinear = SignedError.differences(of: prediction, from: truth)
    #expect(bilinear.values.prefix(3) == [0, 0.5, 0.5] && bilinear.values[3].isNaN)
    let nearest = SignedError.differences(of: prediction, from: truth, isNearest: true)
    #expect(nearest.values.prefix(3) == [0, 0, 1])
    let residual = FitResidual.residuals(
      of: prediction, at: map([1.5, 2]), confidence: Raster(width: 2, height: 1, values: [1, 2]))
    #expect(residual.values[0].isNaN && residual.values[1] == 1)
    let far = FitResidual.residuals(of: prediction, at: map([1.5, 4]), confidence: nil)
    #expect(far.values[0] == -0.5 && far.values[1].isNaN)
  }

  @Test("validity names the first reason that applies")
  func validity() {
    let states = Validity.states(
      of: map([.nan, 2, 5, 2, 2]), confidence: Raster(width: 5, height: 1, values: [0, 1, 2, 2, 2]),
      relative: map([1, 1, 1, .nan, 1]))
    #expect(states.values == [.missing, .lowConfidence, .outOfRange, .noRelative, .used])
    let picture = Raster<RGBA>([Validity(states)], size: states.size)
    #expect(picture.values.map(\.opaque) == states.values.map(\.colour))
    #expect(Set(Validity.State.allCases.map(\.colour)).count == Validity.State.allCases.count)
  }

  @Test("an image is drawn at the picture's size")
  func image() throws {
    let image = Raster(width: 8, height: 6, filledWith: RGB(red: 10, green: 20, blue: 30))
    let size = RasterSize(width: 20, height: 15)
    let picture = Raster<RGBA>([try CameraImage(image, size: size)], size: size)
    #expect(picture.size == size && picture.isOpaque)
    #expect(Set(picture.values) == [RGBA(red: 10, green: 20, blue: 30)])
  }
}
