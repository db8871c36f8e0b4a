import DepthDataset
import FathomHDF5

/// Cameras and detections that break the schema.
extension RejectionTests {
  static let camera: [Case] = [
    Case(
      name: "transposed K", object: "scenes/room/camera/intrinsics",
      reason: "K is transposed: cx and cy stand at K[2,0] and K[2,1]",
      advice: "store it row-major, K[0,2] = cx and K[1,2] = cy: numpy writes K.T"
    ) { try $0.addCamera([20, 0, 0, 0, 21, 0, 15, 10, 1]) },
    Case(
      name: "no focal length", object: "scenes/room/camera/intrinsics",
      reason: "the focal lengths K[0,0] = 0.0 and K[1,1] = 0.0 are not positive",
      advice: "store fx and fy in pixels of image_size"
    ) { try $0.addCamera([Double](repeating: 0, count: 9)) },
    Case(
      name: "last row of K", object: "scenes/room/camera/intrinsics",
      reason: "the last row of K is [0.0, 0.0, 2.0]", advice: "store [0, 0, 1] there"
    ) { try $0.addCamera([20, 0, 15, 0, 21, 10, 0, 0, 2]) },
    Case(
      name: "K of another shape", object: "scenes/room/camera/intrinsics", reason: "its shape is [3, 4]",
      advice: "store [3,3] or [N,3,3]"
    ) { try $0.add("camera/intrinsics", [3, 4], twelve) },
    Case(
      name: "no image size", object: "scenes/room/camera",
      reason: "it has intrinsics but no attribute image_size",
      advice: "set the attribute image_size = [width, height] on the group camera"
    ) { try $0.addCamera(imageSize: nil) },
    Case(
      name: "image size of one number", object: "scenes/room/camera",
      reason: "its attribute image_size is 640",
      advice: "set the attribute image_size = [width, height] on the group camera"
    ) { try $0.addCamera(imageSize: .integer(640)) },
    Case(
      name: "transposed poses", object: "scenes/room/camera/world_from_camera",
      reason: "its matrices are transposed: the translation stands in the last row",
      advice: "store them row-major: numpy writes matrix.T"
    ) {
      let transposed: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1]
      try $0.add("camera/world_from_camera", [2, 4, 4], transposed + transposed)
    },
    Case(
      name: "poses of 3×4", object: "scenes/room/camera/world_from_camera", reason: "its shape is [2, 3, 4]",
      advice: "store [N,4,4]"
    ) { try $0.add("camera/world_from_camera", [2, 3, 4], [Double](repeating: 0, count: 24)) },
    Case(
      name: "ray lengths without K", object: "scenes/room/lidar/depth",
      reason: "it holds ray lengths (kind 'distance'), but the scene has no usable camera/intrinsics",
      advice: "add camera/intrinsics and image_size, or store planar depth"
    ) { try $0.setAttribute("kind", of: "scenes/room/lidar/depth", to: .string("distance")) },
  ]

  static let objects: [Case] = [
    Case(
      name: "objects without frame", object: "scenes/room/objects/frame", reason: "it is absent",
      advice: "say in which frame each detection was seen"
    ) { try $0.createGroup("scenes/room/objects") },
    Case(
      name: "objects without class", object: "scenes/room/objects/class", reason: "it is absent",
      advice: "name the class of each detection"
    ) { try $0.add("objects/frame", [1], [Int32(0)]) },
    Case(
      name: "frame that is not there", object: "scenes/room/objects/frame",
      reason: "detection 1 names frame 2, but the scene has 2", advice: "count frames from 0"
    ) { try $0.addObjects(frames: [0, 2]) },
    Case(
      name: "boxes of another length", object: "scenes/room/objects/bbox",
      reason: "its shape is [3, 4] for 2 detections", advice: "store [M,4]"
    ) { try $0.addObjects(boxes: [3, 4]) },
    Case(
      name: "masks of another length", object: "scenes/room/objects/mask",
      reason: "it holds 3 masks for 2 detections", advice: "store one for each"
    ) {
      try $0.addObjects()
      try $0.add("objects/mask", [3, 2, 2], twelve)
    },
    Case(
      name: "half a true box", object: "scenes/room/objects/truth/yaw", reason: "it is absent",
      advice: "store [M]"
    ) {
      try $0.addObjects()
      try $0.add("objects/truth/center", [2, 3], [Double](repeating: 0, count: 6))
      try $0.add("objects/truth/size", [2, 3], [Double](repeating: 1, count: 6))
    },
    Case(
      name: "a true box with a negative side", object: "scenes/room/objects/truth/size",
      reason: "detection 1 has -0.5", advice: "store lengths; NaN where the true box is unknown"
    ) {
      try $0.addObjects()
      try $0.add("objects/truth/center", [2, 3], [Double](repeating: 0, count: 6))
      try $0.add("objects/truth/size", [2, 3], [.nan, .nan, .nan, 1, -0.5, 1])
      try $0.add("objects/truth/yaw", [2], [0.0, 0])
    },
  ]
}
