import DepthCore
import DepthDataset
import FathomPictureFiles
import FathomPlainText
import FathomStorage
import Foundation
import Testing

@testable import DepthImport

/// What becomes of a recording where the machine fails and not a file.
@Suite("Recordings on a machine that fails")
struct MachineFaultTests {
  @Test("what is skipped because of the machine is kept with its kind, whatever the words around it")
  func dropped() {
    var record = RecordBuilder()
    record.add(.dropped, "a.png", "memory is short")
    record.add(.absent, "pictures", "there are no files of them")
    #expect(record.machineFailure == nil)
    let fault = PictureFault(SystemFault(EMFILE))
    record.add(.dropped, "b.png", "\(fault.reason); the frame stays without a picture", kind: fault.kind)
    record.add(.dropped, "c.png", "the disk reports an error", kind: .inputOutput)
    #expect(record.machineFailure?.entry.subject == "b.png")
    #expect(record.machineFailure?.kind == .noRoom)
  }

  @Test("a frame that could not be read has the same kind in the process that asked for it")
  func wire() throws {
    for kind in [FathomError.Kind.badData, .inputOutput, .noRoom] {
      let file = FolderRecording.UnusableFile(
        scene: "room", fault: FrameFault(file: "depth/0.png", reason: "it is cut short", kind: kind))
      let other = try JSONDecoder().decode(
        FolderRecording.UnusableFile.self, from: JSONEncoder().encode(file))
      #expect(other.fault.kind == kind)
      #expect(FolderRecording.isOfRecording(other) == (kind != .badData))
    }
  }

  @Test("a video that cannot be looked into has it, too")
  func video() throws {
    let finding = VideoFinding.unreadable(reason: "it was ended", kind: .noRoom)
    let other = try JSONDecoder().decode(VideoFinding.self, from: JSONEncoder().encode(finding))
    guard case .unreadable("it was ended", .noRoom) = other else {
      Issue.record("\(other)")
      return
    }
  }

  @Test("a file of a recording that sounds like a lack of memory is the file's fault")
  func words() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    let recording = try made.open()
    let fault = FrameFault(file: "depth/000001.png", reason: "memory is short")
    let error = recording.error(FolderRecording.UnusableFile(scene: recording.scenes[0].name, fault: fault))
    #expect(error.kind == .badData && error.advice.hasPrefix("remove the file"))
    let short = FrameFault(file: "depth/000001.png", reason: "memory is short", kind: .noRoom)
    let other = recording.error(FolderRecording.UnusableFile(scene: recording.scenes[0].name, fault: short))
    #expect(other.kind == .noRoom && other.advice == RecordBuilder.tryAgain)
  }
}
