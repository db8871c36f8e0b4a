/// A wall of four frames of 8×6 pixels as Stray Scanner stores it.
public enum MadeStray {
  /// - Parameters:
  ///   - step: Of the camera to the right from frame to frame, metres.
  ///   - quaternion: Of every pose, as the table has it.
  public static func write(
    _ name: String, in folder: TemporaryFolder, from time: Double = 0, step: Double = 0.01,
    quaternion: String = "0, 0, 0, 1"
  ) throws {
    try folder.put("1600, 0, 960\n0, 1600, 720\n0, 0, 1\n", "\(name)/camera_matrix.csv")
    var rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for frame in 0..<4 {
      let values = (0..<48).map { UInt16(1500 + 7 * $0 + frame) }
      try folder.put(MadePNG.grey16(8, 6, values), "\(name)/depth/00000\(frame).png")
      try folder.put(
        MadePNG.grey8(8, 6, (0..<48).map { UInt8($0 % 3) }), "\(name)/confidence/00000\(frame).png")
      rows.append("\(time + Double(frame) / 60), \(frame), \(Double(frame) * step), 0, 0, \(quaternion)")
    }
    try folder.put(rows.joined(separator: "\n") + "\n", "\(name)/odometry.csv")
  }
}
