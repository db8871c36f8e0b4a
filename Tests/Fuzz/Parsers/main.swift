import CFuzzer
import Glibc

// libFuzzer on one parser, which FATHOM_FUZZ_PARSER names; the other arguments are libFuzzer's.
let name = getenv("FATHOM_FUZZ_PARSER").map { String(cString: $0) } ?? ""
guard let parser = FuzzedParser.all[name] else {
  print("set FATHOM_FUZZ_PARSER to one of \(FuzzedParser.all.keys.sorted().joined(separator: ", "))")
  exit(64)
}
FuzzedParser.chosen = parser
var count = CommandLine.argc
var words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&count, &words) { bytes, count in
    FuzzedParser.chosen(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
