internal import FathomHDF5
import FathomPlainText

/// Reads what a file says about itself, and every scene's header.
struct RootValidator {
  var attributes = DatasetAttributes(), scenes: [SceneValidator] = [], issues: [SchemaIssue] = []
  /// Of the schema that the file keeps to; 1 where it says nothing that could be used.
  var version = 1

  mutating func validate(_ file: borrowing HDF5File) {
    checkFormat(file)
    attributes.name = text("name", file)
    attributes.description = text("description", file)
    attributes.license = text("license", file)
    attributes.source = text("source", file)
    attributes.createdBy = text("created_by", file)
    readScenes(file)
  }

  private mutating func checkFormat(_ file: borrowing HDF5File) {
    let format = attribute("format", file)
    guard format?.string == "fathom" else {
      let found = format.map { "its attribute format is \($0.summary)" } ?? "it has no attribute format"
      error(
        "/", "\(found), so it is not a Fathom data set", "convert it, or set format = 'fathom', version = 1")
      return
    }
    let version = attribute("version", file)
    guard let number = version?.real,
      let known = DatasetReader.schemaVersions.first(where: { Double($0) == number })
    else {
      let found = version.map { "its schema version is \($0.summary)" } ?? "it has no attribute version"
      error("/", "\(found); this program reads versions 1 to 3", "use a newer Fathom, or set version = 1")
      return
    }
    self.version = known
  }

  private mutating func readScenes(_ file: borrowing HDF5File) {
    do throws(HDF5Error) {
      guard try file.kind(of: "scenes") == .group
      else { return error("scenes", "there is no such group", "put every scene into scenes/<name>") }
      let names = try file.members(of: "scenes", limit: SchemaLimits.scenes)
      if names.isEmpty { error("scenes", "it holds no scenes", "put every scene into scenes/<name>") }
      readScenes(names, file)
    } catch {
      let failure = HDF5Failure(error)
      self.error("scenes", failure.reason, failure.advice)
    }
  }

  private mutating func readScenes(_ names: [String], _ file: borrowing HDF5File) {
    var (first, again): ([HDF5ObjectIdentity: String], [String]) = ([:], [])
    var declared = 0
    for name in names {
      do throws(HDF5Error) {
        guard try file.kind(of: "scenes/" + name) == .group else {
          error("scenes/" + name, "it is not a group", "put the scene's arrays into a group of this name")
          continue
        }
        guard name.utf8.count <= SchemaLimits.nameBytes else {
          error(
            "scenes", "the name of a scene has \(name.utf8.count) bytes",
            "use at most \(SchemaLimits.nameBytes)")
          continue
        }
        // Counted twice, a scene would make intervals too narrow.
        if first.updateValue(name, forKey: try file.identity(of: "scenes/" + name)) != nil {
          again.append(name)
          continue
        }
      } catch {
        let failure = HDF5Failure(error)
        self.error("scenes/" + name, failure.reason, failure.advice)
        continue
      }
      var scene = SceneValidator(scene: name, schemaVersion: version)
      scene.validate(file)
      issues += scene.issues
      let (sum, overflow) = declared.addingReportingOverflow(scene.declaredByteCount)
      declared = overflow ? .max : sum
      if SchemaLimits.isBomb(declared: declared, stored: file.byteCount) {
        return error(
          "scenes/" + name,
          "up to here the arrays declare \(declared) bytes, but the file has \(file.byteCount)",
          "check the shapes; links to one array count each")
      }
      scenes.append(scene)
    }
    if let name = again.first {
      let others = again.count > 1 ? ", and \(again.count - 1) more names are such links" : ""
      error(
        "scenes/" + name, "it is a link to a scene that has another name already\(others)",
        "remove the link: a scene counts once")
    }
  }

  private mutating func error(_ object: String, _ problem: String, _ advice: Wording) {
    issues.append(SchemaIssue(severity: .error, object: object, problem: problem, advice: advice))
  }

  private mutating func attribute(_ name: String, _ file: borrowing HDF5File) -> HDF5Attribute? {
    do throws(HDF5Error) { return try file.attribute(name) } catch {
      let failure = HDF5Failure(error)
      self.error("/", failure.reason, failure.advice)
      return nil
    }
  }

  private mutating func text(_ name: String, _ file: borrowing HDF5File) -> String? {
    attribute(name, file)?.string
  }
}
