import FathomDocuments
package import DepthImport
import FathomPlainText

/// A survey as a person reads it: the mapping can be copied as it stands.
package struct FolderSurveyText {
  package let text: String
  private static let mostGroups = 60

  package init(_ survey: FolderSurvey) {
    let count = survey.groups.reduce(0) { $0 + $1.count }
    var lines = ["\(survey.path.visible): a folder of no known format, \(counted(count, "file"))"]
    if let first = survey.scenes.first {
      lines[0] += " in \(first.visible), one of \(survey.scenes.count) folders like it"
    }
    lines += survey.nearly.map(\.visible)
    let table = DisplayTable(
      columns: [
        .text("files"), .init("count"), .text("numbers"), .text("kind"), .init("size"), .text("values"),
        .text("looks like"), .text("why"),
      ],
      rows: survey.groups.prefix(Self.mostGroups).map { group in
        [
          group.files.visible, "\(group.count)", group.numbers.visible, group.kind.visible, group.size ?? "–",
          group.range ?? "–", group.role ?? "–", group.why?.visible ?? "–",
        ]
      })
    lines += ["", table.plain]
    if survey.groups.count > Self.mostGroups {
      lines.append("… and \(survey.groups.count - Self.mostGroups) more: \(flag: "json") lists them all")
    }
    lines.append("")
    for open in survey.open { lines.append("open: \(open)".visible) }
    if let command = survey.command { lines.append("to read it: \(command.visible)") }
    if let mapping = survey.mapping {
      lines += ["", "A first mapping, from contents and names:", ""]
      lines += mapping.split(separator: "\n").map { String($0).visible }
    }
    text = lines.joined(separator: "\n")
  }
}
