// The plug-in FathomBuildIdentity adds the one function of this target, `fathom_build_name`, with the commit in it. Nothing imports
// the target, so that after a commit nothing else is compiled again; CFathomBuild finds the function when the command is linked.
