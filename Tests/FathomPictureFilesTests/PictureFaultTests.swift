import FathomPlainText
import FathomStorage
import Glibc
import Testing

@testable import FathomPictureFiles

@Suite("Why a picture cannot be used")
struct PictureFaultTests {
  /// What a C reader ends with that gives a reason and a number.
  private func fault(_ words: String, _ status: Int32) -> PictureFault? {
    do throws(PictureFault) {
      try PictureFault.attempt { reason, size in
        for (index, byte) in words.utf8.prefix(size - 1).enumerated() { reason?[index] = CChar(byte) }
        return status
      }
    } catch { return error }
    return nil
  }

  @Test("a library that had no memory is not the file's fault, whatever it says")
  func memory() {
    let fault = fault("the PNG cannot be read: IDAT: insufficient memory to read chunk", -1)
    #expect(fault?.kind == .noRoom)
    #expect(fault?.reason == "the PNG cannot be read: IDAT: insufficient memory to read chunk")
  }

  @Test("words about memory alone are the file's fault: it may hold them")
  func words() {
    for words in ["Out of memory", "memory is short", "the disk reports an error"] {
      #expect(fault(words, 0)?.kind == .badData)
    }
    #expect(PictureFault("memory is short").kind == .badData)
    #expect(fault("unused", 1) == nil)
  }

  @Test("what the system failed in stays beside other words")
  func cause() {
    #expect(PictureFault(SystemFault(EMFILE)).kind == .noRoom)
    #expect(PictureFault(SystemFault(EIO), "ffmpeg cannot be started").kind == .inputOutput)
    #expect(PictureFault(SystemFault(EIO), "ffmpeg cannot be started").reason == "ffmpeg cannot be started")
    #expect(PictureFault(SystemFault(ENOENT)).kind == .badData)
    #expect(PictureFault(SystemFault(ENOENT)).reason == "there is no such file or folder")
  }

  @Test("damaged files are the files' fault in every reader")
  func damaged() {
    let zeros = [UInt8](repeating: 0, count: 100)
    func isOfFile(_ read: () throws -> Void) -> Bool {
      do { try read() } catch { return (error as? PictureFault)?.kind == .badData }
      return false
    }
    #expect(isOfFile { _ = try PNGReader.header(zeros) })
    #expect(isOfFile { _ = try EXRReader.header(zeros) })
    #expect(isOfFile { _ = try TIFFReader.header(zeros) })
    #expect(isOfFile { _ = try JPEGReader().size(zeros) })
  }
}
