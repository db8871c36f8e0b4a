/// Which part of a job each scene is in: scenes are taken by their predicted time, the longest first, and each goes into the part that
/// has the least so far. Equal times keep the order of the job, equal parts that of their numbers.
package struct SceneDivision: Sendable {
  /// Data sets and scenes by their places in the job, in the order in which they were taken, with numbers of parts from 1.
  package let taken: [(input: Int, scene: Int, number: Int)]
  private let numbers: [[Int]]  // By data set and scene.

  /// - Parameter inputs: All data sets of the job, in order.
  /// - Parameter count: Of parts, at least 1.
  package init(_ inputs: [InputOutline], count: Int) {
    self.init(inputs.map { $0.scenes.map(\.microseconds) }, count: count)
  }

  /// - Parameter microseconds: Of what is divided, by data set and scene.
  init(_ microseconds: [[Int]], count: Int) {
    var places: [(input: Int, scene: Int, number: Int)] = []
    for (input, scenes) in microseconds.enumerated() {
      for scene in scenes.indices { places.append((input, scene, places.count)) }
    }
    // So far, the number is the place in the job.
    places.sort {
      let (first, second) = (microseconds[$0.input][$0.scene], microseconds[$1.input][$1.scene])
      return first == second ? $0.number < $1.number : first > second
    }
    var (loads, numbers) = (PartLoads(count: count), microseconds)
    for index in places.indices {
      let (input, scene, _) = places[index]
      places[index].number = loads.add(microseconds[input][scene])
      numbers[input][scene] = places[index].number
    }
    (taken, self.numbers) = (places, numbers)
  }

  /// Number of the part that a scene is in.
  package func number(input: Int, scene: Int) -> Int { numbers[input][scene] }
  /// Number of the part that looks after a data set as such: that of its first scene.
  func keeper(ofInput input: Int) -> Int { numbers[input].first ?? 1 }
}

/// Microseconds of each part, in a heap: the part with the least is the first.
private struct PartLoads {
  private var heap: [(load: Int, number: Int)]
  init(count: Int) { heap = (1...count).map { (0, $0) } }

  /// - Returns: The part that had the least.
  mutating func add(_ load: Int) -> Int {
    let number = heap[0].number
    heap[0].load += load
    var place = 0
    while 2 * place + 1 < heap.count {
      let (left, right) = (2 * place + 1, 2 * place + 2)
      let least = right < heap.count && heap[right] < heap[left] ? right : left
      guard heap[least] < heap[place] else { break }
      heap.swapAt(place, least)
      place = least
    }
    return number
  }
}
