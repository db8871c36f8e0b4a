#if !canImport(Accelerate)
  import CFathomGlibc
  import Glibc
#endif

/// The libraries that compute for this process. Which they are is the system's choice, and they differ in the last digits.
public enum LinearAlgebraLibrary {
  /// The version of LAPACK: "3.11.0".
  public static let version: String = {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    LAPACKRoutine.ilaver(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }()

  #if canImport(Accelerate)
    /// "Accelerate, LAPACK 3.11.0". It is part of the system and has no file of its own.
    public static let description = "Accelerate, LAPACK \(version)"
  #else
    /// "blas/libblas.so.3.11.0, lapack/liblapack.so.3.11.0": the files that BLAS and LAPACK were loaded from, with the folder of
    /// each, which tells Debian's alternatives apart; and what OpenBLAS says of itself, its kind of processor among it.
    public static let description: String = {
      let files = ["dgemm_", "dgelsd_"].compactMap(file)
      let names = files.enumerated().filter { !files[..<$0.offset].contains($0.element) }.map(\.element)
      return ([names.joined(separator: ", ")] + [openBLAS].compactMap(\.self)).joined(separator: "; ")
    }()

    /// The file that a routine was loaded from: its name and that of its folder.
    private static func file(of routine: String) -> String? {
      var place = fathom_symbol_place()
      guard let address = dlsym(nil, routine), fathom_dladdr(address, &place) != 0, let name = place.file,
        let path = realpath(name, nil)
      else { return nil }
      defer { free(path) }
      return String(cString: path).split(separator: "/").suffix(2).joined(separator: "/")
    }

    private static var openBLAS: String? {
      typealias Configuration = @convention(c) () -> UnsafePointer<CChar>?
      guard let address = dlsym(nil, "openblas_get_config") else { return nil }
      return unsafeBitCast(address, to: Configuration.self)().map { String(cString: $0) }
    }
  #endif
}
