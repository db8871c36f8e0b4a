import Foundation

/// What this process may use of the machine: its affinity mask and its control group, which give less than the machine has where a
/// scheduler or a container says so.
public struct MachineLimits: Sendable, Hashable {
  /// Cores, at least 1.
  public let cores: Int
  /// Bytes of memory; nil for no limit.
  public let memory: Int?
  /// Of this process.
  public static let current = MachineLimits()

  /// - Parameter root: Where the folders `proc` and `sys` are.
  /// - Parameter processors: Cores of the machine, where the affinity mask is not to be read.
  init(root: String = "", processors: Int = ProcessInfo.processInfo.activeProcessorCount) {
    let processors = Self.allowedProcessors(root: root) ?? processors
    let groups = ControlGroups(root: root)
    cores = max(1, groups.cores.map { min(processors, $0) } ?? processors)
    memory = groups.memory
  }

  /// Cores of the affinity mask: "Cpus_allowed: ff,ffffffff", in hexadecimal.
  private static func allowedProcessors(root: String) -> Int? {
    let status = FileManager.default.contents(atPath: root + "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("Cpus_allowed:")
    }
    let count = line?.split(separator: ":").last?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    return count.flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The control groups of a process, version 1 and 2.
private struct ControlGroups {
  private let root: String
  /// Path of the group by controller; that of version 2 under the empty name.
  private let paths: [String: String]

  init(root: String) {
    self.root = root
    var paths: [String: String] = [:]
    for line in (Self.text(root + "/proc/self/cgroup") ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      for controller in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        paths[String(controller)] = String(parts[2])
      }
    }
    self.paths = paths
  }

  /// Whole cores, rounded up; nil for no limit.
  var cores: Int? {
    let second = values("", "cpu.max").compactMap { text -> Double? in
      let words = text.split(separator: " ")
      guard words.count == 2, let quota = Double(words[0]), let period = Double(words[1]), period > 0
      else { return nil }
      return quota / period
    }
    let quotas = values("cpu", "cpu.cfs_quota_us"), periods = values("cpu", "cpu.cfs_period_us")
    let first = zip(quotas, periods).compactMap { quota, period -> Double? in
      guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0 else { return nil }
      return quota / period
    }
    return (first + second).min().map { Int($0.rounded(.up)) }
  }

  /// Bytes; nil for no limit.
  var memory: Int? {
    let found = (values("", "memory.max") + values("memory", "memory.limit_in_bytes")).compactMap { Int($0) }
    // Version 1 writes a number near the largest where there is none.
    return found.filter { $0 < 1 << 60 }.min()
  }

  /// A file of the group and of all above it, from the group on: a limit of any of them holds.
  private func values(_ controller: String, _ file: String) -> [String] {
    guard var path = paths[controller] else { return [] }
    let folder = root + "/sys/fs/cgroup" + (controller.isEmpty ? "" : "/" + controller)
    var found: [String] = []
    while true {
      if let text = Self.text(folder + path + "/" + file) {
        found.append(text.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      guard let slash = path.lastIndex(of: "/") else { break }
      path = String(path[..<slash])
    }
    return found
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }
}
