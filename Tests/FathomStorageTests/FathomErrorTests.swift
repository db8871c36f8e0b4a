import FathomPlainText
import FathomStorage
import Glibc
import Testing

@Suite("What kind of error a fault makes")
struct FathomErrorTests {
  @Test("writing: a full disk and a lack of memory are a lack of room, all else is the disk's")
  func writing() {
    for number in [ENOSPC, ENOMEM, EMFILE, ENFILE] {
      #expect(FathomError.writingKind(SystemFault(number)) == .noRoom, "\(number)")
    }
    for number in [EIO, EDQUOT, EFBIG, EROFS, EPIPE] {
      #expect(FathomError.writingKind(SystemFault(number)) == .inputOutput, "\(number)")
    }
    #expect(FathomError.writingKind(.other(words: "the disk is full")) == .inputOutput)
  }

  @Test("reading: a lack of memory, of processes or of files, or a disk that fails, is not the file's")
  func reading() {
    for fault in [
      SystemFault(ENOMEM), SystemFault(EMFILE), .noProcess, .processWasKilled, .processStalls,
    ] {
      #expect(FathomError.readingKind(fault) == .noRoom)
    }
    #expect(FathomError.readingKind(SystemFault(EIO)) == .inputOutput)
    for fault in [nil, SystemFault(ENOENT), SystemFault(EACCES), .other(words: "memory is short")] {
      #expect(FathomError.readingKind(fault) == .badData)
    }
  }

  @Test("an error says the fault in words, and has its kind")
  func written() {
    let error = FathomError.inputOutput("out.csv", SystemFault(ENOSPC), "free some space")
    #expect(error.kind == .noRoom)
    #expect(error.description == "cannot write out.csv: the disk is full; free some space")
  }

  @Test("the machine is blamed where another try may end otherwise")
  func blame() {
    let kinds: [FathomError.Kind] = [
      .usage, .badData, .noInput, .internal, .cannotCreate, .inputOutput, .noRoom,
    ]
    #expect(kinds.filter(\.blamesMachine) == [.inputOutput, .noRoom])
    #expect(kinds.filter(\.blamesInput) == [.badData, .noInput])
  }
}
