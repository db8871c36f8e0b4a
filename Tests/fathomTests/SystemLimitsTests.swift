import Foundation
import Testing

@testable import fathom

@Suite("Limits of the system")
struct SystemLimitsTests {
  // In a process of its own: other tests open files at the same time.
  @Test("too few open files are one line and 74")
  func files() async {
    await #expect(processExitsWith: .exitCode(42)) {
      var limit = rlimit(rlim_cur: 20, rlim_max: 20)
      guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { _exit(1) }
      var isExpected = false
      do throws(Failure) { try SystemLimits.check() } catch {
        isExpected =
          error.code == Failure.inputOutput
          && error.message.contains("are needed; allow more with 'ulimit -n")
      }
      _exit(isExpected ? 42 : 2)
    }
  }

  @Test("as many files may be opened as the system allows the process to allow itself")
  func raised() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var limit = rlimit(rlim_cur: 50, rlim_max: 200)
      guard setrlimit(kind, &limit) == 0 else { _exit(1) }
      SystemLimits.raiseFiles()
      guard getrlimit(kind, &limit) == 0 else { _exit(1) }
      _exit(limit.rlim_cur == 200 && limit.rlim_max == 200 ? 42 : 2)
    }
  }
}
