// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess

/// A list that is read from its beginning to its end, to be put beside another.
package protocol AlignedList {
  associatedtype Element: Sendable
  /// The next element; `nil` after the last one.
  func next() throws(SourceError) -> Element?
  /// A reader of its own of what comes after everything that was handed out.
  func continuation() throws(SourceError) -> Self
  /// The key that equal elements of both lists share.
  static func key(of element: Element) -> UInt64
  /// Takes several elements that come next in both lists and are the same, each as one, and tells how many; `nil` if the next ones must
  /// be compared one by one.
  func nextSame(as other: Self) throws(SourceError) -> (Element, Element, count: Int)?
  /// Whether it ended before its last element, because reading on would take too long.
  var isCutShort: Bool { get }
}

extension AlignedList {
  package func nextSame(as other: Self) throws(SourceError) -> (Element, Element, count: Int)? { nil }
  package var isCutShort: Bool { false }
}

/// Which elements of two lists are the same, where some were taken away, added or changed.
///
/// Equal lists are read in step, and nothing is kept. Where they differ, a window of both is kept: whichever list comes back to the next
/// element of the other with fewer steps has the rest in excess. Where two whole windows have nothing in common, what follows them is
/// looked through once, without keeping it, for where one list continues with the window of the other. However long the lists are, the
/// memory is that of two windows.
package struct SampleAlignment<List: AlignedList> {
  /// The result for an element.
  package enum Step {
    /// Both lists have it.
    case same(List.Element, List.Element)
    /// Both lists have an element here, and not the same.
    case changed(List.Element, List.Element)
    /// The first list alone has it.
    case lost(List.Element)
    /// The second list alone has it.
    case added(List.Element)
  }

  /// The greatest number of elements of a list that are examined to find where both lists continue alike.
  private let windowLength: Int
  private var first: Window
  private var second: Window
  /// How many elements of both lists belong to none of the other, as a search has found.
  private var passedOver = (first: 0, second: 0)
  /// The place in the first list before which no search begins.
  private var nextSearch = 0
  private var searches = 0
  /// A key that both windows had.
  private var commonKey: UInt64?
  private var failures = 0
  /// How often what follows the windows is looked through, and how often in vain.
  private static var maximumSearches: Int { 8 }
  private static var maximumFailures: Int { 2 }
  /// How many elements in a row must be the same for a place that is far away.
  private static var confirmingCount: Int { 8 }

  /// Puts two lists side by side.
  package init(_ first: List, _ second: List, windowLength: Int = 1 << 15) {
    self.windowLength = max(1, windowLength)
    self.first = Window(first)
    self.second = Window(second)
  }

  /// What comes next; `nil` after the end of both lists.
  package mutating func next() throws(SourceError) -> Step? {
    if passedOver.first > 0 || passedOver.second > 0 { return try passOver() }
    if first.count == 0, second.count == 0, let same = try first.list.nextSame(as: second.list) {
      first.skip(same.count)
      second.skip(same.count)
      return .same(same.0, same.1)
    }
    guard let left = try first.front() else {
      passedOver.second = try second.front() == nil ? 0 : 1
      return passedOver.second > 0 ? try passOver() : nil
    }
    guard let right = try second.front() else {
      passedOver.first = 1
      return try passOver()
    }
    let (key, other) = (List.key(of: left), List.key(of: right))
    guard key != other else {
      first.removeFirst()
      second.removeFirst()
      return .same(left, right)
    }
    try first.fill(to: windowLength)
    try second.fill(to: windowLength)
    switch (second.distance(to: key), first.distance(to: other)) {
    case (nil, nil):
      try searchFurther()
      if passedOver.first > 0 || passedOver.second > 0 { return try passOver() }
      first.removeFirst()
      second.removeFirst()
      return .changed(left, right)
    case (let ahead?, let back) where back.map({ ahead <= $0 }) ?? true: passedOver = (0, ahead)
    case (_, let back): passedOver = (back ?? 1, 0)
    }
    return try passOver()
  }

  /// Hands out elements that belong to none of the other list; as long as both have such, as changed ones.
  private mutating func passOver() throws(SourceError) -> Step? {
    let left = passedOver.first > 0 ? try first.front() : nil
    let right = passedOver.second > 0 ? try second.front() : nil
    if left != nil {
      first.removeFirst()
      passedOver.first -= 1
    } else {
      passedOver.first = 0
    }
    if right != nil {
      second.removeFirst()
      passedOver.second -= 1
    } else {
      passedOver.second = 0
    }
    switch (left, right) {
    case (let left?, let right?): return .changed(left, right)
    case (let left?, nil): return .lost(left)
    case (nil, let right?): return .added(right)
    case (nil, nil): return try next()
    }
  }

  // MARK: Far away

  /// Looks for where one list continues with the window of the other, in what follows its own window.
  private mutating func searchFurther() throws(SourceError) {
    guard first.position >= nextSearch, searches < Self.maximumSearches, failures < Self.maximumFailures,
      !(first.isRead && second.isRead), !haveCommonKey()
    else { return }
    nextSearch = first.position + windowLength
    searches += 1
    var ahead = try Search(first, for: second, Self.confirmingCount)
    var back = try Search(second, for: first, Self.confirmingCount)
    while !(ahead.isOver && back.isOver) {
      // Whichever list has less in excess is found first.
      if let found = try ahead.step(second) {
        passedOver = (found.distance, found.place)
        return
      }
      if let found = try back.step(first) {
        passedOver = (found.place, found.distance)
        return
      }
    }
    failures += 1
  }

  /// Whether both windows have an element of one key. The one that was found last mostly is still there.
  private mutating func haveCommonKey() -> Bool {
    if let key = commonKey, first.distance(to: key) != nil, second.distance(to: key) != nil { return true }
    commonKey = first.commonKey(with: second)
    return commonKey != nil
  }

  /// A way through what follows a window.
  private struct Search {
    private let list: List?
    private let wanted: Int
    /// How many elements from the front of its window on were read.
    private var position: Int
    /// Where elements were found that are at a place of the other window, and how many so far.
    private var candidate: (distance: Int, place: Int, count: Int)?
    private(set) var isOver = false

    init(_ window: Window, for other: Window, _ wanted: Int) throws(SourceError) {
      self.wanted = min(wanted, other.count)
      position = window.count
      list = window.isRead ? nil : try window.list.continuation()
      isOver = list == nil || other.count == 0
    }

    mutating func step(_ other: Window) throws(SourceError) -> (distance: Int, place: Int)? {
      guard !isOver else { return nil }
      guard let list, let element = try list.next() else {
        isOver = true
        // At the end of the list there are no more that could confirm it.
        return list?.isCutShort == true ? nil : candidate.map { ($0.distance, $0.place) }
      }
      let key = List.key(of: element)
      if let found = candidate, other.key(at: found.place + found.count) == key {
        candidate?.count += 1
      } else {
        candidate = other.distance(to: key).map { (position, $0, 1) }
      }
      position += 1
      guard let found = candidate,
        found.count >= wanted || found.place + found.count >= other.count
      else { return nil }
      isOver = true
      return (found.distance, found.place)
    }
  }

  // MARK: Windows

  /// The elements of a list that were read but not returned yet.
  private struct Window {
    let list: List
    private var elements: [List.Element] = []
    /// How many of them were handed out.
    private var removed = 0
    /// The place of the first element in the list.
    private var start = 0
    private(set) var isRead = false
    /// The places of keys, made on request: the first place, and from each place the next one.
    private var places: [UInt64: (first: Int, last: Int)] = [:]
    private var following: [Int] = []
    private var isIndexed = false

    init(_ list: List) { self.list = list }

    var count: Int { elements.count - removed }
    /// The place of the front in the list.
    var position: Int { start + removed }

    mutating func front() throws(SourceError) -> List.Element? {
      if removed < elements.count { return elements[removed] }
      return try append()
    }

    private mutating func append() throws(SourceError) -> List.Element? {
      guard !isRead, let element = try list.next() else {
        isRead = true
        return nil
      }
      elements.append(element)
      if isIndexed { index(element, at: start + elements.count - 1) }
      return element
    }

    mutating func fill(to length: Int) throws(SourceError) {
      if !isIndexed {
        isIndexed = true
        following = Array(repeating: 0, count: elements.count)
        for place in removed..<elements.count { index(elements[place], at: start + place) }
      }
      while count < length, try append() != nil {}
    }

    private mutating func index(_ element: List.Element, at place: Int) {
      let key = List.key(of: element)
      if following.count <= place - start { following.append(0) }
      if let known = places[key] {
        following[known.last - start] = place
        places[key] = (known.first, place)
      } else {
        places[key] = (place, place)
      }
    }

    /// Counts elements of the list that were never in the window, which is empty.
    mutating func skip(_ count: Int) { start += count }

    mutating func removeFirst() {
      guard removed < elements.count else { return }
      if isIndexed {
        let key = List.key(of: elements[removed])
        if let known = places[key], known.first == position {
          places[key] = known.last == known.first ? nil : (following[removed], known.last)
        }
      }
      removed += 1
      if removed == elements.count {
        // Both lists may continue in step.
        elements.removeAll(keepingCapacity: true)
        (start, removed) = (start + removed, 0)
        guard isIndexed else { return }
        isIndexed = false
        following = []
        places = [:]
      } else if removed >= 1 << 12, removed >= elements.count / 2 {
        elements.removeFirst(removed)
        if isIndexed { following.removeFirst(removed) }
        (start, removed) = (start + removed, 0)
      }
    }

    /// How far from the front an element with a key is; `nil` if the window has none.
    func distance(to key: UInt64) -> Int? { places[key].map { $0.first - position } }

    /// The key of the element so far from the front.
    func key(at distance: Int) -> UInt64? {
      distance < count ? List.key(of: elements[removed + distance]) : nil
    }

    /// The common key whose last occurrence is farthest ahead in both windows.
    func commonKey(with other: Window) -> UInt64? {
      var found: (key: UInt64, distance: Int)?
      for (key, place) in places {
        guard let there = other.places[key] else { continue }
        let distance = min(place.last - position, there.last - other.position)
        if distance > found?.distance ?? -1 { found = (key, distance) }
      }
      return found?.key
    }
  }
}
