import DepthCore
public import DepthObjects

extension RowFlips {
  /// Stable name of the flips that are made: "box-flip+mask-flip+image-flip"; "none".
  public var id: String {
    let names = [
      boxToDepth ? "box-flip" : nil, depthToMask ? "mask-flip" : nil, depthToImage ? "image-flip" : nil,
    ].compactMap { $0 }
    return names.isEmpty ? "none" : names.joined(separator: "+")
  }

  /// What is true of the data where these flips are right.
  var statement: String {
    func end(_ isFlipped: Bool) -> String { isFlipped ? "bottom" : "top" }
    let rows =
      boxToDepth == depthToMask
      ? "boxes and masks count rows from the \(end(boxToDepth))"
      : "boxes count rows from the \(end(boxToDepth)), masks from the \(end(depthToMask))"
    return depthToImage ? rows : rows + ", and LiDAR rows run against the camera's v"
  }

  /// What to change where these are right and `declared` was read from the file; "nothing" for the same.
  func fix(insteadOf declared: RowFlips) -> String {
    func origin(_ isFlipped: Bool) -> String { (isFlipped ? ImageOrigin.bottomLeft : .topLeft).rawValue }
    var changes: [String] = []
    if boxToDepth != declared.boxToDepth {
      changes.append("set the attribute origin of objects/bbox to '\(origin(boxToDepth))'")
    }
    if depthToMask != declared.depthToMask {
      changes.append("set the attribute origin of objects/mask to '\(origin(depthToMask))'")
    }
    if depthToImage != declared.depthToImage {
      changes.append("store rows of lidar/depth, and cy, from the top of the image")
    }
    return changes.isEmpty ? "nothing" : changes.joined(separator: ", and ")
  }
}
