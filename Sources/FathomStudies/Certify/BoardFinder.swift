import FathomRuns
public import DepthCertification
import DepthCore
import FathomPlainText
import FathomStorage
import Foundation

/// A printed board, and where its corners in the pictures are from.
public struct BoardRequest: Sendable {
  public var board: CharucoBoard
  /// A file of JSON with the views of the board; nil where OpenCV looks for them.
  public var corners: String?
  /// Path or name of an interpreter with OpenCV; nil for `python3`.
  public var python: String?
  /// Are given the id of a process that runs, so that an interruption can end it.
  public var began: @Sendable (Int32) -> Void = { _ in }, ended: @Sendable (Int32) -> Void = { _ in }

  public init(_ board: CharucoBoard, corners: String? = nil, python: String? = nil) {
    (self.board, self.corners, self.python) = (board, corners, python)
  }

  /// Of the file.
  func storedViews(_ path: String) throws -> [CharucoBoard.View] {
    let file = SettingsFile(kind: "corners", path: path)
    do {
      return try JSONDecoder().decode([CharucoBoard.View].self, from: Data(try file.text.utf8))
    } catch is DecodingError {
      throw file.unusable(
        "it is not a list of views of a board",
        "write [{\"scene\": \"…\", \"frame\": 0, \"corners\": [{\"id\": 0, \"x\": 812.5, \"y\": 300.2}, …]}, …]"
      )
    }
  }
}

/// Lets OpenCV look for a board in pictures.
struct BoardFinder {
  private struct Picture: Encodable { let scene: String, frame: Int, file: String }
  private struct Request: Encodable { let board: CharucoBoard, pictures: [Picture] }

  private static let batch = 32  // Pictures on the disk at once.
  private let request: BoardRequest, program: PythonProgram, folder: ScratchFolder
  private var pictures: [Picture] = []
  private(set) var views: [CharucoBoard.View] = []

  /// - Throws: `FathomError` where there is no Python, or no folder for pictures.
  init(_ request: BoardRequest) throws {
    self.request = request
    program = try PythonProgram(
      "find the board with", python: request.python,
      advice:
        "install OpenCV for it (pip install opencv-python-headless), name another interpreter with \(option: "python"), or give the corners with \(option: "corners")"
    )
    folder = try ScratchFolder()
  }

  mutating func add(_ image: Raster<RGB>, _ scene: String, _ frame: Int) throws {
    let file = folder.path + "/\(pictures.count).pgm"
    // Luma as OpenCV has it.
    var bytes = Array("P5 \(image.width) \(image.height) 255\n".utf8)
    for pixel in image.values {
      let luma: Int = 4899 * Int(pixel.red) + 9617 * Int(pixel.green) + 1868 * Int(pixel.blue)
      bytes.append(UInt8((luma + 8192) >> 14))
    }
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    pictures.append(Picture(scene: scene, frame: frame, file: file))
    if pictures.count == Self.batch { try find() }
  }

  /// In the pictures since the last time.
  mutating func find() throws {
    guard !pictures.isEmpty else { return }
    let path = folder.path + "/request.json"
    try JSONEncoder().encode(Request(board: request.board, pictures: pictures))
      .write(to: URL(fileURLWithPath: path))
    pictures = []
    var process: Int32?
    defer { process.map(request.ended) }
    let (_, words) = try program.run(PackageResources.find_board_py, [path]) {
      request.began($0)
      process = $0
    }
    guard let found = try? JSONDecoder().decode([CharucoBoard.View].self, from: Data(words.utf8)) else {
      throw program.error(.cannotCreate, "it did not look for the board, so it is not a Python interpreter")
    }
    views += found
  }
}
