import DepthDataset
import Foundation
import Testing

@Suite struct TruthOriginTests {
  @Test("an origin of truth is stored by its name, and an unknown one is refused")
  func stored() throws {
    let text = String(decoding: try JSONEncoder().encode(TruthOrigin.allCases), as: UTF8.self)
    #expect(text == #"["stored","multiview"]"#)
    #expect(try JSONDecoder().decode([TruthOrigin].self, from: Data(text.utf8)) == TruthOrigin.allCases)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([TruthOrigin].self, from: Data(#"["laser"]"#.utf8))
    }
  }
}
