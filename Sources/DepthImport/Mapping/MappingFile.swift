private import Foundation
internal import FathomMapFiles
import FathomPlainText
internal import FathomPictureFiles
public import FathomStorage
internal import FathomYAMLText
internal import Yams

public enum MappingFile {
  /// - Throws: `FathomError` `.noInput` where the file cannot be read; `.badData` where it is not a mapping.
  public static func mapping(at path: String) throws(FathomError) -> RecordingMapping {
    let bytes: [UInt8]
    do throws(PictureFault) { bytes = try FileBytes.read(path) } catch {
      throw FathomError(
        .noInput, attempted: "read the mapping", place: path, reason: error.reason, advice: "check the path")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FathomError(
        .badData, attempted: "read the mapping", place: path, reason: "it is not UTF-8 text",
        advice: "write it as UTF-8")
    }
    return try mapping(text, named: path)
  }

  /// - Parameter name: The file, for errors.
  /// - Throws: `FathomError` `.badData` where it is not a mapping.
  public static func mapping(_ text: String, named name: String) throws(FathomError) -> RecordingMapping {
    func refused(_ reason: String) -> FathomError {
      FathomError(
        .badData, attempted: "read the mapping", place: name, reason: "\(reason)",
        advice:
          "docs/importing.md names the keys, and 'fathom import \(flag: "print-mapping") stray' prints an example"
      )
    }
    do {
      guard let document = try YAMLText.document(text) else { throw refused("it is empty") }
      return try YAMLDecoder().decode(RecordingMapping.self, from: document)
    } catch let error as FathomError {
      throw error
    } catch let fault as MappingFault {
      throw refused(fault.words)
    } catch let error as DecodingError {
      throw refused(MappingFault(error, at: []).words)
    } catch { throw refused("\(error)") }
  }
}
