internal import CFathomKernels

/// What earlier frames add up to at the pixels of the present one, where they agree with it.
struct TemporalSums {
  let count: Int
  /// Side by side: the depth that others must agree with, its weight, Σwd, Σw, the number of frames, the newest of their depths.
  private var numbers: [Double]

  /// - Parameter present: Depths, metres; NaN where the first that comes is what others must agree with.
  /// - Parameter weights: Of those, one each.
  init(_ present: [Double], weights: [Double]) {
    count = present.count
    numbers = [Double](unsafeUninitializedCapacity: 6 * present.count) { numbers, initialized in
      func put(_ part: Int, _ values: some Collection<Double>) {
        _ = numbers[(part * present.count)...].initialize(fromContentsOf: values)
      }
      put(0, present)
      put(1, weights)
      put(2, repeatElement(0, count: 3 * present.count))
      put(5, repeatElement(.nan, count: present.count))
      initialized = 6 * present.count
    }
  }

  /// Adds a frame where it agrees.
  mutating func add(_ warp: FrameWarp, _ options: TemporalOptions) {
    numbers.withUnsafeMutableBufferPointer { numbers in
      guard let base = numbers.baseAddress else { return }
      var sums = temporal_sums(
        reference: base, referenceWeight: base + count, sum: base + 2 * count, weight: base + 3 * count,
        count: base + 4 * count, newest: base + 5 * count)
      temporal_add(
        warp.depth, warp.weight, count, options.agreement, options.largestDifference, &sums)
    }
  }

  /// Σwd, Σw.
  func sum(_ pixel: Int) -> Double { numbers[2 * count + pixel] }
  func weight(_ pixel: Int) -> Double { numbers[3 * count + pixel] }
  /// Frames that agree.
  func frames(_ pixel: Int) -> Double { numbers[4 * count + pixel] }
  /// Metres; NaN where no frame agrees.
  func newest(_ pixel: Int) -> Double { numbers[5 * count + pixel] }
  /// Metres; NaN where no frame agrees.
  func mean(_ pixel: Int) -> Double { frames(pixel) > 0 ? sum(pixel) / weight(pixel) : .nan }
}
