#if canImport(Accelerate)
  import Accelerate
#else
  import CFathomLAPACK
#endif

/// The routines of LAPACK that are called, for one right-hand side and matrices in column-major order: the one place that knows which
/// library has them.
///
/// On Linux that is LAPACKE, on Apple's systems Accelerate, which takes every argument by address. Each returns `info`, which counts
/// arguments as LAPACKE does: from the storage order on, which LAPACK itself does not have.
enum LAPACKRoutine {
  #if canImport(Accelerate)
    static func dgesv(_ n: Int32, _ a: inout [Double], _ pivots: inout [Int32], _ b: inout [Double]) -> Int32
    {
      var (n, right, leadingA, leadingB, info) = (n, Int32(1), n, n, Int32(0))
      dgesv_(&n, &right, &a, &leadingA, &pivots, &b, &leadingB, &info)
      return counted(info)
    }

    static func dgelsd(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ b: inout [Double], _ singularValues: inout [Double],
      _ tolerance: Double, _ rank: inout Int32, _ work: inout [Double], _ size: Int32,
      _ integers: inout [Int32]
    ) -> Int32 {
      var (m, n, right, leadingA, leadingB, info) = (m, n, Int32(1), m, Int32(b.count), Int32(0))
      var (tolerance, size) = (tolerance, size)
      dgelsd_(
        &m, &n, &right, &a, &leadingA, &b, &leadingB, &singularValues, &tolerance, &rank, &work, &size,
        &integers,
        &info)
      return counted(info)
    }

    static func dgels(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ b: inout [Double], _ work: inout [Double], _ size: Int32
    ) -> Int32 {
      var (m, n, right, leadingA, leadingB, size, info) = (m, n, Int32(1), m, m, size, Int32(0))
      var plain = letter("N")
      dgels_(&plain, &m, &n, &right, &a, &leadingA, &b, &leadingB, &work, &size, &info)
      return counted(info)
    }

    static func dgeqrf(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ reflectors: inout [Double], _ work: inout [Double]
    ) -> Int32 {
      var (m, n, leading, size, info) = (m, n, m, Int32(work.count), Int32(0))
      dgeqrf_(&m, &n, &a, &leading, &reflectors, &work, &size, &info)
      return counted(info)
    }

    static func dormqr(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ reflectors: inout [Double], _ b: inout [Double],
      _ work: inout [Double]
    ) -> Int32 {
      var (m, n, right, leadingA, leadingB, info) = (m, n, Int32(1), m, m, Int32(0))
      var (left, transposed, size) = (letter("L"), letter("T"), Int32(work.count))
      dormqr_(
        &left, &transposed, &m, &right, &n, &a, &leadingA, &reflectors, &b, &leadingB, &work, &size, &info)
      return counted(info)
    }

    static func dtrtrs(_ n: Int32, _ m: Int32, _ a: inout [Double], _ b: inout [Double]) -> Int32 {
      var (n, right, leadingA, leadingB, info) = (n, Int32(1), m, m, Int32(0))
      var (upper, plain, diagonal) = (letter("U"), letter("N"), letter("N"))
      dtrtrs_(&upper, &plain, &diagonal, &n, &right, &a, &leadingA, &b, &leadingB, &info)
      return counted(info)
    }

    static func dsyev(
      _ n: Int32, _ a: inout [Double], _ values: inout [Double], _ work: inout [Double], _ size: Int32
    ) -> Int32 {
      var (n, leading, size, info) = (n, n, size, Int32(0))
      var (vectors, upper) = (letter("V"), letter("U"))
      dsyev_(&vectors, &upper, &n, &a, &leading, &values, &work, &size, &info)
      return counted(info)
    }

    static func ilaver(_ major: inout Int32, _ minor: inout Int32, _ patch: inout Int32) {
      ilaver_(&major, &minor, &patch)
    }

    private static func counted(_ info: Int32) -> Int32 { info < 0 ? info - 1 : info }
  #else
    /// a, b: n × n, n.
    static func dgesv(_ n: Int32, _ a: inout [Double], _ pivots: inout [Int32], _ b: inout [Double]) -> Int32
    {
      LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, &a, n, &pivots, &b, n)
    }

    /// a, b: m × n, max(m, n). size: of `work`; −1 asks for it and for that of `integers`.
    static func dgelsd(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ b: inout [Double], _ singularValues: inout [Double],
      _ tolerance: Double, _ rank: inout Int32, _ work: inout [Double], _ size: Int32,
      _ integers: inout [Int32]
    ) -> Int32 {
      LAPACKE_dgelsd_work(
        LAPACK_COL_MAJOR, m, n, 1, &a, m, &b, Int32(b.count), &singularValues, tolerance, &rank, &work, size,
        &integers)
    }

    /// a, b: m × n, m. size: of `work`; −1 asks for it.
    static func dgels(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ b: inout [Double], _ work: inout [Double], _ size: Int32
    ) -> Int32 {
      LAPACKE_dgels_work(LAPACK_COL_MAJOR, letter("N"), m, n, 1, &a, m, &b, m, &work, size)
    }

    /// a, reflectors: m × n, n.
    static func dgeqrf(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ reflectors: inout [Double], _ work: inout [Double]
    ) -> Int32 {
      LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, &a, m, &reflectors, &work, Int32(work.count))
    }

    /// b becomes Qᵀ b. a, reflectors: as dgeqrf left them; they stay. b: m.
    static func dormqr(
      _ m: Int32, _ n: Int32, _ a: inout [Double], _ reflectors: inout [Double], _ b: inout [Double],
      _ work: inout [Double]
    ) -> Int32 {
      LAPACKE_dormqr_work(
        LAPACK_COL_MAJOR, letter("L"), letter("T"), m, 1, n, a, m, reflectors, &b, m, &work, Int32(work.count)
      )
    }

    /// b becomes R⁻¹ b. a: m × n, R in its upper triangle; it stays. b: m.
    static func dtrtrs(_ n: Int32, _ m: Int32, _ a: inout [Double], _ b: inout [Double]) -> Int32 {
      LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, letter("U"), letter("N"), letter("N"), n, 1, a, m, &b, m)
    }

    /// a: n × n, its upper triangle; becomes the vectors. size: of `work`; −1 asks for it.
    static func dsyev(
      _ n: Int32, _ a: inout [Double], _ values: inout [Double], _ work: inout [Double], _ size: Int32
    ) -> Int32 {
      LAPACKE_dsyev_work(LAPACK_COL_MAJOR, letter("V"), letter("U"), n, &a, n, &values, &work, size)
    }

    static func ilaver(_ major: inout Int32, _ minor: inout Int32, _ patch: inout Int32) {
      LAPACKE_ilaver(&major, &minor, &patch)
    }
  #endif

  private static func letter(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
}
