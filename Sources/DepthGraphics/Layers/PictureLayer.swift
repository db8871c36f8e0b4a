public import DepthCore

/// Something that is drawn on a picture, over what is there already.
///
/// Layers compute in Float32, like the shaders that they follow, without fused operations; a channel is rounded to the
/// nearest 8-bit step at the end, halves to even, and never before.
public protocol PictureLayer: Sendable {
  /// Draws on every pixel of the picture, whatever its resolution: a layer covers the whole field of view.
  func draw(on picture: inout Raster<RGBA>)
}

extension Raster where Element == RGBA {
  /// Layers from bottom to top on nothing.
  public init(_ layers: [any PictureLayer], size: RasterSize) {
    self = .clear(size)
    for layer in layers { layer.draw(on: &self) }
  }
}
