import ArgumentParser

/// Options of another command, as one text: "--methods auto,ols --seed 3". A value that begins with a hyphen is meant so.
struct ForwardedOptions: ExpressibleByArgument, Hashable {
  let text: String
  init?(argument: String) { text = argument }
}
