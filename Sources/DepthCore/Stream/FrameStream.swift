/// Frames of a scene one after the other: the calling task reads them, up to `jobs` tasks work on them, and the results come back
/// in the order of the frames, whatever the number of jobs.
///
/// Memory does not grow with the number of frames: one is read ahead, and few results wait for an earlier one.
public struct FrameStream: Sendable {
  /// Positions of the frames in their scene, ascending.
  public let indices: [Int]
  /// Frames that are worked on at once, at least 1.
  public let jobs: Int

  public init(_ indices: some Sequence<Int>, jobs: Int) {
    self.indices = Array(indices)
    self.jobs = max(1, jobs)
  }

  private var window: Int { 4 * jobs }  // How far the stream may run ahead of a slow frame.

  private enum Step<Output: Sendable, Later: Sendable>: Sendable {
    case worked(position: Int, Output)
    case later(Later)
  }

  /// - Parameter read: Reads a frame and what belongs to it; called in order, by the calling task only.
  /// - Parameter work: What is done with it, at the same time as others.
  /// - Parameter take: Takes a result in, in the order of the frames.
  /// - Throws: What `read` throws; frames under way are finished first.
  public func run<Input: Sendable, Output: Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, read: (Int) throws(Failure) -> Input,
    work: @escaping @Sendable (Input) -> Output, take: (Int, Output) -> Void
  ) async throws(Failure) {
    try await run(isolation: isolation, read: read, work: work) { index, output in
      take(index, output)
      return [@Sendable () -> Void]()
    } later: { () in
    }
  }

  /// The same where results call for more work, such as a comparison with the frame before.
  /// - Parameter take: Takes a result in, in the order of the frames; what it returns is done at the same time as the rest.
  /// - Parameter later: Takes in what that gave, in any order.
  /// - Throws: What `read` throws; what is under way is finished first.
  public func run<Input: Sendable, Output: Sendable, Later: Sendable, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    read: (Int) throws(Failure) -> Input, work: @escaping @Sendable (Input) -> Output,
    take: (Int, Output) -> [@Sendable () -> Later], later: (Later) -> Void
  ) async throws(Failure) {
    let outcome: Result<Void, Failure> = await withTaskGroup(
      of: Step<Output, Later>.self, isolation: isolation
    ) { group in
      var (underWay, next, waiting) = (0, 0, [Int: Output]())
      /// What is to be done because of a step.
      func finish(_ step: Step<Output, Later>) -> [@Sendable () -> Later] {
        underWay -= 1
        switch step {
        case .later(let result):
          later(result)
          return []
        case .worked(let position, let output):
          waiting[position] = output
          var more: [@Sendable () -> Later] = []
          while let ready = waiting.removeValue(forKey: next) {
            more += take(indices[next], ready)
            next += 1
          }
          underWay += more.count
          return more
        }
      }
      for (position, index) in indices.enumerated() {
        do throws(Failure) {
          let input = try read(index)
          while underWay >= jobs || position - next >= window, let step = await group.next() {
            for more in finish(step) { group.addTask { .later(more()) } }
          }
          group.addTask { .worked(position: position, work(input)) }
          underWay += 1
        } catch {
          await group.waitForAll()
          return .failure(error)
        }
      }
      while let step = await group.next() {
        for more in finish(step) { group.addTask { .later(more()) } }
      }
      return .success(())
    }
    try outcome.get()
  }
}
