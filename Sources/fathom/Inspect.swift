import ArgumentParser
struct Inspect: ParsableCommand {}
struct Synthesize: ParsableCommand {}
