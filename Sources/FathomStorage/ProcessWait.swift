private import Glibc

/// The wait for another process to say something, or to listen.
///
/// Time counts in short slices: one in which this process was stopped, or the machine slept, counts no more than the others. A process
/// that computes is waited for; limits of its own end it.
package struct ProcessWait: Sendable {
  /// When to give up, in seconds of waiting.
  package struct Limits: Sendable {
    /// Without use of the processor: the process is stopped, or its disk does not answer.
    package var idle = 60.0
    package var most: Double  // In all.
    package init(idle: Double = 60, most: Double) { (self.idle, self.most) = (idle, most) }
  }

  private static let slice = 0.1
  private let process: Int32, limits: Limits
  private var waited = 0.0, idle = 0.0
  private var used = 0.0  // Processor time that it had used, seconds.

  /// - Parameter process: Number of a child of this process.
  package init(for process: Int32, _ limits: Limits) {
    (self.process, self.limits) = (process, limits)
    used = Self.processorTime(of: process)
  }

  /// Waits until a descriptor can be read, or its other side is closed.
  /// - Returns: Whether that came before the limits were reached.
  package mutating func untilReadable(_ descriptor: Int32) -> Bool { until(Int16(POLLIN), descriptor) }
  /// The same until it can be written.
  package mutating func untilWritable(_ descriptor: Int32) -> Bool { until(Int16(POLLOUT), descriptor) }

  private mutating func until(_ event: Int16, _ descriptor: Int32) -> Bool {
    while true {
      var waiting = pollfd(fd: descriptor, events: event, revents: 0)
      let begin = ContinuousClock.now
      let ready = poll(&waiting, 1, Int32(Self.slice * 1000))
      let seconds = min(Self.slice, (.now - begin) / .seconds(1))
      waited += seconds
      guard waited < limits.most else { return false }
      if ready > 0 {
        idle = 0
        return true
      }
      let now = Self.processorTime(of: process)
      idle = now > used ? 0 : idle + seconds
      used = now
      guard idle < limits.idle else { return false }
    }
  }

  private static func processorTime(of process: Int32) -> Double {
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
