import Foundation
import FathomTestSupport
import Testing

@testable import FathomRuns

@Suite("What a process may use of the machine")
struct MachineLimitsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to path: String) throws {
    let place = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: place, atomically: true, encoding: .utf8)
  }

  private func limits(processors: Int = 16) -> MachineLimits {
    MachineLimits(root: folder.url.path, processors: processors)
  }

  @Test("version 2: the tightest limit of the group and those above it")
  func second() throws {
    try write("0::/slurm/job\n", to: "proc/self/cgroup")
    try write("max 100000\n", to: "sys/fs/cgroup/slurm/job/cpu.max")
    try write("250000 100000\n", to: "sys/fs/cgroup/slurm/cpu.max")
    try write("8589934592\n", to: "sys/fs/cgroup/slurm/job/memory.max")
    try write("max\n", to: "sys/fs/cgroup/slurm/memory.max")
    #expect(limits().cores == 3)
    #expect(limits(processors: 2).cores == 2)
    #expect(limits().memory == 8 << 30)
  }

  @Test("version 1: quota and period, and no limit where the number is near the largest")
  func first() throws {
    try write("4:memory:/docker/a\n3:cpu,cpuacct:/docker/a\n", to: "proc/self/cgroup")
    try write("150000\n", to: "sys/fs/cgroup/cpu/docker/a/cpu.cfs_quota_us")
    try write("100000\n", to: "sys/fs/cgroup/cpu/docker/a/cpu.cfs_period_us")
    try write("9223372036854771712\n", to: "sys/fs/cgroup/memory/docker/a/memory.limit_in_bytes")
    #expect(limits().cores == 2)
    #expect(limits().memory == nil)
  }

  @Test("inside a container the group's own path is not there, and the root says it")
  func container() throws {
    try write("0::/kubepods/pod/a\n", to: "proc/self/cgroup")
    try write("50000 100000\n", to: "sys/fs/cgroup/cpu.max")
    try write("1073741824\n", to: "sys/fs/cgroup/memory.max")
    #expect(limits().cores == 1)
    #expect(limits().memory == 1 << 30)
  }

  @Test("the affinity mask counts")
  func affinity() throws {
    try write(
      "Name:\tfathom\nCpus_allowed:\t00000001,0000000f\nCpus_allowed_list:\t0-3,32\n", to: "proc/self/status")
    #expect(limits().cores == 5)
  }

  @Test("without control groups every processor counts")
  func none() {
    #expect(limits() == MachineLimits(root: folder.path("absent"), processors: 16))
    #expect(limits().cores == 16 && limits().memory == nil)
  }
}
