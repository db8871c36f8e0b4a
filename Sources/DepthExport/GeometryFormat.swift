/// Files for other programs to look at: MeshLab, CloudCompare, Blender, viewers of USD and glTF.
public enum GeometryFormat: String, Sendable, Hashable, CaseIterable {
  /// Points: binary little-endian PLY (Turk 1994).
  case ply
  /// Boxes: Wavefront OBJ with a material library.
  case obj
  /// Points and boxes: Universal Scene Description as text.
  case usda
  /// Points and boxes: binary glTF 2.0.
  case glb
  /// Whether points appear in it.
  public var holdsPoints: Bool { self != .obj }
  /// Whether boxes appear in it.
  public var holdsBoxes: Bool { self != .ply }

  /// Writes a scene in pieces of about a megabyte, the same bytes for the same scene.
  /// - Parameter scene: What the format does not hold is omitted.
  /// - Parameter materials: Name of the file with ``materials(of:)``, for OBJ.
  /// - Parameter sink: Takes the pieces in order; its error ends the writing.
  public func write<Failure: Error>(
    _ scene: SpatialScene, materials: String = "materials.mtl", to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .ply: try PLYWriter.write(scene, to: sink)
    case .obj: try OBJWriter.write(scene, materials: materials, to: sink)
    case .usda: try USDAWriter.write(scene, to: sink)
    case .glb: try GLBWriter.write(scene, to: sink)
    }
  }

  /// The material library beside the file, in UTF-8; nil where the format has none.
  public func materials(of scene: SpatialScene) -> String? { self == .obj ? OBJWriter.materials(scene) : nil }
}
