import DepthCharts
import Testing

@Suite("Data beside a figure")
struct ChartTableTests {
  @Test func chart() {
    let table = Figure.chart(
      Chart(
        "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"),
        series: [
          ChartSeries("ols, \"raw\"", x: [0, 1], y: [0.1, nil], low: [0.05, nil], high: [1.0 / 3, nil]),
          ChartSeries("ideal", x: [0], y: [1], isReference: true),
        ], marks: [ChartMark(x: 0.5, label: "specified")],
        shade: ChartShade("truth", x: [0, 1], shares: [0.25, nil]))
    ).table
    #expect(
      table.csv == """
        series,kind,x,y,low,high
        "ols, ""raw""\",data,0.0,0.1,0.05,0.3333333333333333
        "ols, ""raw""\",data,1.0,,,
        ideal,reference,0.0,1.0,,
        truth,shade,0.0,0.25,,
        truth,shade,1.0,,,
        specified,mark,0.5,,,

        """)
  }

  @Test func categories() {
    let series = ChartSeries("s", x: [0, 1, 7], y: [1, 2, 3], style: .points)
    let chart = Chart(
      "c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: [series],
      categories: ["spec", "ols"])
    #expect(
      Figure.chart(chart).table.csv == """
        series,kind,category,x,y
        s,data,spec,0.0,1.0
        s,data,ols,1.0,2.0
        s,data,,7.0,3.0

        """)
  }

  @Test func heatMap() {
    let map = HeatMap(
      "m", title: "t", alt: "a", x: ChartAxis("x"), columns: ["a", "b"], y: ChartAxis("y"), rows: ["r"],
      values: [[0.25, nil]], value: ChartAxis("v"),
      marks: [.init(row: 0, column: 0, label: "best"), .init(row: 0, column: 0, label: "specified")])
    #expect(
      Figure.heatMap(map).table.csv == """
        row,column,mark,value
        r,a,best; specified,0.25
        r,b,,

        """)
  }
}
