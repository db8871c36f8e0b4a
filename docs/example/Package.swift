// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "best-method",
  dependencies: [.package(name: "Fathom", path: "../..")],
  targets: [
    .executableTarget(
      name: "best-method",
      dependencies: [
        .product(name: "DepthVerdicts", package: "Fathom"), .product(name: "FathomRuns", package: "Fathom"),
      ]),
    .executableTarget(
      name: "whole-run",
      dependencies: [
        .product(name: "DepthReport", package: "Fathom"), .product(name: "FathomRuns", package: "Fathom"),
      ]),
  ])
