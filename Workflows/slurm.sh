#!/bin/bash
# An evaluation in shards as a SLURM array, and the merge when all of it is done:
#
#   Workflows/slurm.sh N FOLDER RUN INPUT… [-- OPTION OF EVALUATE…]
#
# A task that is killed or requeued goes on where it was. Without sbatch (or with DRY_RUN=1) the commands are printed.
set -euo pipefail

[ $# -ge 4 ] || { sed -n '2,7p' "$0" | cut -c3- >&2; exit 64; }
count=$1 folder=$2 run=$3
shift 3
inputs=() options=()
while [ $# -gt 0 ]; do
  [ "$1" = -- ] && { shift; options=("$@"); break; }
  case $1 in -*) inputs+=("./$1") ;; *) inputs+=("$1") ;; esac
  shift
done
fathom=${FATHOM:-fathom}

# Words for the shell that runs a job, which is not a bash: between single quotes, whatever they hold.
quote() { local word; for word; do printf "'%s' " "${word//\'/\'\\\'\'}"; done; }
submit() {
  if [ -z "${DRY_RUN:-}" ] && command -v sbatch > /dev/null; then sbatch --parsable "$@"; else { echo "sbatch $(quote "$@")"; echo; } >&2; echo 0; fi
}

task="$(quote "$folder/")"
task="${task% }\$SLURM_ARRAY_TASK_ID"
shard="$(quote "$fathom" evaluate "${inputs[@]}" "${options[@]+"${options[@]}"}")--shard \$SLURM_ARRAY_TASK_ID/$count --resume --output $task --quiet"
merge="$(quote "$fathom" merge)$(for i in $(seq "$count"); do quote "$folder/$i"; done)--output $(quote "$run")"
array=$(submit --job-name=fathom --array="1-$count" --requeue --cpus-per-task="${CPUS:-2}" --time="${MINUTES:-240}" --wrap="exec $shard")
submit --job-name=fathom-merge --dependency="afterok:$array" --time=60 --wrap="exec $merge" > /dev/null
