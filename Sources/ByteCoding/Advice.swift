// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What to do about an error: a sentence, and the steps that it names, for programs that offer them.
///
/// An advice is written as text in which steps follow the words that they are about. The library prints the words; a program can
/// add how a step is taken with it.
///
///     let advice: Advice = "Name another file, or let this one be replaced\(.overwrite)."
///     print(advice)                           // Name another file, or let this one be replaced.
///     advice.steps.contains(.overwrite)       // true
public struct Advice: Hashable, Sendable {
  /// Something that helps, and that a program may offer as a button or an option.
  public enum Step: Hashable, Sendable {
    /// Let an existing file be replaced.
    case overwrite
    /// Write another file instead of changing this one.
    case writeAnother
    /// Change the movie in place.
    case changeInPlace
    /// Make fragments or segments of another length.
    case changePartLength
    /// Leave out everything before a time.
    case cutBeginning
    /// Merge several tracks into one.
    case mergeTracks
    /// Make a movie from a raw stream.
    case makeMovie
    /// Repair with the help of the original, of another movie of the same camera, or of the stream.
    case restore
    /// Copy the tags of another movie.
    case copyTags
    /// Check the movie.
    case check
    /// Look at the summary of the movie.
    case showSummary
    /// Look at a box; at all of them without a path.
    case showBox(path: String?)
    /// Look at what signals which layer is which eye.
    case showEyes
    /// Look at the NAL units.
    case showUnits
    /// Look at the places of the samples.
    case showSamples
    /// Look at the parameter sets.
    case showParameterSets
    /// Make a stream of segments and playlists.
    case package
    /// Read about a rule.
    case explain(rule: String)
    /// Name the eye that is kept.
    case chooseEye(String?)
    /// Leave the units of layers where they are, and refer to them.
    case useExtractors
    /// Require movies with the same spatial tags.
    case requireSameTags
    /// Keep the eyes of each movie.
    case keepEyesOfEach
    /// Accept a stream with damaged pictures.
    case allowDamage
    /// Leave out pictures that cannot be decoded.
    case skipUndecodable
    /// Give the frame rate.
    case setFrameRate
    /// Give the size and the frame rate of raw planes.
    case describePlanes
    /// Say how the eyes are arranged in the source.
    case setLayout
    /// Decode both eyes of a movie, and let another program encode them side by side.
    case renderSideBySide
    /// Write the movie box before the media.
    case putMovieBoxFirst
    /// Give another movie to restore from.
    case nameOriginal
    /// Give a tag a value; `nil` for a value that only the maker of the movie knows.
    case setTag(String, String?)
    /// Remove a tag.
    case removeTag(String)
    /// Write values that contradict each other or the stream.
    case forceValues
    /// Exchange the eyes in the message of the configuration record, too.
    case rewriteMessage
    /// Encode the movie again with the eyes exchanged.
    case encodeSwapped
  }

  private enum Part: Hashable, Sendable {
    case words(String)
    case step(Step)
  }

  private var parts: [Part] = []

  /// Makes advice without steps.
  public init(_ words: String = "") {
    if !words.isEmpty { parts = [.words(words)] }
  }

  /// Whether the advice is empty.
  public var isEmpty: Bool { parts.isEmpty }

  /// The steps that it names.
  public var steps: [Step] {
    parts.compactMap { part in
      guard case .step(let step) = part else { return nil }
      return step
    }
  }

  /// Returns the sentence, with what a program adds after the words about a step.
  package func text(_ added: (Step) -> String) -> String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .step(let step): added(step)
      }
    }.joined()
  }

  /// Joins two pieces of advice.
  public static func + (left: Advice, right: Advice) -> Advice {
    var sum = left
    sum.parts += right.parts
    return sum
  }

  /// Adds a piece of advice.
  public static func += (left: inout Advice, right: Advice) { left = left + right }
}

extension Advice: CustomStringConvertible {
  /// The sentence.
  public var description: String { text { _ in "" } }
}

extension Advice: ExpressibleByStringInterpolation {
  /// Text with values and steps in it.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var advice = Advice()

    /// Makes an empty text.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds words.
    public mutating func appendLiteral(_ literal: String) { advice += Advice(literal) }

    /// Adds a step, after the words about it.
    public mutating func appendInterpolation(_ step: Step) { advice.parts.append(.step(step)) }

    /// Adds a value.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      advice += Advice(value.description)
    }
  }

  /// Makes an advice of words.
  public init(stringLiteral value: String) { self.init(value) }

  /// Makes an advice of words, values and steps.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.advice }
}
