import CFathomKernels

/// Lists of the members of those bins in which a wanted rank or limit falls, filled by a second pass over the pixels.
struct ErrorLists {
  /// Which bins are counted in.
  enum Bins {
    case absolute, relative  // Those of |d−g|, and of |d−g|/g.
    case coarse(Int)  // The coarse ones of |d−g|/g, by group.
  }

  /// For every bin, coarse ones group after group: the number of its list, or 0.
  private var absolute = [UInt16](repeating: 0, count: ErrorBins.count)
  private var relative: [UInt16]
  private var coarse: [UInt16]
  /// Which coarse bins are wanted, group after group: ``setWords`` words of one bit a bin.
  private var coarseSets: [UInt64]
  private static let setWords = Int(ERROR_COARSE_WORDS)
  private var starts = [0, 0]  // Where each list begins; list 0 is none.
  private var members: [Double] = []
  private var next: [UInt32] = []  // Next free place of each list.

  /// - Parameter relative: Whether bins of |d−g|/g are wanted that are not coarse.
  init(groups: Int, relative isWanted: Bool) {
    relative = Array(repeating: 0, count: isWanted ? ErrorBins.count : 0)
    coarse = Array(repeating: 0, count: groups * ErrorBins.coarseCount)
    coarseSets = Array(repeating: 0, count: groups * Self.setWords)
  }

  var isEmpty: Bool { starts.count == 2 }  // Whether there is nothing to collect.

  /// - Parameter count: Members of the bin.
  mutating func want(_ bin: Int, of bins: Bins, count: Int) {
    guard self[bin, bins] == 0, count > 0 else { return }
    starts.append(starts[starts.count - 1] + count)
    self[bin, bins] = UInt16(starts.count - 2)
    if case .coarse(let group) = bins {
      coarseSets[group * Self.setWords + bin / 64] |= 1 << UInt64(bin % 64)
    }
  }

  private subscript(bin: Int, bins: Bins) -> UInt16 {
    get {
      switch bins {
      case .absolute: absolute[bin]
      case .relative: relative[bin]
      case .coarse(let group): coarse[group * ErrorBins.coarseCount + bin]
      }
    }
    set {
      switch bins {
      case .absolute: absolute[bin] = newValue
      case .relative: relative[bin] = newValue
      case .coarse(let group): coarse[group * ErrorBins.coarseCount + bin] = newValue
      }
    }
  }

  var memberCount: Int { starts[starts.count - 1] }
  /// Gives the members' room back.
  mutating func forget() { members = [] }

  /// Makes room for all members.
  mutating func prepare() {
    members = [Double](repeating: 0, count: memberCount)
    next = starts.dropLast().map { UInt32($0) }
  }

  /// Puts the errors of some pixels to the lists that want them.
  /// - Parameter groups: Those that the pixels belong to.
  mutating func collect(_ pixels: PixelRun, groups: [Int64]) {
    precondition(groups.count <= Int(ERROR_GROUPS_MOST), "no pixel belongs to so many groups")
    members.withUnsafeMutableBufferPointer { members in
      next.withUnsafeMutableBufferPointer { next in
        absolute.withUnsafeBufferPointer { absolute in
          relative.withUnsafeBufferPointer { relative in
            coarse.withUnsafeBufferPointer { coarse in
              coarseSets.withUnsafeBufferPointer { sets in
                var lists = error_lists(
                  absolute: absolute.baseAddress, relative: relative.isEmpty ? nil : relative.baseAddress,
                  coarse: coarse.baseAddress,
                  coarseSets: sets.baseAddress)
                error_terms_collect(
                  pixels.predicted, pixels.reference, pixels.inverse, pixels.count, &lists,
                  groups, groups.count, members.baseAddress, next.baseAddress)
              }
            }
          }
        }
      }
    }
  }

  /// Members of a bin that was wanted, in the order of the pixels.
  subscript(bin: Int, of bins: Bins) -> ArraySlice<Double> {
    let list = Int(self[bin, bins])
    return members[starts[list]..<starts[list + 1]]
  }
}
