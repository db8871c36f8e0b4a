internal import FathomPlainText
public import FathomStorage

/// A format that Fathom knows: a mapping that is built into the program.
public struct Preset: Sendable {
  /// The mapping as YAML, to be printed, copied and changed.
  public let text: String
  public let mapping: RecordingMapping

  private init(_ name: String, _ bytes: [UInt8]) throws(FathomError) {
    text = String(decoding: bytes, as: UTF8.self)
    mapping = try MappingFile.mapping(text, named: "\(name).yaml")
  }

  /// All of them, in the order in which they are listed.
  /// - Throws: `FathomError` where one of them is not a mapping, which a test would have found.
  public static func all() throws(FathomError) -> [Preset] {
    var presets: [Preset] = []
    for (name, bytes) in [
      ("stray", PackageResources.stray_yaml), ("scanner3d", PackageResources.scanner3d_yaml),
      ("tum", PackageResources.tum_yaml), ("seven-scenes", PackageResources.seven_scenes_yaml),
      ("redwood", PackageResources.redwood_yaml), ("marigold-dc", PackageResources.marigold_dc_yaml),
      ("record3d", PackageResources.record3d_yaml), ("r3d", PackageResources.r3d_yaml),
      ("arkitscenes", PackageResources.arkitscenes_yaml),
      ("arkitscenes-upsampling", PackageResources.arkitscenes_upsampling_yaml),
      ("nerfstudio", PackageResources.nerfstudio_yaml), ("instant-ngp", PackageResources.instant_ngp_yaml),
      ("nerfcapture", PackageResources.nerfcapture_yaml), ("polycam", PackageResources.polycam_yaml),
      ("bop", PackageResources.bop_yaml), ("colmap", PackageResources.colmap_yaml),
      ("nyu", PackageResources.nyu_yaml), ("kitti-depth", PackageResources.kitti_depth_yaml),
      ("kitti-stereo", PackageResources.kitti_stereo_yaml), ("diode", PackageResources.diode_yaml),
      ("ibims", PackageResources.ibims_yaml),
      ("eth3d", PackageResources.eth3d_yaml), ("middlebury", PackageResources.middlebury_yaml),
      ("sintel", PackageResources.sintel_yaml), ("replica", PackageResources.replica_yaml),
      ("lingbot", PackageResources.lingbot_yaml), ("sunrgbd", PackageResources.sunrgbd_yaml),
      ("moge", PackageResources.moge_yaml),
      ("tartanair", PackageResources.tartanair_yaml),
      ("tartanair-v2", PackageResources.tartanair_v2_yaml), ("scannetpp", PackageResources.scannetpp_yaml),
      ("hypersim", PackageResources.hypersim_yaml), ("vkitti2", PackageResources.vkitti2_yaml),
      ("scannet", PackageResources.scannet_yaml), ("ros", PackageResources.ros_yaml),
      ("frames", PackageResources.frames_yaml),
      ("folder", PackageResources.folder_yaml),
    ] { presets.append(try Preset(name, bytes)) }
    return presets
  }

  /// - Throws: `FathomError` `.usage` where there is no such format.
  public static func named(_ name: String) throws(FathomError) -> Preset {
    let all = try all()
    if let preset = all.first(where: { $0.mapping.name == name }) { return preset }
    throw FathomError(
      .usage, attempted: "use", place: "the format '\(name)'", reason: "there is no format of this name",
      advice: EditDistance.advice(for: name, among: all.map(\.mapping.name)))
  }
}
