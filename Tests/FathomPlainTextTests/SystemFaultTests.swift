import FathomPlainText
import Foundation
import Testing

@Suite("What the system failed in")
struct SystemFaultTests {
  @Test(
    "a resource that was short is told by its number",
    arguments: [ENOMEM, EMFILE, ENFILE])
  func shortage(_ number: Int32) {
    #expect(SystemFault(number).isOfShortage && SystemFault(number).isOfMachine)
  }

  @Test("what a path, a place or a file is like is neither a shortage nor a fault of the machine")
  func place() {
    for number in [ENOENT, EACCES, EROFS, ENOSPC, EDQUOT, EFBIG, EAGAIN, EEXIST] {
      #expect(!SystemFault(number).isOfShortage && !SystemFault(number).isOfMachine, "\(number)")
    }
    #expect(!SystemFault(EIO).isOfShortage && SystemFault(EIO).isOfMachine)
  }

  @Test("a process that cannot be started, or is ended or stopped, is a shortage")
  func processes() {
    for fault in [SystemFault.noProcess, .processWasKilled, .processStalls] { #expect(fault.isOfShortage) }
    #expect(!SystemFault.fewOpenFiles.isOfShortage)
  }

  @Test("words that sound like a shortage make none")
  func words() {
    for words in ["memory is short", "the disk reports an error", "Out of memory"] {
      #expect(!SystemFault.other(words: words).isOfMachine)
    }
  }

  @Test("an error of Foundation becomes the number that lies below it")
  func foundation() {
    let inner = NSError(domain: NSPOSIXErrorDomain, code: Int(ENFILE))
    let outer = NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.fileReadUnknown.rawValue,
      userInfo: [NSUnderlyingErrorKey: inner])
    #expect(SystemFault(outer) == SystemFault(ENFILE))
    #expect(SystemFault(CocoaError(.fileWriteOutOfSpace)) == SystemFault(ENOSPC))
    #expect(SystemFault(CocoaError(.fileNoSuchFile)).words == "there is no such file or folder")
    #expect(SystemFault(CocoaError(.featureUnsupported)).words == "the system gave no reason")
    #expect(
      SystemFault(NSError(domain: "own", code: 3)).words == "the system says no more than 'own 3'")
  }

  @Test("why a program could not be started")
  func starting() {
    func fault(_ number: Int32) -> SystemFault {
      SystemFault(starting: NSError(domain: NSPOSIXErrorDomain, code: Int(number)))
    }
    #expect(fault(EAGAIN) == .noProcess && fault(EBADF) == .fewOpenFiles)
    #expect(fault(ENOENT) == SystemFault(ENOENT))
  }

  @Test("it is the same at the other end of a wire")
  func wire() throws {
    for fault in [
      SystemFault(EIO), .noProcess, .fewOpenFiles, .processWasKilled, .processStalls,
      .other(words: "it sleeps"),
    ] {
      #expect(try JSONDecoder().decode(SystemFault.self, from: JSONEncoder().encode(fault)) == fault)
    }
  }
}
