internal import DepthCore

/// What rooms are furnished with. Sizes vary at random within what shops sell.
enum FurnitureCatalogue {
  typealias Maker = @Sendable (inout SplitMix64) -> Furniture

  /// Stands on the floor with its back to a wall.
  static let alongWalls: [Maker] = [
    { g in block("refrigerator", [g.uniform(0.6, 0.75), g.uniform(1.5, 1.9), 0.65], .enamel, &g) },
    { g in block("oven", [0.6, 0.88, 0.6], .screen, &g) }, { g in sideboard(&g) }, { g in cornerSofa(&g) },
    { g in cornerDesk(&g) }, { g in bed(&g) }, { g in floorLamp(&g) }, { g in pottedPlant(&g) },
  ]

  /// Stands free in the room.
  static let inTheRoom: [Maker] = [
    { g in diningTable(&g) }, { g in chair(&g) }, { g in chair(&g) },
    { g in block("suitcase", [g.uniform(0.4, 0.55), g.uniform(0.5, 0.75), 0.25], .leather, &g) },
    { g in cylinder("stool", 0.36, g.uniform(0.44, 0.7), .wood, &g) },
    { g in cylinder("ottoman", g.uniform(0.5, 0.75), 0.42, .wool, &g) }, { g in cornerSofa(&g) },
    { g in pottedPlant(&g) },
  ]

  /// Stands on tables and sideboards.
  static let onTables: [Maker] = [
    { g in cylinder("vase", g.uniform(0.12, 0.18), g.uniform(0.22, 0.36), .ceramic, &g) },
    { g in cylinder("cup", 0.085, 0.1, .glaze, &g) },
    { g in cylinder("bottle", 0.075, g.uniform(0.24, 0.31), .ceramic, &g) },
    { g in block("book", [0.24, g.uniform(0.03, 0.06), 0.17], .paper, &g) },
    { g in block("microwave", [0.5, 0.3, 0.36], .enamel, &g) }, { g in laptop(&g) },
  ]

  private static func block(
    _ label: String, _ size: SIMD3<Double>, _ material: Material, _ g: inout SplitMix64
  ) -> Furniture {
    let part = Furniture.Part(center: [0, size.y / 2, 0], size: size, material: material.varied(using: &g))
    return Furniture(label: label, parts: [part])
  }

  private static func cylinder(
    _ label: String, _ diameter: Double, _ height: Double, _ material: Material, _ g: inout SplitMix64
  ) -> Furniture {
    let part = Furniture.Part(
      shape: .cylinder, center: [0, height / 2, 0], size: [diameter, height, diameter],
      material: material.varied(using: &g))
    return Furniture(label: label, parts: [part])
  }

  /// Two boxes that meet at a right angle, the second one reaching along +width at the far end.
  private static func lShape(
    _ label: String, long: SIMD3<Double>, reach: Double, tableTop: Double?, _ material: Material
  ) -> Furniture {
    let short = SIMD3(long.z, long.y, reach)
    return Furniture(
      label: label,
      parts: [
        .init(center: [0, long.y / 2, 0], size: long, material: material),
        .init(
          center: [(short.x - long.x) / 2, long.y / 2, (long.z + reach) / 2], size: short,
          material: material),
      ], tableTop: tableTop)
  }

  private static func cornerSofa(_ g: inout SplitMix64) -> Furniture {
    let cloth = (g.unit() < 0.5 ? Material.wool : .linen).varied(using: &g)
    return lShape(
      "couch", long: [g.uniform(1.7, 2.2), g.uniform(0.55, 0.75), 0.8], reach: g.uniform(0.5, 0.8),
      tableTop: nil, cloth)
  }

  private static func cornerDesk(_ g: inout SplitMix64) -> Furniture {
    lShape(
      "desk", long: [g.uniform(1.4, 1.8), 0.74, 0.65], reach: g.uniform(0.4, 0.6), tableTop: 0.74,
      .wood.varied(using: &g))
  }

  private static func sideboard(_ g: inout SplitMix64) -> Furniture {
    var item = block("cabinet", [g.uniform(1.0, 1.6), g.uniform(0.7, 0.9), 0.45], .wood, &g)
    item.tableTop = item.parts[0].size.y
    return item
  }

  private static func bed(_ g: inout SplitMix64) -> Furniture {
    let frame = Material.wood.varied(using: &g)
    return Furniture(
      label: "bed",
      parts: [
        .init(center: [0, 0.25, 0], size: [2.0, 0.5, 1.4], material: .linen.varied(using: &g)),
        .init(center: [-1.03, 0.45, 0], size: [0.06, 0.9, 1.4], material: frame),
      ])
  }

  private static func diningTable(_ g: inout SplitMix64) -> Furniture {
    let (length, width, wood) = (g.uniform(1.1, 1.5), g.uniform(0.7, 0.85), Material.wood.varied(using: &g))
    var parts = [Furniture.Part(center: [0, 0.72, 0], size: [length, 0.05, width], material: wood)]
    for (x, z) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
      let leg = SIMD3(x * (length - 0.08), 0.3475, z * (width - 0.08))
      parts.append(.init(center: leg, size: [0.07, 0.695, 0.07], material: wood))
    }
    return Furniture(label: "dining table", parts: parts, tableTop: 0.745)
  }

  private static func chair(_ g: inout SplitMix64) -> Furniture {
    let material = (g.unit() < 0.3 ? Material.leather : .wood).varied(using: &g)
    return Furniture(
      label: "chair",
      parts: [
        .init(center: [0, 0.23, 0], size: [0.43, 0.46, 0.43], material: material),
        .init(center: [-0.19, 0.68, 0], size: [0.05, 0.44, 0.43], material: material),
      ])
  }

  private static func pottedPlant(_ g: inout SplitMix64) -> Furniture {
    let height = g.uniform(0.4, 0.8)
    return Furniture(
      label: "potted plant",
      parts: [
        .init(
          shape: .cylinder, center: [0, 0.18, 0], size: [0.34, 0.36, 0.34],
          material: .clay.varied(using: &g)),
        .init(
          shape: .cylinder, center: [0, 0.36 + height / 2, 0], size: [0.5, height, 0.5],
          material: .leaves.varied(using: &g)),
      ])
  }

  private static func floorLamp(_ g: inout SplitMix64) -> Furniture {
    Furniture(
      label: "lamp",
      parts: [
        .init(shape: .cylinder, center: [0, 0.02, 0], size: [0.3, 0.04, 0.3], material: .leather),
        .init(shape: .cylinder, center: [0, 0.67, 0], size: [0.05, 1.26, 0.05], material: .leather),
        .init(
          shape: .cylinder, center: [0, 1.45, 0], size: [0.4, 0.3, 0.4], material: .linen.varied(using: &g)),
      ])
  }

  private static func laptop(_ g: inout SplitMix64) -> Furniture {
    let lid = Material.screen.varied(using: &g)
    return Furniture(
      label: "laptop",
      parts: [
        .init(center: [0, 0.01, 0], size: [0.23, 0.02, 0.33], material: lid),
        .init(center: [-0.108, 0.12, 0], size: [0.014, 0.2, 0.33], material: lid),
      ])
  }
}
