import ArgumentParser
import Foundation
import Testing

@testable import fathom

@Suite("Limits of the system")
struct SystemLimitsTests {
  @Test("too few open files are one line and 74, and none of those tried stays open")
  func files() throws {
    try SystemLimits.check()
    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    // More than any limit that a machine has; where there is none, nothing can be too few.
    let wanted = 20_000_000
    guard limit.rlim_cur < UInt(wanted), limit.rlim_cur < 1 << 17 else { return }
    #expect { try SystemLimits.check(files: wanted) } throws: { error in
      let failure = error as? Failure
      return failure?.code == Failure.inputOutput
        && failure?.message.contains(
          "more files may be opened, and 20000000 are needed; allow more with 'ulimit -n") == true
    }
    try SystemLimits.check()
  }
}
