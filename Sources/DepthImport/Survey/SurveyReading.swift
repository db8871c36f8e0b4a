internal import DepthCore
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomPlainText

/// A group of files with what was seen in it.
package struct SurveyedGroup: Sendable {
  let group: FileGroup, content: FileContent, role: GroupRole?
  /// What its files name besides, or instead of, maps.
  private(set) var named: NamedNumbers?

  init(_ group: FileGroup, _ folder: RecordingFolder) {
    self.group = group
    let file = folder.fileName(of: group.names[group.names.count / 2])
    var content = FileContent(file, of: folder)
    if group.isStack, let header = try? folder.probe(group.names[0]) { content = .map(header, nil) }
    if case .map(let header, _) = content {
      do throws(PictureFault) { content = .map(header, try MapNumbers(group.names, of: folder)) } catch {
        content = .other("\(FileEnding.of(group.pattern).uppercased()) \(header.form): \(error.reason)")
      }
    }
    (self.content, role) = (content, GroupRole(group, content))
    if case .numbers(let numbers) = content { named = numbers }
    if case .map(let header, _?) = content, header.keys.count > 1, FileEnding.of(group.pattern) == "npz" {
      named = try? NamedNumbers(at: folder.path(of: file))
    }
  }

  var size: RasterSize? {
    switch content {
    case .map(let header, _): header.size
    case .picture(let size): size
    default: nil
    }
  }

  var isAligned: Bool { Self.isAligned(named: group.pattern) }

  /// Whether a name says that depth was brought into the colour camera's view: "aligned_depth_to_color".
  package static func isAligned(named name: String) -> Bool {
    !Set(GroupRole.nameWords(name)).isDisjoint(with: ["aligned", "align", "registered"])
  }

  /// Whether its numbers are levels of confidence; of a few frames, every pixel may have the same.
  var holdsLevels: Bool { numbers?.levels.map { GroupRole.isConfidence($0, areFew: true) } ?? false }

  var numbers: MapNumbers? {
    if case .map(_, let numbers) = content { return numbers }
    return nil
  }
}

/// How the groups of a folder become frames.
struct SurveyReading {
  let groups: [SurveyedGroup]
  /// What can be depth; more than one where nothing decides.
  let depths: [SurveyedGroup]
  /// Depth from the depth camera's own view, where there is also depth that was brought into the colour camera's.
  let unaligned: [String]
  let confidence: SurveyedGroup?, colour: SurveyedGroup?, truth: SurveyedGroup?
  /// Named as confidence, and no levels of it: real numbers, as networks write them.
  let realConfidence: [String]
  let roles: [String: NumberRole], units: [DepthUnit], hasCamera: Bool
  /// Whether ``depths`` are disparities, because nothing else can be depth.
  let areDisparities: Bool

  /// - Parameter hasCamera: Whether the user says the intrinsics.
  init(_ groups: [SurveyedGroup], _ folder: RecordingFolder, scale: Double?, hasCamera: Bool) {
    self.hasCamera = hasCamera
    let all = groups
    func of(_ kind: GroupRole.Kind) -> [SurveyedGroup] { all.filter { $0.role?.kind == kind } }
    func likely(_ groups: [SurveyedGroup]) -> [SurveyedGroup] {
      let named = groups.filter { $0.role?.isNamed == true }
      let left = named.isEmpty ? groups : named
      // A map of the whole scene lies beside those of the frames.
      let most = left.map(\.group.names.count).max() ?? 0
      return left.filter { $0.group.names.count > 1 || most < Self.manyFrames }
    }
    let own = likely(of(.depth).filter { $0.numbers != nil }),
      truths = likely(of(.truth).filter { $0.numbers != nil })
    let disparities = likely(
      of(.prediction).filter { group in
        group.numbers != nil
          && !GroupRole.disparity.isDisjoint(with: GroupRole.nameWords(group.group.pattern))
      })
    areDisparities = own.isEmpty && truths.isEmpty && !disparities.isEmpty
    let aligned = own.filter(\.isAligned)
    depths = areDisparities ? disparities : own.isEmpty ? truths : aligned.isEmpty ? own : aligned
    unaligned = aligned.isEmpty ? [] : own.filter { !$0.isAligned }.map(\.group.pattern)
    let ownTruths = truths.filter { $0.group.outermost == own.first?.group.outermost }
    truth = own.isEmpty || ownTruths.count != 1 ? nil : ownTruths[0]
    let (depth, frames) = (depths.first, depths.first?.group)
    // What lies in a folder with other depth belongs to that.
    let elsewhere = Set(depths.dropFirst().compactMap(\.group.outermost)).subtracting([
      frames?.outermost ?? ""
    ])
    func isElsewhere(_ group: SurveyedGroup) -> Bool {
      group.group.outermost.map(elsewhere.contains) ?? false
    }
    let groups = groups.filter { !isElsewhere($0) }
    self.groups = groups
    func fits(_ group: SurveyedGroup) -> Bool { !isElsewhere(group) && group.group.sharesNames(with: frames) }
    func near(_ group: SurveyedGroup) -> Int { group.group.closeness(to: frames?.pattern ?? "") }
    let confidences = of(.confidence).filter { fits($0) && $0.size == depth?.size }
    confidence = likely(confidences.filter(\.holdsLevels)).max { near($0) < near($1) }
    realConfidence = confidences.filter { !$0.holdsLevels }.map(\.group.pattern)
    colour = likely(of(.colour).filter(fits))
      .max { a, b in (near(a), a.size?.count ?? 0) < (near(b), b.size?.count ?? 0) }
    let sizes = [depth?.size, colour?.size].compactMap(\.self)
    roles = Dictionary(
      groups.compactMap { group -> (String, NumberRole)? in
        guard let numbers = group.named else { return nil }
        return (
          group.group.pattern,
          NumberRole(
            group.group, numbers, of: folder, frames: frames, sizes: sizes,
            isAligned: depth?.isAligned == true)
        )
      }, uniquingKeysWith: { first, _ in first })
    guard let depth, let numbers = depth.numbers else {
      units = []
      return
    }
    if areDisparities {
      units = []
    } else if let scale {
      units = [DepthUnit(metres: scale, name: "as requested", evidence: "as requested")]
    } else {
      let kinds = roles.values.flatMap(\.kinds)
      units = DepthUnit.possible(
        depth.group, numbers, stated: Self.statedScale(groups), isOfPhone: confidence != nil,
        isOfModel: roles.values.contains(where: \.isOfModel),
        hasPoses: kinds.contains(where: \.isOfPoses) && kinds.contains(where: \.isOfCamera))
    }
  }

  private static let manyFrames = 8

  /// A file of each group that is read besides the depth.
  var used: [String] {
    let poses = sortedRoles.first { $0.value.kinds.last?.isOfPoses == true }?.key
    let numbers = groups.filter { [camera?.pattern, poses].contains($0.group.pattern) }
    return ([confidence, colour, truth].compactMap(\.self) + numbers).map { $0.group.names[0] }
  }

  /// The files of numbers, those first that lie nearest to the depth.
  var sortedRoles: [(key: String, value: NumberRole)] {
    let depth = depths.first?.group.pattern ?? ""
    func near(_ pattern: String) -> Int {
      groups.first { $0.group.pattern == pattern }?.group.closeness(to: depth) ?? 0
    }
    return roles.map { (near: near($0.key), role: $0) }
      .sorted { a, b in a.near == b.near ? a.role.key < b.role.key : a.near > b.near }.map(\.role)
  }

  /// What a file says under a name such as "depth_scale", or "scale" beside a camera.
  private static func statedScale(_ groups: [SurveyedGroup]) -> (words: String, metres: Double)? {
    for group in groups {
      guard case .numbers(let numbers) = group.content, group.group.names.count == 1 else { continue }
      for key in numbers.entries.keys.sorted() {
        if key.hasSuffix("[*].depth_file_path") {
          return ("\(group.group.pattern) names depth in millimetres (\(key))", 0.001)
        }
        let parts = Set(GroupRole.nameWords(key.replacing(".", with: "/")))
        guard !parts.isDisjoint(with: ["scale", "factor", "shift"]),
          !parts.isDisjoint(with: ["depth", "camera"]),
          let value = numbers.numbers(key), Set(value).count == 1, value[0] > 0
        else { continue }
        let words = "\(key) in \(group.group.pattern) is \(DepthWords.number(value[0]))"
        // The BOP challenge's factor gives millimetres.
        if numbers.entries.keys.contains(where: { $0.hasSuffix("cam_K") }) {
          return (words + ": millimetres of one count", value[0] / 1000)
        }
        return (words, value[0] >= 100 ? 1 / value[0] : value[0])
      }
    }
    return nil
  }

  func described(_ group: SurveyedGroup) -> FolderSurvey.Group {
    var line = FolderSurvey.Group(
      files: group.group.pattern, count: group.group.isStack ? 1 : group.group.names.count,
      numbers: group.group.range, kind: "",
      size: group.size?.description)
    let ending = FileEnding.of(group.group.pattern).uppercased()
    switch group.content {
    case .map(let header, let numbers):
      let maps = group.group.isStack ? "\(group.group.names.count) maps, " : ""
      line.kind = "\(ending) \(maps)\(header.form)"
      if let numbers {
        line.range =
          "\(DepthWords.significant(numbers.minimum)) to \(DepthWords.significant(numbers.maximum)), median \(DepthWords.significant(numbers.median))"
      }
    case .picture: line.kind = "\(ending) pictures"
    case .numbers:
      let role = roles[group.group.pattern]
      line.kind = role?.words ?? "numbers"
      if let kind = role?.kinds.first { line.role = kind.isOfPoses ? "poses" : "camera" }
    case .other(let kind), .unknown(let kind): line.kind = kind
    }
    if let role = group.role { (line.role, line.why) = (role.kind.rawValue, role.why) }
    return line
  }

  /// Why the files may belong together otherwise.
  func doubts(_ depth: SurveyedGroup) -> [String] {
    var doubts: [String] = []
    for other in [truth, confidence, colour].compactMap(\.self) {
      let (own, its) = (depth.group.captures.map(FrameKey.number), other.group.captures.map(FrameKey.number))
      if depth.group.numbering == .numbers, other.group.numbering == .numbers, own.count == its.count,
        own != its
      {
        doubts.append(
          "whether \(depth.group.pattern) (\(depth.group.range)) and \(other.group.pattern) (\(other.group.range)) belong together by number or in their order"
        )
      }
    }
    for (pattern, role) in sortedRoles {
      if role.kinds.contains(where: \.areInOrder), role.poseCount != depth.group.names.count {
        doubts.append(
          "to which of the \(depth.group.names.count) frames the \(role.poseCount) poses of \(pattern) belong"
        )
      }
    }
    if lacksCamera {
      doubts.append("the intrinsics, because \(DepthKind.whyRays)")
    }
    for other in hasCamera ? [] : camera?.others ?? [] {
      doubts.append("which camera is the depth's: \(camera?.pattern ?? "") or \(other)")
    }
    if !hasCamera, let size = camera?.size, let own = depth.size {
      let (a, b) = (Double(own.width) / Double(own.height), Double(size.width) / Double(size.height))
      if abs(a / b - 1) > Self.mostApart {
        doubts.append("the depth's camera: \(own) has another aspect than \(size), the camera's pictures")
      }
    }
    let kinds = roles.values.flatMap(\.kinds)
    if depth.role?.isNamed == false, depth.numbers?.areWhole == false, !kinds.contains(where: \.isOfPoses) {
      doubts.append(
        "whether \(depth.group.pattern) is measured depth, or a network's maps, which belong beside a recording"
      )
    }
    return doubts
  }

  /// Whether the depth is known to be lengths of rays.
  var areRays: Bool {
    depths.first.map { DepthKind(ofFilesNamed: $0.group.names) == .distance } ?? false
  }

  var lacksCamera: Bool { areRays && camera == nil && !hasCamera }

  /// The camera that is taken, and others that could be as well.
  var camera: (pattern: String, size: RasterSize, isOfFrames: Bool, others: [String])? {
    var found:
      [(pattern: String, size: RasterSize, isOfFrames: Bool, rank: Int, numbers: RecordedIntrinsics?)] = []
    for (pattern, role) in sortedRoles {
      guard let kind = role.kinds.first, let size = kind.cameraSize else { continue }
      let isOfFrames = if case .intrinsicsOfFrames = kind { true } else { false }
      // The depth's own camera comes first; one for each frame is measured.
      let rank = (size == depths.first?.size ? 2 : size == colour?.size ? 1 : 0) * 2 + (isOfFrames ? 1 : 0)
      found.append((pattern, size, isOfFrames, rank, role.camera))
    }
    guard let rank = found.map(\.rank).max() else { return nil }
    let best = found.filter { $0.rank == rank }
    func four(_ k: RecordedIntrinsics?) -> [Double] { k.map { [$0.fx, $0.fy, $0.cx, $0.cy] } ?? [] }
    let others = best.dropFirst().filter { four($0.numbers) != four(best[0].numbers) }.map(\.pattern)
    return (best[0].pattern, best[0].size, best[0].isOfFrames, others)
  }

  /// Why the pictures do not show the depth's view: another aspect, or a camera of their own with another field of view.
  var otherView: String? {
    guard let own = depths.first?.size, let size = colour?.size else { return nil }
    let factor = Double(own.width) / Double(size.width)
    if abs(factor * Double(size.height) / Double(own.height) - 1) > Self.mostApart {
      return camera?.size == size ? nil : "they are \(size), and the depth is \(own)"
    }
    guard let camera, camera.size == own, depths.first?.isAligned != true,
      let k = roles[camera.pattern]?.camera
    else { return nil }
    func isOther(_ its: RecordedIntrinsics) -> Bool {
      abs(its.fx * factor / k.fx - 1) > Self.mostApart
        || abs(its.cx * factor - k.cx) > Self.mostApart * Double(own.width)
    }
    if let its = roles[camera.pattern]?.otherCameras.first(where: { ($0.imageSize ?? size) == size }),
      isOther(its)
    {
      return "\(camera.pattern) holds a camera of \(size) besides the depth's"
    }
    return sortedRoles.first { pattern, role in
      guard pattern != camera.pattern, let its = role.camera, role.kinds.first?.cameraSize == size else {
        return false
      }
      return isOther(its)
    }.map { "\($0.key) is their camera, and \(camera.pattern) is the depth's" }
  }

  /// Shares of the aspect, the focal length and the width by which two views that are one may differ.
  private static let mostApart = 0.03
}

extension NumberRole.Kind {
  var isOfPoses: Bool {
    switch self {
    case .poses, .poseList, .posesOfFrames: true
    case .intrinsics, .intrinsicsOfFrames: false
    }
  }
  var isOfCamera: Bool { !isOfPoses }
  /// The picture that a camera belongs to.
  var cameraSize: RasterSize? {
    switch self {
    case .intrinsics(let size), .intrinsicsOfFrames(let size): size
    case .poses, .poseList, .posesOfFrames: nil
    }
  }
  var areInOrder: Bool {
    if case .poses(.inOrder) = self { true } else { false }
  }
}

extension FileGroup {
  /// Whether files of both have a number or a name in common, or are nearly at the same times.
  func sharesNames(with other: FileGroup?) -> Bool {
    guard let other else { return true }
    if names.count == 1 && other.names.count == 1 { return true }
    if numbering == .times || other.numbering == .times { return numbering == other.numbering }
    let numbers = Set(captures.compactMap(FrameKey.number))
    return captures.contains { other.captures.contains($0) }
      || other.captures.contains { FrameKey.number($0).map(numbers.contains) ?? false }
  }
}
