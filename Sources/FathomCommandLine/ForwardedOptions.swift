import ArgumentParser

/// Options of another command, as one text: "--methods auto,ols --seed 3". A value that begins with a hyphen is meant so.
package struct ForwardedOptions: ExpressibleByArgument, Hashable {
  package let text: String
  package init?(argument: String) { text = argument }
}
