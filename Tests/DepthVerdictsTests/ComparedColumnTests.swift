import DepthEvaluation
import Testing

@testable import DepthVerdicts

@Suite("Columns of compared runs")
struct ComparedColumnTests {
  @Test("runs are compared in every column, with the facts of its metric", arguments: MetricColumn.all)
  func compared(_ column: MetricColumn) throws {
    let compared = try #require(ComparedColumn.named(column.id))
    #expect(compared.metric == column && compared.title.hasPrefix(column.metric.title))
    #expect(compared.unit == column.metric.unit && compared.display == column.metric.display)
    #expect(compared.direction == column.metric.direction)
    #expect(compared.forms == (column.metric.isZeroWhereRefused ? [.all] : [.solved, .fallback]))
  }
}
