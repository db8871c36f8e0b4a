internal import DepthCore

/// Furnishes rooms at random. The world's origin lies at the height of the camera, as ARKit's does
/// where recording begins, so floors are below zero.
struct RoomBuilder {
  private var generator: SplitMix64
  /// Height of the camera above the floor, metres.
  private static let eyeHeight = 1.4
  /// Floor rectangles that are taken: low and high corner, x and z.
  private var taken: [(low: SIMD2<Double>, high: SIMD2<Double>)] = []
  init(using generator: SplitMix64) { self.generator = generator }

  mutating func build(_ setting: SceneSetting) -> Room {
    switch setting {
    case .furnishedRoom: furnishedRoom(width: 4.2...5.4, length: 4.6...5.6, along: 4...6, free: 3...5)
    case .smallRoom: furnishedRoom(width: 2.9...3.3, length: 3.2...3.6, along: 3...4, free: 1...2)
    case .flatWall: flatWall()
    case .darkHall: darkHall()
    }
  }

  private mutating func furnishedRoom(
    width: ClosedRange<Double>, length: ClosedRange<Double>, along walls: ClosedRange<Int>,
    free: ClosedRange<Int>
  ) -> Room {
    let size = SIMD3(
      generator.uniform(width.lowerBound, width.upperBound), generator.uniform(2.45, 2.75),
      generator.uniform(length.lowerBound, length.upperBound))
    var room = emptyRoom(size, standing: 0.55)
    furnish(
      &room, along: walls.lowerBound + generator.index(below: walls.count),
      free: free.lowerBound + generator.index(below: free.count))
    hangPicture(in: &room)
    return room
  }

  private mutating func darkHall() -> Room {
    let size = SIMD3(generator.uniform(11, 13), generator.uniform(4, 5), generator.uniform(12, 15))
    var room = emptyRoom(size, standing: 0.8)
    (room.walls, room.floor, room.ceiling) = (.concrete, .concrete, .concrete)
    furnish(&room, along: 4, free: 8)
    for index in room.furniture.indices {
      for solid in room.furniture[index].solids.indices {
        room.furniture[index].solids[solid].material.reflectance *= 0.3
      }
    }
    return room
  }

  /// Nothing but one wall fills the view.
  private mutating func flatWall() -> Room {
    var room = emptyRoom([9, 3.6, 4], standing: 2.0)
    room.shell.center.y += 0.1
    room.viewpoint = [0, 0, room.shell.center.z - 2 + generator.uniform(1.4, 1.7)]
    room.heading = (generator.unit() < 0.5 ? -1 : 1) * generator.uniform(0.04, 0.06)
    (room.pitch, room.sway) = (0.02, 0.03)
    return room
  }

  /// Four walls and a viewpoint `standing` metres in front of the one behind the camera.
  private mutating func emptyRoom(_ size: SIMD3<Double>, standing: Double) -> Room {
    Room(
      shell: OrientedBox(center: [0, size.y / 2 - Self.eyeHeight, 0], size: size, yaw: 0),
      walls: .plaster.varied(using: &generator),
      floor: (generator.unit() < 0.6 ? Material.parquet : .tiling).varied(using: &generator),
      ceiling: .ceiling, furniture: [],
      viewpoint: [generator.uniform(-0.2, 0.2) * size.x, 0, size.z / 2 - standing],
      heading: 0, pitch: -generator.uniform(0.2, 0.3), sway: 1)
  }

  private mutating func furnish(_ room: inout Room, along walls: Int, free: Int) {
    for _ in 0..<walls {
      let maker = FurnitureCatalogue.alongWalls[generator.index(below: FurnitureCatalogue.alongWalls.count)]
      place(maker(&generator), in: &room, againstWall: true)
    }
    for _ in 0..<free {
      let maker = FurnitureCatalogue.inTheRoom[generator.index(below: FurnitureCatalogue.inTheRoom.count)]
      place(maker(&generator), in: &room, againstWall: false)
    }
  }

  /// Tries places until one is free; gives up after a while, as people do.
  private mutating func place(_ item: Furniture, in room: inout Room, againstWall: Bool) {
    for _ in 0..<40 {
      let (position, yaw) = againstWall ? spotAtWall(item, room) : spotInRoom(room)
      let placed = item.placed(at: position, yaw: yaw)
      guard isFree(placed.box, in: room) else { continue }
      taken.append(floorRectangle(placed.box))
      room.furniture.append(placed)
      if let height = item.tableTop { setTable(placed, height: height, in: &room) }
      return
    }
  }

  private mutating func spotAtWall(_ item: Furniture, _ room: Room) -> (SIMD3<Double>, Double) {
    let half = room.shell.size / 2, gap = item.footprint.y / 2 + generator.uniform(0.01, 0.05)
    let floor = -Self.eyeHeight
    switch generator.index(below: 4) {
    case 0: return ([-half.x + gap, floor, generator.uniform(-half.z, half.z * 0.5)], -.pi / 2)
    case 1: return ([half.x - gap, floor, generator.uniform(-half.z, half.z * 0.5)], .pi / 2)
    default: return ([generator.uniform(-half.x, half.x), floor, -half.z + gap], 0)
    }
  }

  private mutating func spotInRoom(_ room: Room) -> (SIMD3<Double>, Double) {
    let half = room.shell.size / 2
    let position = SIMD3(
      generator.uniform(-0.8, 0.8) * half.x, -Self.eyeHeight, generator.uniform(-0.7, 0.45) * half.z)
    return (position, generator.uniform(-.pi, .pi))
  }

  private mutating func setTable(_ table: PlacedFurniture, height: Double, in room: inout Room) {
    let top = table.solids[0].frame  // of an L-shape, the longer box
    var along = -0.42 * top.size.x
    for _ in 0..<3 {
      let maker = FurnitureCatalogue.onTables[generator.index(below: FurnitureCatalogue.onTables.count)]
      let item = maker(&generator), radius = item.footprint.max() / 2
      along += radius
      guard along + radius < top.size.x / 2, item.footprint.max() < top.size.z else { continue }
      let offset = SIMD3(along, 0, generator.uniform(-0.4, 0.4) * (top.size.z - item.footprint.max()))
      var position = top.center + top.unrotated(offset)
      position.y = height - Self.eyeHeight
      room.furniture.append(item.placed(at: position, yaw: generator.uniform(-.pi, .pi)))
      along += radius + generator.uniform(0.05, 0.3)
    }
  }

  private mutating func hangPicture(in room: inout Room) {
    let frame = Furniture(
      label: "tv",
      parts: [
        .init(
          center: .zero, size: [generator.uniform(0.8, 1.3), generator.uniform(0.5, 0.7), 0.05],
          material: .screen)
      ])
    let half = room.shell.size / 2, x = generator.uniform(-0.3, 0.3) * half.x
    room.furniture.append(frame.placed(at: [x, 0.45, -half.z + 0.04], yaw: 0))
  }

  private func floorRectangle(_ box: OrientedBox) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)
    for corner in box.corners {
      low = pointwiseMin(low, [corner.x, corner.z])
      high = pointwiseMax(high, [corner.x, corner.z])
    }
    return (low, high)
  }

  /// Inside the walls, clear of what stands there, and not in the photographer's way.
  private func isFree(_ box: OrientedBox, in room: Room) -> Bool {
    let (low, high) = floorRectangle(box)
    let half = room.shell.size / 2
    guard low.x > -half.x, high.x < half.x, low.y > -half.z, high.y < half.z else { return false }
    let eye = SIMD2(room.viewpoint.x, room.viewpoint.z)
    let away = eye - eye.clamped(lowerBound: low, upperBound: high)
    guard (away * away).sum() > 1.2 * 1.2 else { return false }
    return taken.allSatisfy { other in
      low.x > other.high.x + 0.08 || high.x < other.low.x - 0.08 || low.y > other.high.y + 0.08
        || high.y < other.low.y - 0.08
    }
  }
}
